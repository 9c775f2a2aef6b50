"""Trial: what becomes of a language model's drafts, true ones and altered ones (P4, F1–F3).

`python -m trials.recorded_drafts BOOKS` asks the judging books the questions of training/drafts, with the
drafts replayed behind Claude's wire format and its real SDK, and writers by rule beside them. Counted are the
true drafts that are shown after the first and after the second one, the altered sentences that are shown, and
how often each level is right.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer
from rich.console import Console
from rich.table import Table

from bookbound import wiring
from bookbound.answering import Deps, answer
from bookbound.deadline import Deadline
from bookbound.evaluation.rates import Rate, rate_of
from bookbound.local.progress import Advance, steps
from bookbound.model import Answered, ConfidenceLevel, Question, Result
from bookbound.settings import Settings
from evaluation import ingested
from evaluation.gate import PACE, AsShipped
from testing.fakes import FakeAudit
from testing.vendors.claude import Claude
from testing.vendors.models import MODELS, Model
from training.lines import JUDGING
from trials.recorded_drafts.recording import Recording, Replayed, Replaying, load

BY_RULE = ("quoting", "paraphrasing")

ALTERED_IN = 10
"""One draft in so many is taken to be an altered one where the levels are counted."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a question's drafts.

    Attributes:
        called: whether the gates let it through to the writer. calls: drafts that were written.
        declined: the writer itself declined, or lacked a passage.
        shown: the sentences of the answer; None for a refusal.
        dropped: sentences that fell, of all drafts, with why.
    """

    recording: Recording
    called: bool
    calls: int
    declined: bool
    shown: tuple[str, ...] | None
    level: ConfidenceLevel | None
    dropped: tuple[tuple[str, str], ...]

    @property
    def shows_altered(self) -> bool:
        """True if the altered sentence is in the answer."""
        wanted = _squeezed(self.recording.altered_sentence)
        return any(wanted in _squeezed(text) or _squeezed(text) in wanted for text in self.shown or ())


def main(
    books: Annotated[Path, typer.Argument(metavar="BOOKS", exists=True, file_okay=False)],
    data: Annotated[Path, typer.Option(help="Indexes of the open books.")] = Path("build/books"),
    list_misses: Annotated[bool, typer.Option("--list", help="Show what fell or slipped through.")] = False,
) -> None:
    """Replay the drafts, and print what became of them."""
    fates: dict[str, list[Fate]] = {}
    with steps(Console(stderr=True)) as advance:
        for book in JUDGING:
            settings = AsShipped(data=data, book=book)
            ingested.ingest(settings, books / book / "docs", book, None, advance)
            for name, found in asyncio.run(_run(settings, load(book), advance)).items():
                fates.setdefault(name, []).extend(found)
    _print(fates)
    if list_misses:
        _list(fates)


async def _run(
    settings: AsShipped, recordings: Sequence[Recording], advance: Advance
) -> dict[str, list[Fate]]:
    of = {one.question: one for one in recordings}
    writers: dict[str, Model] = {which.value: Replaying(of, which) for which in Replayed}
    writers |= {name: MODELS[name] for name in BY_RULE}
    found: dict[str, list[Fate]] = {}
    async with wiring.local(settings) as system:
        deps = replace(system.deps, audit=FakeAudit())
        for name, model in writers.items():
            async with Claude(model=model) as served:
                written_by = _written_by(deps, served.environment)
                found[name] = []
                for one in recordings:
                    found[name].append(await _ask(one, str(settings.book), written_by))
                    advance(f"ask {settings.book}, {name}", len(found[name]), len(recordings))
    return found


def _written_by(deps: Deps, environment: Mapping[str, str]) -> Deps:
    named: dict[str, Any] = {
        key.removeprefix("BOOKBOUND_").lower(): value for key, value in environment.items()
    }
    return replace(deps, generator=wiring.build_generator(Settings(generator="claude", **named)))


async def _ask(one: Recording, book: str, deps: Deps) -> Fate:
    result: Result = await answer(
        Question(one.question, uuid4(), uuid4(), None), book, Deadline(pace=PACE), deps
    )
    outcome = result.outcome
    answered = isinstance(outcome, Answered)
    return Fate(
        recording=one,
        called=result.generator_calls > 0,
        calls=result.generator_calls,
        declined=not answered and result.generator_calls > 0 and not result.dropped,
        shown=tuple(sentence.text for sentence in outcome.sentences)
        if isinstance(outcome, Answered)
        else None,
        level=outcome.confidence_level if isinstance(outcome, Answered) else None,
        dropped=tuple((each.text, each.reason) for each in result.dropped),
    )


def _print(fates: Mapping[str, Sequence[Fate]]) -> None:
    table = Table("", "share", "of", "95 %")
    for name, found in fates.items():
        told = [one for one in found if one.called and not one.declined]
        _row(table, f"{name}: reached the writer", rate_of([one.called for one in found]))
        _row(table, f"{name}: declined", rate_of([one.declined for one in found if one.called]))
        if name == Replayed.ALTERED:
            _row(
                table, "altered: the altered sentence is shown", rate_of([one.shows_altered for one in told])
            )
            for kind in sorted({one.recording.kind for one in told}):
                some = [one.shows_altered for one in told if one.recording.kind == kind]
                _row(table, f"  {kind}", rate_of(some))
        else:
            first = [one.shown is not None and one.calls == 1 for one in told]
            _row(table, f"{name}: shown after the first draft", rate_of(first))
            _row(table, f"{name}: shown after two", rate_of([one.shown is not None for one in told]))
    _levels(table, fates)
    Console(width=110).print(table)


def _levels(table: Table, fates: Mapping[str, Sequence[Fate]]) -> None:
    """Levels where every ALTERED_IN-th draft is altered; right is what does not show the alteration."""
    true = [(one.level, True) for one in fates[Replayed.TRUE] if one.level]
    altered = [(one.level, not one.shows_altered) for one in fates[Replayed.ALTERED] if one.level]
    mixed = true * (ALTERED_IN - 1) + altered
    for level in ConfidenceLevel:
        of_level = [right for known, right in mixed if known is level]
        share = sum(of_level) / len(of_level) if of_level else 0.0
        table.add_row(f"{level.value}: right", f"{share:.1%}" if of_level else "–", str(len(of_level)), "")
    right = [level is not ConfidenceLevel.LOW for level, is_right in true if is_right]
    _row(table, "true drafts shown above low", rate_of(right))


def _row(table: Table, name: str, rate: Rate) -> None:
    share = "–" if rate["rate"] is None else f"{rate['rate']:.1%}"
    table.add_row(name, share, f"{rate['hits']}/{rate['n']}", f"{rate['low']:.0%}–{rate['high']:.0%}")


def _list(fates: Mapping[str, Sequence[Fate]]) -> None:
    for one in fates[Replayed.TRUE]:
        for text, reason in one.dropped:
            typer.echo(f"fell, {one.recording.id} ({reason}): {text}")
    for one in fates[Replayed.ALTERED]:
        if one.shows_altered:
            typer.echo(f"shown, {one.recording.id} {one.recording.kind}: {one.recording.altered_sentence}")


def _squeezed(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


if __name__ == "__main__":
    typer.run(main)
