"""Results as tables for a reader at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from bookbound.pages import Page, ReadBook
from evaluation.metrics import Summary
from evaluation.rates import Rate

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


def of_rows(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    """A table of records that all have the fields of the first."""
    headings = list(rows[0]) if rows else []
    return table(title, headings, (list(row.values()) for row in rows))


def pages(book: ReadBook) -> Table:
    """What each page would give: a line each, in sidebar order."""
    headings = ["page", "document", "URL", "pieces", "tables", "images", "stripped"]
    return table("Pages", headings, (list(page_row(page).values()) for page in book.pages))


def page_row(page: Page) -> dict[str, Any]:
    """What a page would give, JSON-ready."""
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
    rows += [_level(name, level) for name, level in figures["reliability"].items()]
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
    return (
        f"right at {name} confidence",
        _percent(level["accuracy"]),
        f"{level['hits']}/{level['n']}",
        interval,
    )


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{share:.1%}"


def _milliseconds(value: float | None) -> str | None:
    return None if value is None else f"{value:.0f} ms"
