"""Explains an outcome: how the question was read, what was tried for it, and which figures decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bookbound.evidence.answered_in import is_in
from bookbound.evidence.gates import STATED
from bookbound.evidence.sufficiency import Line, SufficiencyModel
from bookbound.local import asking
from bookbound.model import Attempt, Finding, Reading, Result
from bookbound.question.inquiry import Stems
from bookbound.question.question_plan import Part
from bookbound.text.terms import stem, tokens

Row = Mapping[str, Any]

PART, FEATURE, SUFFICIENT = "R9 part", "G9 feature", "G9 answers"
"""The findings that begin a part of the question, that make up its sufficiency, and that judge it."""

BEST = "answers"
"""The feature that is the logit of the best excerpt."""

_PROBABILITY = Line(1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Explained:
    """A result with what it takes to explain it.

    Attributes:
        parts: the question as the book's vocabulary reads it, the same that was searched for.
        model: what judged the sufficiency; its weights tell what made the score.
    """

    result: Result
    parts: tuple[Part, ...]
    model: SufficiencyModel

    def attempts(self, part: Part) -> list[Attempt]:
        """The rungs that were tried for a part, in order; none for a task (G14)."""
        return [attempt for attempt in self.result.attempts if attempt.part == part.text]

    def findings(self) -> list[list[Finding]]:
        """Return what the gates saw at the rung that decided, a list per part."""
        found: list[list[Finding]] = [[]]
        for finding in self.result.findings:
            if finding.gate == PART and found[-1]:
                found.append([])
            found[-1].append(finding)
        return found

    def best(self, part: Part, found: Sequence[Finding]) -> Reading | None:
        """Return what the reader found best for a part at the rung that decided; None where nothing was read.

        Where a gate before the sufficiency barred the way, it is the best of all that was read for the part.
        """
        judged = next((one.value for one in found if (one.gate, one.figure) == (FEATURE, BEST)), None)
        stated = next((str(one.value) for one in found if one.gate == STATED), None)
        read = (
            one
            for candidate in self.result.candidates
            for one in candidate.readings
            if one.question == part.inquiry.text and judged in (None, one.answers)
            if stated is None or is_in(one.excerpt, stated)
        )
        return max(read, key=lambda one: one.answers, default=None)

    def part_of_score(self, finding: Finding) -> float | None:
        """Return a feature's share of the sufficiency's logit: weight × value; None for all else (G9)."""
        if finding.gate != FEATURE or not isinstance(finding.value, float):
            return None
        return self.model.weights[finding.figure] * finding.value


def reading(part: Part) -> Row:
    """Return how a part was understood, and the wordings that were searched for (R4, R9)."""
    query, inquiry = part.query, part.inquiry
    return {
        "part": part.text,
        "task": part.task,
        "kind": inquiry.kind.value,
        "names": [_spelled(name, inquiry.text) for name in inquiry.names],
        "corrections": [list(pair) for pair in query.corrections],
        "equivalents": [list(pair) for pair in query.equivalents],
        "wordings": list(query.texts),
    }


def best_read(explained: Explained, part: Part, found: Sequence[Finding]) -> Row | None:
    """Return the best excerpt of a part: its place, its text, and the unit that the reader points at.

    Probabilities in [0, 1]: `similarity` that it is on the question, `pointed` that the unit belongs to the
    answer, `sufficiency` that the evidence answers, beside the `threshold` that is asked of it; these two are
    None where a gate before barred the way.
    """
    best = explained.best(part, found)
    if best is None:
        return None
    at, passage = best.pointed, best.excerpt.passage
    unit = best.excerpt.units[at]
    verdict = next((one for one in found if one.gate == SUFFICIENT), None)
    return {
        "document": passage.document,
        "section": passage.sections[passage.units[unit].section].title,
        "text": " ".join(best.excerpt.texts),
        "points_at": best.excerpt.texts[at],
        "similarity": explained.model.similarity(best.answers),
        "pointed": _PROBABILITY(best.units[at]),
        "sufficiency": verdict and verdict.value,
        "threshold": verdict and verdict.threshold,
    }


def as_json(explained: Explained) -> dict[str, Any]:
    """Return the chat response together with all that explains it."""
    result, model = explained.result, explained.model
    return asking.response(result) | {
        "parts": [reading(part) for part in explained.parts],
        "read": [
            best_read(explained, part, found)
            for part, found in zip(explained.parts, explained.findings(), strict=True)
        ],
        "attempts": [asdict(attempt) for attempt in result.attempts],
        "findings": [_weighed(explained, finding) for finding in result.findings],
        "sufficiency": {"weights": model.weights, "intercept": model.intercept},
        "candidates": asking.candidates(result),
        "generator": result.generator,
        "generator_calls": result.generator_calls,
        "model": result.draft and result.draft.model,
        "draft_attributions": list(result.draft_attributions),
        "dropped": [asdict(one) for one in result.dropped],
    }


def _weighed(explained: Explained, finding: Finding) -> Row:
    return asdict(finding) | {"part_of_score": explained.part_of_score(finding)}


def _spelled(stems: Stems, text: str) -> str:
    """Stems as the words of the text that they come from."""
    words = {stem(word): word for word in tokens(text)}
    return " ".join(words.get(each, each) for each in stems)
