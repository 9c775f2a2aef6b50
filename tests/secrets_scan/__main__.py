"""`python -m tests.secrets_scan`: looks for secrets in the repository, in templates and in what a run writes.

Prints what was looked through and what was found, never a secret; exits 1 where anything was.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from layers.deps.tools import ROOT
from tests.secrets_scan.at_work import run
from tests.secrets_scan.places import Texts, history, templates, working_tree
from tests.secrets_scan.shapes import findings
from tests.secrets_scan.traces import traces


def main() -> int:
    """0 when nothing was found."""
    found = [
        *_shapes("repository", working_tree(ROOT)),
        *_shapes("history", history(ROOT)),
        *_shapes("templates", templates()),
        *_run(),
    ]
    print(*found, f"{len(found)} found", sep="\n")
    return 1 if found else 0


def _shapes(name: str, texts: Texts) -> list[str]:
    looked = [(place, list(findings(text))) for place, text in texts]
    print(f"{name}: {len(looked)} files")
    return [f"{place}:{one.line}: {one.kind}, {one.beginning}" for place, each in looked for one in each]


def _run() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        seen = run(Path(folder), short=False)
    size = sum(map(len, seen.written.values())) / 1_000_000
    print(
        f"run: {len(seen.statuses)} calls, by status {dict(sorted(Counter(seen.statuses.values()).items()))}"
    )
    print(f"     {len(seen.secrets)} secrets, {len(seen.written)} places, {size:.1f} MB")
    return traces(seen.written, seen.secrets)


if __name__ == "__main__":
    sys.exit(main())
