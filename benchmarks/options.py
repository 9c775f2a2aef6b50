"""The options that several parts of `make bench` share: which book is measured, and with which questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Docs = Annotated[Path, typer.Option(envvar="BENCH_DOCS", help="The book's docs folder.")]
Questions = Annotated[
    Path, typer.Option(envvar="BENCH_QUESTIONS", help="Its questions, a JSON object a line.")
]

DOCS = Path("sample_book/docs")
QUESTIONS = Path("sample_book/questions.jsonl")
