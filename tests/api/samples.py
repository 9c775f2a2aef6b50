"""Results as the core would give them."""

from __future__ import annotations

from uuid import UUID

from bookbound.model import (
    Answered,
    AnswerSentence,
    BookRef,
    Citation,
    ConfidenceLevel,
    Image,
    Latency,
    Outcome,
    Passage,
    PassageKind,
    Question,
    RefusalReason,
    Refused,
    Result,
    Section,
    Source,
    Unit,
    UnitKind,
)

ANSWER_ID = UUID("0b0c5d0e-5a3f-4a55-9a0a-0d3c1c6a7f10")
SESSION_ID = UUID("7f9a1d52-90b5-4f6e-8d6c-2b1f0e3d4c12")
SECTION = Section("What Is a Node?", ("Nodes and Topics", "What Is a Node?"), "what-is-a-node")
DIAGRAM = Image("/img/nodes.svg", "Three nodes and a topic")

PASSAGE = Passage(
    chunk_id=UUID("c1d2e3f4-0a1b-5c2d-8e3f-4a5b6c7d8e13"),
    document_id=UUID("aaaaaaaa-0a1b-5c2d-8e3f-4a5b6c7d8e13"),
    document="ros2/nodes.md",
    title="Nodes and Topics",
    page=4,
    end_page=4,
    url="/docs/ros2/nodes",
    kind=PassageKind.PROSE,
    text="A node is a process that does one job.",
    sections=(SECTION,),
    units=(Unit(0, 38, UnitKind.SENTENCE, 0, 1, 0),),
    chunk_index=0,
    revision="r1",
)
SOURCE = Source(
    "S1", PASSAGE, 0.91, 0.93, SECTION, PASSAGE.text, "/docs/ros2/nodes#what-is-a-node", (DIAGRAM,)
)
CITATION = Citation("S1", SECTION.title, 4, PASSAGE.text, SOURCE.url)

ANSWERED = Answered(
    sentences=(
        AnswerSentence("A node does one job.", (CITATION,), (DIAGRAM,)),
        AnswerSentence("It is a process.", (CITATION,)),
    ),
    sources=(SOURCE,),
    confidence=0.91,
    confidence_level=ConfidenceLevel.HIGH,
    low_confidence=False,
    attribution_coverage=1.0,
    notice="Only one passage supports this.",
    unavailable=("the price of a node",),
)


def refused(reason: RefusalReason) -> Refused:
    """A refusal for that reason."""
    return Refused(reason, "The book does not say.", notice="A notice.", attribution_coverage=0.5)


def result_of(outcome: Outcome) -> Result:
    """A result with that outcome."""
    return Result(
        answer_id=ANSWER_ID,
        question=Question("What is a node?", UUID(int=1), SESSION_ID),
        book=BookRef("robotics", "v1"),
        outcome=outcome,
        latency=Latency(412.0, 96.0, 281.0, 22.0),
    )
