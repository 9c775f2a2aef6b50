"""What authors write becomes lines with pointers, and mistakes are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from training import drafts
from training.drafts import DraftError
from training.lines import readable_claim, readable_question
from training.take import taken

PAGE = (
    "# Cells\n\nEach of the ten cells in a pack holds 3.7 volts when it is fresh from the charger.\n"
    "A pack that was dropped is put into the sand box for a day. Nobody opens it meanwhile.\n"
)
BOOK = {"cells.md": PAGE}
FACT: dict[str, Any] = {
    "k": "fact",
    "q": "What voltage does a charged cell have?",
    "e": [["cells.md", "Each of the ten … charger."]],
    "p": ["3.7 V"],
}
NEAR_MISS: dict[str, Any] = {
    "k": "near_miss",
    "q": "What does a spare cell weigh?",
    "c": ["cell weight", "how heavy is a cell"],
    "w": "Voltage is given, weight is not.",
}


def test_a_question_keeps_pointers_and_no_text_of_the_book() -> None:
    """What `bookbound evaluate` reads is made from book and line together."""
    line = drafts.question(FACT, BOOK)
    assert "charger" not in json.dumps(line)
    assert readable_question(line, BOOK)["evidence"] == [{"file": "cells.md", "quote": PAGE.split("\n")[2]}]
    assert (line["expect"], line["refusal_reasons"]) == ("answer", [])


def test_a_near_miss_is_refused_and_says_how_it_was_checked() -> None:
    """Both reasons for a refusal are right."""
    line = drafts.question(NEAR_MISS, BOOK)
    assert line["expect"] == "refuse"
    assert line["refusal_reasons"] == ["empty_retrieval", "insufficient_context"]
    assert line["checked"]["searched"] == NEAR_MISS["c"]


@pytest.mark.parametrize(
    ("draft", "why"),
    [
        (FACT | {"k": "riddle"}, "no kind"),
        (FACT | {"e": []}, "needs evidence"),
        (FACT | {"p": []}, "answer points"),
        (FACT | {"e": [["cells.md"]]}, "not a pair"),
        (FACT | {"s": ["cells.md", "Nobody opens it"]}, "takes no selected text"),
        (FACT | {"q": "Does each of the ten cells in a pack hold it?"}, "words in a row"),
        (NEAR_MISS | {"c": ["one"]}, "two searched wordings"),
        (NEAR_MISS | {"e": FACT["e"]}, "takes no evidence"),
    ],
)
def test_a_wrong_draft_is_told(draft: dict[str, Any], why: str) -> None:
    """With what is wrong about it."""
    with pytest.raises(DraftError, match=why):
        drafts.question(draft, BOOK)


def test_the_label_of_a_claim_follows_from_its_kind() -> None:
    """True kinds are supported, the others are not; the id tells neither."""
    passage = ["cells.md", "A pack that … meanwhile."]
    claims = [
        ["Packs that fell lie in sand for one day and stay closed.", "merged"],
        ["Packs that fell lie in water for one day and stay closed.", "noun"],
    ]
    true, false = drafts.claims({"e": passage, "t": claims}, BOOK)
    assert (true["label"], false["label"]) == (True, False)
    assert readable_claim(true, BOOK)["evidence"] == [PAGE.split("\n")[3]]
    assert len({true["id"], false["id"]}) == 2


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("Too short.", "8 to 30 words"),
        ("A pack that was dropped is put into the sand box.", "words in a row"),
    ],
)
def test_a_claim_is_a_sentence_of_its_own(claim: str, why: str) -> None:
    """Neither a fragment nor the book's own words."""
    with pytest.raises(DraftError, match=why):
        list(drafts.claims({"e": ["cells.md", "A pack … meanwhile."], "t": [[claim, "noun"]]}, BOOK))


def test_every_wrong_line_is_named_with_its_place(tmp_path: Path) -> None:
    """And of the same question twice one is taken."""
    rows = [FACT, FACT, NEAR_MISS, FACT | {"k": "riddle"}]
    (tmp_path / "01.jsonl").write_text("\n".join(map(json.dumps, rows)))
    questions, claims, wrong = taken(tmp_path, BOOK)
    assert [line["kind"] for line in questions] == ["fact", "near_miss"]
    assert (claims, wrong) == ([], ["01.jsonl:4: no kind 'riddle'"])
