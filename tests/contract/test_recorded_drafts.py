"""Drafts of a language model, replayed whatever ids a prompt gives their passages."""

from __future__ import annotations

from bookbound.answer.prompt import prompt
from bookbound.generator_input import GeneratorInput
from testing.builders import evidence, inquiry, passage
from testing.vendors.models import REFUSAL
from trials.recorded_drafts.recording import Recording, Replayed, Replaying, digest

QUESTION = "How long does the battery last?"
PACK = passage("The battery lasts for 90 minutes.")
ARM = passage("The arm has six joints.", document="body/arm.md")
RECORDING = Recording(
    id="a",
    question=QUESTION,
    passages={"S3": digest(PACK.text)},
    first="It runs for 90 minutes. [S3]\nConfidence: 0.9",
    strict="The battery lasts 90 minutes. [S3]\nConfidence: 0.9",
    altered="It runs for 80 minutes. [S3]\nConfidence: 0.9",
    altered_sentence="It runs for 80 minutes.",
    kind="number",
)


def replayed(which: Replayed, brief: GeneratorInput) -> tuple[str, set[str]]:
    model = Replaying({QUESTION: RECORDING}, which)
    told = prompt(brief)
    return model(told.system, told.question), model.lacking


def brief(*passages) -> GeneratorInput:
    return GeneratorInput(QUESTION, (inquiry(QUESTION),), evidence(*passages), "Robots")


def test_a_draft_cites_its_passage_by_the_id_that_the_prompt_gives_it() -> None:
    """True or altered; under the stricter prompt the second draft, whichever was first."""
    both = brief(ARM, PACK)
    assert replayed(Replayed.TRUE, both)[0] == RECORDING.first.replace("S3", "S2")
    assert replayed(Replayed.ALTERED, both)[0] == RECORDING.altered.replace("S3", "S2")
    assert replayed(Replayed.ALTERED, both.stricter())[0] == RECORDING.strict.replace("S3", "S2")


def test_a_draft_whose_passage_is_not_in_the_prompt_declines_and_is_counted() -> None:
    """It cannot be judged by what it was written from."""
    assert replayed(Replayed.TRUE, brief(ARM)) == (REFUSAL, {"a"})


def test_a_part_of_a_question_has_no_draft() -> None:
    """Where the gates refuse the rest of it, nothing was written for what is left."""
    asked = "How long does it last?"
    part = GeneratorInput(asked, (inquiry(asked),), evidence(PACK), "Robots")
    assert replayed(Replayed.TRUE, part) == (REFUSAL, {asked})
