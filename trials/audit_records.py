"""Audit records and feedback as a year of a busy book leaves them: seeded, plausible, some duplicated.

`python -m trials.audit_records FOLDER [--records N] [--seed S]` writes them as the local audit folder has
them. Each is checked against the type that describes a record; none is of a person.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from bookbound.audit.record_builder import SCHEMA_VERSION, timestamp
from bookbound.audit.record_schema import audit_record_json

RECORDS = 100_000
DAYS = 365
TWICE = 0.02
"""Share of lines that are written a second time."""
JUDGED = 0.08
"""The share of answers that get a verdict."""
FIRST_DAY = datetime(2025, 7, 1, tzinfo=UTC)

MODEL = "claude-haiku-5-5"
VERSION = "4f1c09d2a7be"

THINGS = (
    "lidar", "head camera", "depth camera", "emergency stop", "battery", "gripper", "knee driver",
    "walking gait", "navigation stack", "costmap", "behaviour tree", "speech recogniser",
    "microphone array", "simulator", "digital twin", "launch file", "parameter server", "node",
    "topic", "service", "action server", "TF tree", "URDF model", "joint controller",
    "force sensor", "IMU", "power board", "charging dock", "safety rules", "balance controller",
    "footstep planner", "vision model", "grasp planner", "dataset", "training script",
)  # fmt: skip
IN_THE_BOOK = (
    "What is the {}?", "How does the {} work?", "How do I start the {}?", "What is the {} for?",
    "Where is the {} described?", "Which settings has the {}?", "How do I test the {}?",
    "What can go wrong with the {}?",
)  # fmt: skip
NOT_IN_IT = (
    "How much does the {} cost?", "what does a {} cost", "Where can I buy the {}?", "Who makes the {}?",
    "Can I use the {} under Windows?", "does the {} run on windows 11", "Is there a video about the {}?",
    "How do I repair a broken {}?", "my {} is broken, how can I fix it", "How many watts does the {} draw?",
    "Who invented the {}?", "When was the {} invented?", "Is the {} waterproof?", "How heavy is the {}?",
)  # fmt: skip
ASIDES = (
    "",
    "",
    "",
    "",
    " please",
    " Thanks!",
    " in short",
    " for beginners",
    " on Wren",
    " exactly",
    " in chapter 3",
)
ELSEWHERE = ("How do I train a custom LLM?", "How is a PID controller tuned?", "How do I do this in ROS 1?")
_PROSE = """the robot reads its sensors at a fixed rate and writes what it finds to a topic that other nodes
follow so that planning walking and grasping work with the same picture of the world even when one is late"""
WORDS = tuple(_PROSE.split())

Line = dict[str, Any]


def records(count: int = RECORDS, seed: int = 7) -> Iterator[Line]:
    """`count` records, rising in time, over DAYS days; fewer are asked at night and at weekends."""
    draw = random.Random(seed)
    passages = [_passage(draw, number) for number in range(300)]
    moments = sorted(_moment(draw) for _ in range(count))
    sessions = [_id(draw) for _ in range(max(1, count // 4))]
    for moment in moments:
        yield _record(draw, moment, draw.choice(sessions), passages)


def verdicts(draw: random.Random, record: Line) -> Iterator[Line]:
    """At most one verdict on an answer: correct as often as its confidence promises, or nearly."""
    if not record["success"] or draw.random() > JUDGED:
        return
    sure = 0.3 if record["was_refusal"] else record["confidence_score"]
    yield {
        "schema_version": 1,
        "feedback_id": _id(draw),
        "timestamp": record["timestamp"],
        "verdict": "correct" if draw.random() < min(0.97, sure + 0.12) else "incorrect",
        "comment": draw.choice((None, None, "That is another sensor.", "Chapter 3 says it differently.")),
        "answer_id": record["answer_id"],
    }


def write(folder: Path, count: int = RECORDS, seed: int = 7) -> None:
    """Write one file of records and one of feedback per day, laid out as the audit folder is."""
    draw = random.Random(seed + 1)
    days: dict[str, tuple[list[str], list[str]]] = {}
    for record in records(count, seed):
        kept, said = days.setdefault(record["timestamp"][:10], ([], []))
        line = json.dumps(record) + "\n"
        kept += [line, line] if draw.random() < TWICE else [line]
        said += [json.dumps(one) + "\n" for one in verdicts(draw, record)]
        if len(days) > 1 and len(kept) == 1:
            _flush(folder, days, but=record["timestamp"][:10])
    _flush(folder, days, but="")


def _flush(folder: Path, days: dict[str, tuple[list[str], list[str]]], but: str) -> None:
    for day in [day for day in days if day != but]:
        year, month, number = day.split("-")
        place = Path(f"year={year}", f"month={month}", f"day={number}", "generated.jsonl")
        for kind, lines in zip(("records/personal=true", "feedback"), days.pop(day), strict=True):
            path = folder / kind / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(lines), encoding="utf-8")


def _moment(draw: random.Random) -> datetime:
    while True:
        moment = FIRST_DAY + timedelta(seconds=draw.random() * DAYS * 86_400)
        if draw.random() < (0.35 if moment.weekday() > 4 else 1.0) * (0.15 if moment.hour < 6 else 1.0):
            return moment


def _id(draw: random.Random) -> str:
    return str(UUID(int=draw.getrandbits(128), version=4))


def _text(draw: random.Random, words: int) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(words)).capitalize() + "."


def _passage(draw: random.Random, number: int) -> Line:
    thing = THINGS[number % len(THINGS)]
    return {
        "chunk_id": _id(draw),
        "document": f"part-{number % 9}/{thing.replace(' ', '-')}.md",
        "section": thing.capitalize(),
        "page": 1 + number % 60,
        "text": " ".join(_text(draw, 18) for _ in range(16)),
    }


def _record(draw: random.Random, moment: datetime, session: str, passages: list[Line]) -> Line:
    kind = draw.choices(("answered", "left open", "out of scope", "failed"), (70, 20, 8, 2))[0]
    if kind == "out of scope":
        question = draw.choice(ELSEWHERE)
    else:
        asked = draw.choice(NOT_IN_IT if kind == "left open" else IN_THE_BOOK)
        question = asked.format(draw.choice(THINGS)) + draw.choice(ASIDES)
    return (
        _asked(draw, moment, session, question) | _found(draw, passages, kind) | _ended(draw, kind, question)
    )


def _asked(draw: random.Random, moment: datetime, session: str, question: str) -> Line:
    return {
        "schema_version": SCHEMA_VERSION,
        "log_id": _id(draw),
        "query_id": _id(draw),
        "session_id": session,
        "client_id": draw.choice(("site", "site", "campus")),
        "timestamp": timestamp(moment),
        "personal_data": True,
        "user_query_text": question,
        "selected_text": None,
        "source_mode": "full-book",
        "book_id": "generated",
        "book_version": VERSION,
        "retrieval_query": question,
    }


def _found(draw: random.Random, passages: list[Line], kind: str) -> Line:
    best = draw.uniform(0.72, 1.0) if kind == "answered" else draw.uniform(0.2, 0.69)
    scores = [round(best * 0.93**place, 4) for place in range(5)]
    chunks = [
        {"source_id": f"S{place + 1}" if kind == "answered" else None, **draw.choice(passages)}
        | dict.fromkeys(("score", "similarity", "lexical", "cosine"), score)
        for place, score in enumerate(scores)
    ]
    return {
        "chunks_retrieved_count": sum(score >= 0.5 for score in scores),
        "chunks_returned": chunks,
        "top_chunk_scores": scores,
        "avg_similarity": sum(scores) / len(scores),
        "max_score": best,
        "findings": [{"gate": "G2 similar", "figure": "highest similarity", "value": best, "threshold": 0.7,
                      "passed": best >= 0.7}],
        "attempts": [],
        "ladder_exhausted": kind == "left open",
        "retrieval_latency_ms": round(draw.gammavariate(6, 45)),
        "draft_attributions": [],
        "dropped": [],
        "notice": None,
        "unavailable": [],
        "citations": [],
    }  # fmt: skip


def _ended(draw: random.Random, kind: str, question: str) -> Line:
    if kind == "answered":
        return _answered(draw, question)
    open_reasons = ("insufficient_context", "insufficient_context", "empty_retrieval")
    reason = {"left open": draw.choice(open_reasons), "out of scope": "out_of_scope"}.get(kind)
    fault = draw.choice(("DeadlineExceeded: Query processing timed out.", "Unavailable: the model is down"))
    took = round(draw.gammavariate(6, 50))
    return {
        "answer_id": _id(draw) if reason else None,
        "answer_text": "The book does not cover this." if reason else None,
        "success": reason is not None,
        "error_message": None if reason else fault,
        "was_refusal": reason is not None,
        "refusal_reason": reason,
        "confidence_score": None,
        "confidence_level": None,
        "attribution_coverage": None,
        "llm_prompt": None,
        "llm_response": None,
        "prompt_version": None,
        "generator": None,
        "model": None,
        "tokens": None,
        "generator_calls": 0,
        "latency_ms": took,
        "generation_latency_ms": 0,
        "verification_latency_ms": 0,
    }


def _answered(draw: random.Random, question: str) -> Line:
    sure = round(min(0.99, max(0.4, draw.gauss(0.8, 0.1))), 4)
    coverage = draw.choice((1.0, 1.0, 1.0, 1.0, 0.95, 0.92, 0.9))
    generation = round(draw.gammavariate(7, 180))
    written = _text(draw, 60)
    return {
        "answer_id": _id(draw),
        "answer_text": written,
        "success": True,
        "error_message": None,
        "was_refusal": False,
        "refusal_reason": None,
        "confidence_score": sure,
        "confidence_level": "high" if sure > 0.85 else "medium" if sure >= 0.7 else "low",
        "attribution_coverage": coverage,
        "draft_attributions": [coverage],
        "llm_prompt": f"{_text(draw, 900)}\n{question}",
        "llm_response": written,
        "prompt_version": "1",
        "generator": "claude",
        "model": MODEL,
        "tokens": {"input_tokens": draw.randint(1500, 3200), "output_tokens": draw.randint(60, 420)},
        "generator_calls": 1,
        "generation_latency_ms": generation,
        "verification_latency_ms": draw.randint(8, 60),
        "latency_ms": generation + round(draw.gammavariate(6, 50)),
    }


def main() -> None:
    """Write them, after a look at the first hundred: each is a record."""
    parser = argparse.ArgumentParser(prog="python -m trials.audit_records", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()
    for record in records(100, chosen.seed):
        audit_record_json().validate_json(json.dumps(record))
    write(chosen.folder, chosen.records, chosen.seed)


if __name__ == "__main__":
    main()
