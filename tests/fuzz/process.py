"""One target in a separate process: `python -m tests.fuzz.process TARGET FOLDER SECONDS [STRINGS]`.

FOLDER gets `corpus/`, the inputs that reached something new; and those that broke the law, see `findings`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random

import atheris

from tests.fuzz.findings import Findings
from tests.fuzz.mutations import stretched
from tests.fuzz.target import Target

LED_BY = [
    "bookbound",
    "functions",
    "yaml",
    "markdown_it",
    "mdit_py_plugins",
    "openpyxl",
    "jwt",
    "mangum",
    "zipfile",
]
"""Packages whose branches count as reached."""
STRETCH_EVERY = 500
MEGABYTES = 3000
SECONDS_AN_INPUT = 60


def main(name: str, folder: str, seconds: str, strings: str | None = None) -> None:
    with atheris.instrument_imports(include=LED_BY):
        from tests.fuzz.targets import target
    # Lambda's adapter takes the thread's loop.
    asyncio.set_event_loop(asyncio.new_event_loop())
    found = target(name)
    corpus, words = _prepare(Path(folder), name, found, strings)
    findings = Findings(Path(folder) / "findings", found.law)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={found.longest}",
        f"-timeout={SECONDS_AN_INPUT}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={folder}/findings/",
        *([f"-dict={words}"] if found.words else []),
        f"-report_slow_units={SECONDS_AN_INPUT}",
        "-len_control=0",
        "-print_final_stats=1",
        "-reload=0",
    ]
    mutator = {"custom_mutator": _mutator(found)} if found.mutate else {}
    atheris.Setup([name, *options, str(corpus)], _looking(findings), **mutator)
    atheris.Fuzz()


def _prepare(folder: Path, name: str, target: Target, strings: str | None) -> tuple[Path, Path]:
    """The corpus to start from, and the dictionary."""
    corpus, words = folder / "corpus", folder / "words"
    corpus.mkdir(parents=True, exist_ok=True)
    kept = (path.read_bytes() for path in (Path(__file__).parent / "corpus" / name).glob("*"))
    naughty = json.loads(Path(strings).read_text("utf-8")) if strings else []
    given = (text.encode("utf-8", "surrogatepass") for text in naughty)
    for seed in (*target.seeds(), *kept, *given):
        (corpus / sha256(seed).hexdigest()[:16]).write_bytes(seed)
    lines = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in target.words)
    words.write_text("".join(f'"{line}"\n' for line in lines))
    return corpus, words


def _looking(findings: Findings) -> Callable[[bytes], None]:
    numbers, random = count(1), Random(0)

    def look(content: bytes) -> None:
        findings.look(content)
        if next(numbers) % STRETCH_EVERY == 0:
            findings.look(stretched(content, random))

    return look


def _mutator(target: Target) -> Callable[[bytes, int, int], bytes]:
    def mutate(content: bytes, longest: int, seed: int) -> bytes:
        assert target.mutate is not None
        changed = target.mutate(content, Random(seed), lambda part: atheris.Mutate(part, len(part) + 64))
        return changed if len(changed) <= longest else content

    return mutate


if __name__ == "__main__":
    main(*sys.argv[1:])
