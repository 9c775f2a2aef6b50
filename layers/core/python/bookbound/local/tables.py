"""Results as tables for a reader at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from bookbound.answer.verification import ATTRIBUTION_TARGET
from bookbound.evaluation.metrics import Summary
from bookbound.evaluation.rates import Rate
from bookbound.evaluation.stages import STAGE_NAMES
from bookbound.local import asking
from bookbound.local.explaining import FEATURE, PART, SUFFICIENT, Explained, best_read, reading
from bookbound.model import Finding, Result
from bookbound.question.question_plan import Part
from bookbound.source.pages import Page, ReadBook

SHOWN = 10
"""Candidates in a table; JSON has them all."""

TOLD = 60
"""Characters of an excerpt, and of the unit that the reader points at, in a table; JSON has them whole."""

_GATES = ["gate", "figure", "value", "threshold", "passed", "part of the score"]
_TRIED = ["wording", "sources", "breadth", "passages", "similarity", "sufficiency", "outcome"]
_CANDIDATE = ["source", "page", "score", "similarity", "lexical", "cosine"]

_RATES = {
    "answered": "answered_rate",
    "right source": "right_source_rate",
    "answer points": "answer_points_rate",
    "literal citations": "literal_citation_rate",
    "every sentence cited": "every_sentence_cited_rate",
    "false answers": "false_answer_rate_overall",
    "right reason": "reason_accuracy",
}


def table(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A plain table; every cell is text, never markup, and None is a dash."""
    result = Table(
        *headings, title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0)
    )
    for row in rows:
        result.add_row(*(Text(_cell(value)) for value in row))
    return result


def _cell(value: object) -> str:
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.3f}".rstrip("0").rstrip(".")
    return str(value)


def pages(book: ReadBook) -> Table:
    """Return what each page would give: a line each, in sidebar order."""
    headings = ["page", "document", "URL", "pieces", "tables", "images", "stripped"]
    return table("Pages", headings, (list(page_row(page).values()) for page in book.pages))


def page_row(page: Page) -> dict[str, Any]:
    """Return what a page would give, JSON-ready."""
    return {
        "page": page.page,
        "document": page.document,
        "url": page.url,
        "pieces": len(page.pieces),
        "tables": len(page.tables),
        "images": sum(len(piece.images) for piece in page.pieces),
        "stripped": ", ".join(page.stripped),
    }


def summary(figures: Summary) -> Table:
    """The evaluation's figures with their counts and 95 % intervals."""
    rows = [_rate(name, figures[key]) for name, key in _RATES.items()]
    for group, key in (("answered", "answered_rate_by_kind"), ("false answers", "false_answer_rate")):
        rows += [_rate(f"  {group}: {kind}", rate) for kind, rate in figures[key].items()]
    rows += [_rate(f"evidence in the {name}", rate) for name, rate in figures["retrieval"].items()]
    rows += [_rate(f"  {name}", figures["lost"][stage]) for stage, name in STAGE_NAMES.items()]
    rows += [
        _rate(f"  {kind}: caught by {gate}", rate)
        for kind, gates in figures["caught"].items()
        for gate, rate in gates.items()
    ]
    rows += [_level(name, level) for name, level in figures["reliability"].items()]
    rows += [_band(band) for band in figures["reliability_by_score"] if band["n"]]
    coverage = figures["attribution_coverage"]
    rows.append(("attribution coverage", _percent(coverage["rate"]), f"{coverage['n']} answers", None))
    rows.append(("sentences, median", figures["median_sentences"], None, None))
    rows.append(("generator calls on refusal", figures["generator_calls_on_refusal"], None, None))
    rows += [
        (f"latency {name}", _milliseconds(value), None, None) for name, value in figures["latency_ms"].items()
    ]
    return table("", ["", "rate", "count", "95 % interval"], rows)


def _rate(name: str, rate: Rate) -> tuple[object, ...]:
    interval = f"{_percent(rate['low'])}–{_percent(rate['high'])}" if rate["n"] else None
    return name, _percent(rate["rate"]), f"{rate['hits']}/{rate['n']}", interval


def _level(name: str, level: Mapping[str, Any]) -> tuple[object, ...]:
    interval = f"{_percent(level['low'])}–{_percent(level['high'])}" if level["n"] else None
    share = "withheld" if level["withheld"] and not level["n"] else _percent(level["accuracy"])
    return f"right at {name} confidence", share, f"{level['hits']}/{level['n']}", interval


def _band(band: Mapping[str, Any]) -> tuple[object, ...]:
    interval = f"{_percent(band['low'])}–{_percent(band['high'])}"
    at = f"  confidence from {band['score_from']:.1f}"
    return at, _percent(band["accuracy"]), f"{band['hits']}/{band['n']}", interval


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{share:.1%}"


