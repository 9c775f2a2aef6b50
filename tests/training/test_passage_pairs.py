"""Pairs of claims about public passages: how passages are cut, and what is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from training import drafts, lines
from training.lines import Line
from training.passage_pairs import NEAR_WHAT_JUDGES, SOURCES, app, pair

TEXT = "The council of the town asked the bishop to leave, and the bishop sent the council a letter. " * 6


def passage(title: str = "Ghent", row: str = "r1", text: str = TEXT) -> Line:
    """A row of a public file, as passages are cut."""
    return {"file": "qed", "row": row, "title": title, "text": text}


def drafted(**changed: str) -> Line:
    """A pair as an author writes it."""
    draft = {
        "kind": "roles",
        "true": "It was the bishop from whom the council of the town got a letter.",
        "false": "It was the council of the town from whom the bishop got a letter.",
    }
    return draft | changed


@pytest.fixture
def reading(tmp_path: Path) -> Path:
    """A folder with public files of one passage each that can be drawn, and two that cannot."""
    titles = ("Ghent", NEAR_WHAT_JUDGES[0], "Verona")
    for name in SOURCES:
        rows = [
            {"id": f"{name}-{at}", "split": "train", "title": title, "passage": f"{name} {at}. {TEXT}"}
            for at, title in enumerate(titles)
        ]
        rows[-1]["passage"] = "Too short."
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return tmp_path


def test_passages_are_cut_but_for_what_judges(reading: Path, tmp_path: Path) -> None:
    """Titles on the matter of a book that judges are left out, and so is what is too short."""
    found = CliRunner().invoke(app, ["cut", str(reading), str(tmp_path / "drafts"), "--count", "100"])
    assert found.exit_code == 0
    cut = json.loads((tmp_path / "drafts" / "01.json").read_text("utf-8"))
    assert {(one["file"], one["title"]) for one in cut} == {(name, "Ghent") for name in SOURCES}
    assert (tmp_path / "drafts" / "01.txt").read_text("utf-8").count("===") == len(cut)


def test_a_pair_names_its_row_and_has_no_text_of_it() -> None:
    """The passage stays in the public file."""
    made = pair(drafted(), passage())
    assert (made["file"], made["row"]) == ("qed", "r1")
    assert set(made) == {"id", "split", "true", "false", "kind", "file", "row"}


def test_all_pairs_of_a_title_are_for_the_same() -> None:
    """What measures is about other titles than what teaches; one without a title teaches."""
    for title in ("Ghent", "Verona", "Bristol"):
        splits = {pair(drafted(), passage(title, row))["split"] for row in ("r1", "r2", "r3")}
        assert len(splits) == 1
    assert pair(drafted(), passage(""))["split"] == "train"


def test_what_is_no_pair_is_refused() -> None:
    """An author's line is held to the same rules as one about a book."""
    with pytest.raises(ValueError, match="no kind of claim"):
        pair(drafted(kind="mood"), passage())


def test_what_is_stored_is_whole() -> None:
    """Ids are unique, kinds are known, and a row teaches or measures."""
    splits = {split: lines.passage_pairs(split) for split in ("train", "dev")}
    every = splits["train"] + splits["dev"]
    assert len({line["id"] for line in every}) == len(every) > 1_000
    assert all(line["kind"] in drafts.FALSE_CLAIMS and line["true"] != line["false"] for line in every)
    rows = [{(line["file"], line["row"]) for line in some} for some in splits.values()]
    assert rows[0]
    assert rows[1]
    assert not rows[0] & rows[1]
