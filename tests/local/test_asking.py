from dataclasses import replace
from uuid import UUID

import pytest

from bookbound.errors import InvalidRequest
from bookbound.evidence.reading import excerpts
from bookbound.local import asking
from bookbound.model import Candidate, Exhibit, Reading
from testing.fakes import FakeAnswers
from tests.api.samples import ANSWERED, PASSAGE, result_of

[EXCERPT] = excerpts(PASSAGE, 0, 38)
CANDIDATE = Candidate(
    PASSAGE,
    0,
    38,
    cosine=0.51,
    similarity=0.93,
    lexical=0.8,
    score=0.91,
    readings=(Reading("What is a node?", EXCERPT, 2.5, (1.25,)),),
)
OTHER = replace(
    CANDIDATE, passage=replace(PASSAGE, chunk_id=UUID(int=7), text="word " * 60), end=300, readings=()
)


async def test_a_question_is_asked_of_the_default_book_in_a_session_of_its_own():
    """Two questions from the command line have no link."""
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


def test_a_candidate_is_told_by_its_place_its_figures_and_what_became_of_it():
    """The id is the one by which the generator cites it; a long text is cut, and not every one was read."""
    result = replace(result_of(ANSWERED), candidates=(CANDIDATE, OTHER), evidence=(Exhibit("S1", CANDIDATE),))
    first, second = asking.candidates(result)
    assert first == {
        "source": "S1",
        "document": "ros2/nodes.md",
        "page": 4,
        "score": 0.91,
        "similarity": 0.93,
        "lexical": 0.8,
        "cosine": 0.51,
        "read": 2.5,
        "text": "A node is a process that does one job.",
    }
    assert (second["source"], second["read"], len(second["text"])) == (None, None, 80)
