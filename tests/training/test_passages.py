"""Passages by authors: what is taken, and how pairs and twins about them find their text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from training import lines, passages
from training.lines import Line
from training.passages import passage
from training.reader import claims

TEXT = "A price floor is a legal minimum, and it binds only above the price at which a market clears. " * 6


def test_a_passage_is_known_by_its_text() -> None:
    """The same text, laid out otherwise, is the same passage."""
    draft = {"title": "Markets: price floors", "text": TEXT}
    made = passage(draft)
    assert made["passage"] == TEXT.strip()
    assert passage(draft | {"text": TEXT.replace(" ", "\n")}) == made


@pytest.mark.parametrize("changed", [{"text": "Too short."}, {"title": " "}, {"text": TEXT * 3}])
def test_a_passage_that_is_wrong_is_refused(changed: Line) -> None:
    """It has 80 to 220 words, and a title."""
    with pytest.raises(ValueError, match="passage has"):
        passage({"title": "Markets", "text": TEXT} | changed)


def test_passages_are_laid_out_for_pairs_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Authors of pairs get them as they get public ones, and what a pair names is found in the set."""
    monkeypatch.chdir(tmp_path)
    for folder in ("training", "by-authors"):
        (tmp_path / folder).mkdir()
    lines.PASSAGES.touch()
    Path("by-authors/1.jsonl").write_text(json.dumps({"title": "Markets", "text": TEXT}), "utf-8")
    app = typer.Typer()
    app.command()(passages.main)
    assert CliRunner().invoke(app, ["by-authors", "laid"]).exit_code == 0
    [one] = json.loads(Path("laid/01.json").read_text("utf-8"))
    assert one["text"] in Path("laid/01.txt").read_text("utf-8")
    assert claims.passages_of(tmp_path, [one]) == {(lines.OWN, one["row"]): one["text"]}


def test_what_is_stored_is_whole() -> None:
    """Every pair and every pair of twins about a passage of our own finds it."""
    known = {line["id"] for line in lines.stored(lines.PASSAGES)}
    about = [
        line["row"]
        for file in (lines.PASSAGE_PAIRS, lines.TWINS)
        for line in lines.stored(file)
        if line.get("file") == lines.OWN
    ]
    assert {*about} <= known
    assert about
