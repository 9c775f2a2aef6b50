from dataclasses import replace
from uuid import UUID

import pytest

from bookbound.errors import InvalidRequest
from bookbound.model import Candidate, Exhibit, Finding
from local import asking, output
from tests.api.samples import ANSWERED, PASSAGE, result_of
from tests.fakes import FakeAnswers

CANDIDATE = Candidate(PASSAGE, 0, 38, cosine=0.51, similarity=0.93, lexical=0.8, score=0.91)
OTHER = replace(CANDIDATE, passage=replace(PASSAGE, chunk_id=UUID(int=7), text="word " * 60), end=300)
EXPLAINED = replace(
    result_of(ANSWERED),
    candidates=(CANDIDATE, OTHER),
    evidence=(Exhibit("S1", CANDIDATE),),
    findings=(Finding("G2", "highest similarity", 0.93, 0.7, True),),
)


async def test_a_question_is_asked_of_the_default_book_in_a_session_of_its_own():
    """Nothing links two questions from the command line."""
    answers = FakeAnswers(result_of(ANSWERED))
    first = await asking.ask(answers, " What is a node? ", "A node.")
    second = await asking.ask(answers, "What is a node?")
    assert (first.question.text, first.question.selected_text) == ("What is a node?", "A node.")
    assert first.question.session_id != second.question.session_id
    assert answers.asked[0][1] is None


@pytest.mark.rule("V1")
async def test_a_blank_question_is_not_asked():
    """The limits are those of the API."""
    answers = FakeAnswers(result_of(ANSWERED))
    with pytest.raises(InvalidRequest, match="1 to 1000"):
        await asking.ask(answers, "  ")
    assert answers.asked == []


def test_an_explanation_adds_what_the_gates_and_retrieval_saw():
    """The chat response stays as the API gives it."""
    explained = asking.explained(EXPLAINED)
    assert asking.response(EXPLAINED).items() <= explained.items()
    assert explained["findings"] == [
        {"gate": "G2", "figure": "highest similarity", "value": 0.93, "threshold": 0.7, "passed": True}
    ]
    assert [(row["source"], row["similarity"]) for row in explained["candidates"]] == [
        ("S1", 0.93),
        (None, 0.93),
    ]
    assert len(explained["candidates"][1]["text"]) == 80


def test_an_explanation_can_be_read_as_tables(capsys):
    """Text first, then a line a gate and a line a candidate."""
    output.result(EXPLAINED, explain=True, as_json=False)
    printed = capsys.readouterr().out
    assert printed.startswith("Answer:\n")
    assert "highest similarity  0.93   0.7        yes" in printed
    assert "A node is a process that does one job." in printed.split("Best candidates")[1]
