"""Fate of a small language model's sentences: how many are dropped, and why, with examples.

`python -m benchmarks.small_model` asks the ingested book its labelled questions through the whole path, with
a real model behind Ollama's wire format. Without --url it starts a server, see server.py (needs `uv`, some
ten minutes to compile and 250 MB). The model is slower than a reader would wait for, so every budget is
stretched; nothing else differs from `bookbound serve`.

It is a base model, which continues text and seldom cites. A sentence without a citation is dropped for that
reason alone; so that the verifier gets to see it too, each such sentence is also put to every passage that
the model was given, as if it had cited them.
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer
from rich.console import Console
from rich.table import Table

from bookbound import wiring
from bookbound.answer.drafting import read_draft
from bookbound.answering import answer
from bookbound.claims.support import judged
from bookbound.deadline import Deadline
from bookbound.errors import DeadlineExceeded, Unavailable
from bookbound.evaluation import questions
from bookbound.local.progress import steps
from bookbound.model import Question
from bookbound.settings import Settings

SERVER = Path(__file__).with_name("server.py")
PACE = 100
"""Times every budget: a question takes this model some 20 s on two cores."""

STARTS_WITHIN = 1800.0
EXAMPLES = 10

_COUNTED = {"name", "number", "quantifier", "unit"}
"""Reasons that go on with the word in question."""


@dataclass(slots=True)
class Records:
    """Fits ports.AuditSink: keeps the records of this run."""

    kept: list[Mapping[str, Any]]

    async def put(self, record: Mapping[str, Any]) -> None:
        """Keep a record."""
        self.kept.append(record)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a draft; `reason` why it fell, None when it stood."""

    question: str
    text: str
    reason: str | None


def as_cited(record: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield the sentences of a question's last draft, with the product's verdict on each."""
    fell = {dropped["text"]: dropped["reason"] for dropped in record["dropped"]}
    for sentence in read_draft(record["llm_response"]).sentences:
        yield Sentence(record["user_query_text"], sentence.text, fell.get(sentence.text))


def as_if_cited(record: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield the same sentences, each put to all passages that the model was given."""
    given = [chunk["text"] for chunk in record["chunks_returned"] if chunk["source_id"]]
    reader = wiring.build_reader()
    for sentence in read_draft(record["llm_response"]).sentences:
        found = asyncio.run(judged(sentence.text, given, reader))
        yield Sentence(record["user_query_text"], sentence.text, found.missing)


async def ask_all(settings: Settings, asked: Sequence[questions.Labelled]) -> list[Mapping[str, Any]]:
    """The audit records of the questions, in order; a fault has one as well."""
    records = Records([])
    with steps(Console(stderr=True)) as advance:
        async with wiring.local(settings) as app:
            deps = replace(app.deps, audit=records)
            for number, one in enumerate(asked, 1):
                question = Question(one.question, uuid4(), uuid4(), one.selected_text)
                try:
                    await answer(question, None, Deadline(pace=PACE), deps)
                except (Unavailable, DeadlineExceeded) as error:
                    Console(stderr=True).print(f"{one.id}: {error}")
                advance("questions", number, len(asked))
    return records.kept


def outcomes(records: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """Count the outcomes of the questions."""
    return Counter(_outcome(record) for record in records)


def _outcome(record: Mapping[str, Any]) -> str:
    if not record["success"]:
        return f"error: {str(record['error_message']).partition(':')[0]}"
    if not record["was_refusal"]:
        return "answered"
    return "refused by a gate" if not record["generator_calls"] else "refused after verification"


def kinds(sentences: Sequence[Sentence]) -> Counter[str]:
    """Sentences by what became of them, a reason without its particulars."""
    return Counter(_kind(one.reason) for one in sentences)


def _kind(reason: str | None) -> str:
    if reason is None:
        return "stands"
    first = reason.partition(" ")[0]
    return first if first in _COUNTED else reason.partition(":")[0]


@contextmanager
def served(url: str | None) -> Iterator[str]:
    """The URL of a model that answers; of our own server when none is given."""
    if url:
        yield url
        return
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(["uv", "run", "--script", str(SERVER), "--port", str(port)]) as process:
        try:
            yield _awaited(f"http://127.0.0.1:{port}", process)
        finally:
            process.terminate()


def _awaited(url: str, process: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/api/version"):
                return url
        except OSError:
            time.sleep(1)
    raise SystemExit("the model's server did not start")


def report(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures and the examples, JSON-ready."""
    drafted = [record for record in records if record["llm_response"]]
    cited = [one for record in drafted for one in as_cited(record)]
    put = [one for record in drafted for one in as_if_cited(record)]
    fell = [one for one in put if one.reason]
    return {
        "questions": len(records),
        "outcomes": dict(outcomes(records)),
        "drafts": sum(record["generator_calls"] for record in records),
        "sentences": len(cited),
        "as_cited": dict(kinds(cited).most_common()),
        "as_if_cited": dict(kinds(put).most_common()),
        "examples": [asdict(one) for one in fell[:: max(1, len(fell) // EXAMPLES)][:EXAMPLES]],
    }


def show(figures: Mapping[str, Any], console: Console) -> None:
    """The report at a terminal."""
    console.print(f"{figures['questions']} questions, {figures['drafts']} drafts: {figures['outcomes']}")
    table = Table("what became of a sentence", "as the model cited", "as if it had cited all it was given")
    for kind in dict.fromkeys([*figures["as_cited"], *figures["as_if_cited"]]):
        table.add_row(kind, *(str(figures[way].get(kind, 0)) for way in ("as_cited", "as_if_cited")))
    console.print(table)
    for example in figures["examples"]:
        console.print(
            f"[dim]{example['question']}[/dim]\n  {example['text']}\n  [red]{example['reason']}[/red]"
        )


def main(
    *,
    data: Annotated[Path, typer.Option(help="Folder of the ingested book.")] = Path(".bookbound"),
    asked: Annotated[Path, typer.Option("--questions")] = Path("sample_book/questions.jsonl"),
    limit: Annotated[int, typer.Option(help="Answerable questions, spread over the file.")] = 40,
    url: Annotated[str | None, typer.Option(help="Of a server with Ollama's API; default: our own.")] = None,
    model: Annotated[str, typer.Option(help="The model's name there.")] = "gemma3:270m",
    json_out: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
) -> None:
    """Count how many of a small language model's sentences are dropped, and why."""
    answerable = [one for one in questions.load(asked) if one.expect == "answer"]
    spread = answerable[:: max(1, len(answerable) // limit)][:limit]
    with served(url) as base:
        settings = Settings(data=data, generator="ollama", ollama_url=base, ollama_model=model)
        figures = report(asyncio.run(ask_all(settings, spread)))
    show(figures, Console(width=120))
    if json_out:
        json_out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