def _milliseconds(value: float | None) -> str | None:
    return None if value is None else f"{value:.0f} ms"


# --- explanation ----------------------------------------------------------------------------------


def explanation(explained: Explained) -> Iterator[Table | str]:
    """Part by part how the question was read, what was tried and what the gates saw; then the candidates."""
    parts = explained.parts
    for number, (part, found) in enumerate(zip(parts, explained.findings(), strict=True), 1):
        if len(parts) > 1:
            yield f"\nPart {number} of {len(parts)}, {'passed' if found[0].passed else 'not passed'}"
        yield from ("", _reading(part))
        if part.task is None:
            yield from ("", _tried(explained, part))
        if best := best_read(explained, part, found):
            yield from ("", _read(best))
        yield from ("", _gates(explained, [finding for finding in found if finding.gate != PART]))
    if explained.result.generator_calls:
        yield from ("", _generation(explained.result))
    if explained.result.dropped:
        rows = ((one.text, ", ".join(one.source_ids), one.reason) for one in explained.result.dropped)
        yield from ("", table("Dropped from the last draft", ["sentence", "cited", "reason"], rows))
    if explained.result.candidates:
        yield from ("", _candidates(asking.candidates(explained.result)[:SHOWN]))


def _reading(part: Part) -> Table:
    read = reading(part)
    rows = [
        ("question", part.text),
        ("kind of answer", read["kind"]),
        ("names", "; ".join(read["names"])),
        ("spelling", "; ".join(f"{typed} → {meant}" for typed, meant in read["corrections"])),
        ("the book's words", "; ".join(f"{said} = {other}" for said, other in read["equivalents"])),
        ("searched as well", part.query.rewritten),
    ]
    if part.task:
        rows[1:] = [("work asked for", part.task)]
    shown = table("How it was read", ["", ""], (row for row in rows if row[1]))
    shown.show_header = False
    return shown


def _tried(explained: Explained, part: Part) -> Table:
    rows = (
        (
            "as asked" if attempt.query == part.query.original else "rewritten",
            ", ".join(attempt.sources),
            attempt.breadth,
            attempt.candidates,
            attempt.similarity,
            attempt.sufficiency,
            attempt.outcome.replace("_", " "),
        )
        for attempt in explained.attempts(part)
    )
    return table("What was tried", _TRIED, rows)


def _read(best: Mapping[str, Any]) -> Table:
    """Return what the reader found best, and how sure it was."""
    rows = [
        ("stands in", f"{best['document']}, “{best['section']}”"),
        ("begins", asking.shortened(best["text"], TOLD)),
        ("points at", asking.shortened(best["points_at"], TOLD)),
        ("on the question", best["similarity"]),
        ("part of the answer", best["pointed"]),
    ]
    if best["sufficiency"] is not None:
        rows.append(("answers", f"{best['sufficiency']:.3f}, {best['threshold']:.3f} needed"))
    shown = table("What the reader found best", ["", ""], rows)
    shown.show_header = False
    return shown


def _gates(explained: Explained, findings: Sequence[Finding]) -> Table:
    """The features stand before the sufficiency, with what each adds to its logit."""
    model = explained.model
    added = [explained.part_of_score(one) or 0.0 for one in findings]
    rows: list[tuple[object, ...]] = []
    for one, part in zip(findings, added, strict=True):
        if one.gate == FEATURE:
            rows.append((one.gate, one.figure, one.value, None, None, f"{part:+.2f}"))
            continue
        if one.gate == SUFFICIENT:
            rows.append((FEATURE, "constant", None, None, None, f"{model.intercept:+.2f}"))
        total = f"= {model.intercept + sum(added):+.2f}" if one.gate == SUFFICIENT else None
        rows.append((one.gate, one.figure, one.value, one.threshold, one.passed, total))
    return table("Gates, where that was decided", _GATES, rows)


def _generation(result: Result) -> str:
    """Return what came after the gates (P4)."""
    calls = "one call" if result.generator_calls == 1 else f"{result.generator_calls} calls"
    supported = f"{_percent(result.outcome.attribution_coverage)} of it supported"
    return f"Written by {result.generator} in {calls}; {supported}, {ATTRIBUTION_TARGET:.0%} needed"


def _candidates(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Two lines each, cut where the terminal ends: where it stands, and the text that was found."""
    lines = ([*(row[key] for key in _CANDIDATE), f"{row['document']}\n{row['text']}"] for row in rows)
    shown = table("Best candidates", [*_CANDIDATE, "passage"], lines)
    shown.expand = True
    passage = shown.columns[-1]
    passage.ratio, passage.no_wrap, passage.overflow = 1, True, "ellipsis"
    return shown
