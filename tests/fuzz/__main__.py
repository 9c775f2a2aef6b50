"""`python -m tests.fuzz [TARGET …] --seconds 600`: exit 1 when something broke its law."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]
GRACE_SECONDS = 120
"""For the input that is being looked at when the time is up."""
_EXECUTED = re.compile(r"number_of_executed_units: (\d+)")
_COVERED = re.compile(r"\bcov: (\d+)")


def main(arguments: list[str] | None = None) -> int:
    given = _arguments(arguments)
    return int(sum([_run(name, given) for name in given.targets or TARGETS]) > 0)


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Fuzz what takes strangers' bytes."
    )
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; none: all of them"
    )
    parser.add_argument("--seconds", type=int, default=600, help="for each target (%(default)s)")
    parser.add_argument("--out", type=Path, default=ROOT / "build/fuzz", help="inputs, logs and findings")
    parser.add_argument("--strings", type=Path, help="a JSON list of strings to start from as well")
    given = parser.parse_args(arguments)
    if unknown := set(given.targets) - set(TARGETS):
        parser.error(f"there is no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    return given


def _run(name: str, given: argparse.Namespace) -> int:
    """Fuzz a target and return the number of findings."""
    folder = given.out.resolve() / name
    shutil.rmtree(folder / "findings", ignore_errors=True)
    (folder / "findings").mkdir(parents=True)
    command = [sys.executable, "-m", "tests.fuzz.process", name, str(folder), str(given.seconds)]
    command += [str(given.strings.resolve())] if given.strings else []
    started = time.monotonic()
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log) as run,
    ):
        try:
            code = run.wait(given.seconds + GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            run.kill()
            code = run.wait()
    return _told(name, folder, code, time.monotonic() - started)


def _told(name: str, folder: Path, code: int, seconds: float) -> int:
    log = (folder / "log").read_text(errors="replace")
    findings = [json.loads(line) for line in _lines(folder / "findings" / "list.jsonl")]
    # Of its own accord the process ends well: else an input took it down, or it did not even start.
    ended = [path.name for path in (folder / "findings").glob("*-*")]
    executed, covered = _last(_EXECUTED, log), _last(_COVERED, log)
    print(
        f"{name}: {executed:,} executions in {seconds:.0f} s, {covered:,} branches reached, "
        f"{len(findings) + bool(code)} findings",
        flush=True,
    )
    for found in findings:
        print(f"  {folder}/findings/{found['file']}: {found['what']} ({found['where']})")
    if code:
        print(f"  the process ended with {code}: {', '.join(ended) or 'see the log'} in {folder}/findings")
    return len(findings) + bool(code)


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _last(pattern: re.Pattern[str], log: str) -> int:
    return int((pattern.findall(log) or ["0"])[-1])


if __name__ == "__main__":
    sys.exit(main())
