"""Parts of a result that a run keeps."""

from __future__ import annotations

from dataclasses import replace

from bookbound.local import evaluating
from bookbound.model import Finding
from testing.builders import candidate, passage
from testing.fakes import FakeAnswers
from tests.api.samples import ANSWERED, result_of
from tests.evaluation.runs import to_answer, to_refuse

FINDING = Finding("G1 retrieved", "highest similarity", 0.9, 0.5, True)


class FreshPassages(FakeAnswers):
    """Answers that build new passages for every question, as a store does."""

    async def __call__(self, question, book_id, deadline):
        result = await super().__call__(question, book_id, deadline)
        return replace(result, candidates=(candidate(passage("The battery lasts.")),), findings=(FINDING,))


async def test_a_run_keeps_findings_and_candidates_and_each_passage_once():
    """They explain the outcome, and a long evaluation still fits into memory."""
    questions = [to_answer(), to_refuse()]
    first, second = await evaluating.run_all(FreshPassages(result_of(ANSWERED)), questions, lambda *_: None)
    assert first.findings == (FINDING,)
    assert first.candidates == second.candidates
    assert first.candidates[0].passage is second.candidates[0].passage
