"""`python -m bookbound.api.openapi` writes the committed openapi.json; `--check` says whether it drifted."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import NoReturn
from uuid import UUID

from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.deadline import Deadline
from bookbound.model import Question

COMMITTED = Path(__file__).with_name("openapi.json")


def document() -> str:
    """The OpenAPI document as it is committed: the routes are described, never called."""
    app = create_app(ApiDeps(answer=_nobody_answers, ready=_nobody_is_ready, feedback=_NoFeedback()))
    return json.dumps(app.openapi(), indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str] | None = None, committed: Path = COMMITTED) -> int:
    """0 when written or equal, 1 when the committed file differs."""
    parser = argparse.ArgumentParser(prog="python -m bookbound.api.openapi", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    if not parser.parse_args(arguments).check:
        committed.write_text(document(), encoding="utf-8")
        return 0
    if committed.is_file() and committed.read_text(encoding="utf-8") == document():
        return 0
    print("openapi.json differs from the code; run: python -m bookbound.api.openapi", file=sys.stderr)
    return 1


async def _nobody_answers(question: Question, book_id: str | None, deadline: Deadline) -> NoReturn:
    raise NotImplementedError


async def _nobody_is_ready() -> bool:
    return False


class _NoFeedback:
    async def put(self, answer_id: UUID, verdict: str, comment: str | None) -> None:
        raise NotImplementedError


if __name__ == "__main__":
    sys.exit(main())
