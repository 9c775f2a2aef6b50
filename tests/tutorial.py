"""Run of docs/tutorial.md, block by block: `python -m tests.tutorial`. It needs npm's registry.

A block of `sh` is typed into one terminal, one of `sh background` into a separate terminal, which stays
until the end. A block of `text` is what the block before it must have printed: these lines in their order,
`…` standing for anything. Where `<!-- browser -->` stands for the first time, site/e2e/tutorial.spec.ts does
the reader's part by its test "1: …", and so on.
The clone is of this repository as it is committed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "docs" / "tutorial.md"
PUBLISHED = "https://github.com/OWNER/bookbound"

Kind = Literal["sh", "sh background", "text", "browser"]

BROWSER = "<!-- browser -->"
DONE = "# end of the block"
WAIT = 600.0
"""Seconds that a block may take; npm's registry is slow at times."""


@dataclass(frozen=True)
class Step:
    """Something that the tutorial has its reader do, or see; `line` is where it says so, from 1 on."""

    kind: Kind
    text: str
    line: int


class Failed(Exception):
    """The tutorial says something that is not so."""


def steps(document: str) -> list[Step]:
    """All steps in their order; ValueError for a fenced block of any other kind."""
    found = []
    for token in MarkdownIt().parse(document):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "fence":
            kinds = [kind for kind in get_args(Kind) if kind == token.info.strip()]
            if not kinds:
                raise ValueError(f"line {line}: a block of {token.info!r} is neither done nor compared")
            found.append(Step(kinds[0], token.content, line))
        elif token.type == "html_block" and token.content.strip() == BROWSER:
            found.append(Step("browser", "", line))
    return found


def told(expected: str, printed: str) -> bool:
    """Return whether these lines are in `printed`; `…` omits a part of a line or, alone, lines."""
    lines = [line.rstrip() for line in expected.strip("\n").split("\n")]
    patterns = [
        r"(?:.*\n)*?" if line.strip() == "…" else f"{re.escape(line).replace('…', '.*')}[ ]*\n"
        for line in lines
    ]
    return re.search("^" + "".join(patterns), f"{printed}\n", re.MULTILINE) is not None


class Terminal:
    """A bash that keeps folder and variables between blocks, and stops at the first command that fails."""

    def __init__(self, folder: Path, log: Path) -> None:
        self._log = log
        self._from = 0
        with log.open("wb") as printed:
            self._bash = subprocess.Popen(
                ["bash", "-e"],
                cwd=folder,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                text=True,
            )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        """Ends bash and all that it started."""
        with self._bash, suppress(ProcessLookupError):
            os.killpg(self._bash.pid, signal.SIGTERM)

    def type(self, block: str) -> None:
        """Has a block done, without waiting for it."""
        self._from = self._log.stat().st_size
        script = self._log.with_suffix(".sh")
        script.write_text(block, encoding="utf-8")
        assert self._bash.stdin
        # The block is kept from bash's own input, which a command in it might read.
        self._bash.stdin.write(f". '{script}' </dev/null\necho '{DONE}'\n")
        self._bash.stdin.flush()

    def printed(self) -> str:
        """Return the output since the last block was typed."""
        return self._log.read_bytes()[self._from :].decode(errors="replace")

    def finish(self) -> None:
        """Until the block is done; Failed when one of its commands fails, or the time is over."""
        self._wait(lambda printed: DONE in printed, "the end of the block")

    def show(self, expected: str) -> None:
        """Until these lines are there; Failed when the block ends without them, or the time does."""
        self._wait(lambda printed: told(expected, printed), expected)

    def _wait(self, is_there: Callable[[str], bool], expected: str) -> None:
        until = time.monotonic() + WAIT
        while True:
            ended = self._bash.poll() is not None or time.monotonic() > until
            printed = self.printed()
            if is_there(printed):
                return
            if ended or DONE in printed:
                raise Failed(f"expected\n\n{expected}\n\nprinted\n\n{printed}")
            time.sleep(0.2)


def environment() -> dict[str, str]:
    """This process' own without settings of Bookbound; what is published is cloned from this repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BOOKBOUND_")}
    instead = {"GIT_CONFIG_KEY_0": f"url.{ROOT}.insteadOf", "GIT_CONFIG_VALUE_0": PUBLISHED}
    return kept | {"GIT_CONFIG_COUNT": "1"} | instead


def follow(plan: list[Step], folder: Path) -> Iterator[tuple[Step, float]]:
    """Each step with the seconds that it took, when it is done; Failed at the first that is not as told."""
    with ExitStack() as open_ones:
        logs = Path(open_ones.enter_context(tempfile.TemporaryDirectory(prefix="tutorial-logs-")))
        first = last = open_ones.enter_context(Terminal(folder, logs / "first"))
        browsed = 0
        for step in plan:
            began = time.monotonic()
            if step.kind == "sh background":
                last = open_ones.enter_context(Terminal(folder, logs / f"line-{step.line}"))
                last.type(step.text)
            elif step.kind == "sh":
                last = first
                last.type(step.text)
                last.finish()
            elif step.kind == "text":
                last.show(step.text)
            else:
                browsed += 1
                browse(browsed)
            yield step, time.monotonic() - began


def browse(number: int) -> None:
    """Do what the text has its reader do in the browser at its `number`th place for that, from 1."""
    subprocess.run(["make", "--silent", "site/e2e/node_modules/.installed"], cwd=ROOT, check=True)
    playwright = ["npx", "playwright", "test", "--project=tutorial", f"--grep={number}:"]
    done = subprocess.run(playwright, cwd=ROOT / "site" / "e2e", capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(done.stdout + done.stderr)


def main(arguments: list[str]) -> int:
    """Follow the tutorial in an empty FOLDER, or in one that goes afterwards; 0 when all is as told."""
    plan = steps(TUTORIAL.read_text(encoding="utf-8"))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tutorial-") as temporary:
        try:
            for step, seconds in follow(plan, Path(arguments[0] if arguments else temporary)):
                print(f"{seconds:6.1f} s  line {step.line}, {step.kind}", file=sys.stderr)
        except Failed as failed:
            print(f"the step after the last one is not as told: {failed}", file=sys.stderr)
            return 1
    print(f"{len(plan)} steps as told, in {(time.monotonic() - began) / 60:.1f} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
