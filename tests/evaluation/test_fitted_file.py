"""Files of fitted numbers keep their provenance, and are not lost to a smaller fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bookbound.evaluation import fitted_file
from bookbound.evaluation.records import InputError


def fitted(*counts: int) -> dict[str, object]:
    return {"knots": [0, 1], "fitted_on": [{"name": "questions.jsonl", "count": count} for count in counts]}


def test_a_fit_on_less_data_does_not_overwrite_one_on_more(tmp_path: Path) -> None:
    """It says how many examples each has, and what to do; --on-less insists."""
    path = tmp_path / "maps" / "minilm.json"
    fitted_file.keep(path, fitted(198, 190), on_less=False)
    with pytest.raises(InputError, match=r"388 examples, this fit has 198.*--on-less"):
        fitted_file.keep(path, fitted(198), on_less=False)
    assert json.loads(path.read_text()) == fitted(198, 190)
    fitted_file.keep(path, fitted(198), on_less=True)
    assert json.loads(path.read_text()) == fitted(198)


def test_a_fit_on_as_much_or_more_takes_over(tmp_path: Path) -> None:
    """Without being asked."""
    path = tmp_path / "minilm.json"
    for counts in ((198,), (198,), (198, 190)):
        fitted_file.keep(path, fitted(*counts), on_less=False)
    assert json.loads(path.read_text()) == fitted(198, 190)


def test_the_command_on_record_is_the_whole_command() -> None:
    """With every argument, and no folder of the machine that ran it."""
    arguments = ["--docs", "/home/me/book/docs", "--inventions", "a/b.jsonl=D:sample book", "--folds", "5"]
    assert fitted_file.command("evaluation.fit_support", arguments) == (
        "python -m evaluation.fit_support --docs docs --inventions 'b.jsonl=D:sample book' --folds 5"
    )
