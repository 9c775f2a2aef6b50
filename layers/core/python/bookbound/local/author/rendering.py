"""The author's page as HTML. What readers and books say is data, and escaped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2

from bookbound.authoring.gaps import Group
from bookbound.authoring.mends import Abbreviation, Alias, AnsweredIn, Canary, Mend, addition
from bookbound.authoring.proposing import Proposal
from bookbound.authoring.tally import Tally, weeks
from bookbound.authoring.trial import Trial
from bookbound.book import Book
from bookbound.drawing import charts
from bookbound.local.author.policy_file import Edit
from bookbound.policy.book_policy import Policy

if TYPE_CHECKING:
    from bookbound.local.author.desk import Sets
    from bookbound.local.author.serving import Wanted

GAPS_SHOWN = 10

CHANGES_SHOWN = 40

MOST_DAYS = 60
"""With more the chart shows weeks."""

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(book: Book, figures: Tally, days: str, notes: Sequence[str]) -> str:
    """The whole page; gaps and mends are put in as they are found."""
    return _render(
        "page.html.j2", book=book, figures=figures, days=days, notes=notes, charts=_charts(figures)
    )


def nothing(reason: str) -> str:
    """The page where there is no book yet."""
    return _render("nothing.html.j2", reason=reason)


def gaps(found: Sequence[Group]) -> str:
    """What the book did not answer, the most asked first."""
    return _part("gaps", gaps=found[:GAPS_SHOWN], all=len(found), asked=sum(one.count for one in found))


def proposal(found: Proposal, questions: Sequence[str]) -> str:
    """Mends to try, and that there is something to write where none is right."""
    mends = [(one, title(one.mend), fields(one.mend)) for one in found.mends]
    own = {"kind": "answered_in", "first": "", "second": "\n".join(questions)}
    return _part("proposal", found=found, mends=mends, own=own)


def trial(found: Trial, sets: Sets, wanted: Wanted, change: Edit | str, lines: str) -> str:
    """What a mend would change, and the file with it, or why there is none."""
    counts = {
        kind: sum(one.kind == kind for one in found.changes) for kind in ("answered", "otherwise", "refused")
    }
    return _part(
        "trial",
        found=found,
        sets=sets,
        wanted=wanted,
        counts=counts,
        shown=found.changes[:CHANGES_SHOWN],
        change=change,
        problem=change if isinstance(change, str) else None,
        lines=lines,
    )


def saved(change: Edit) -> str:
    """What was written, and what is next."""
    return _part("saved", change=change)


def lines(policy: Policy, mend: Mend) -> str:
    """The lines of a mend, to be put into bookbound.yaml by hand."""
    return "\n".join(addition(policy, mend).lines())


def title(mend: Mend) -> str:
    """A mend in a sentence."""
    match mend:
        case Alias():
            return f"Alias: readers say “{mend.name}”, the book says “{mend.term}”"
        case Abbreviation():
            return f"Glossary: “{mend.short}” stands for “{mend.long}”"
        case Canary():
            return f"Canary question to {mend.wish}: it moves the threshold for every question"
        case AnsweredIn():
            return f"It is answered in {mend.place}"


def fields(mend: Mend) -> dict[str, str]:
    """What the form of a mend begins with."""
    match mend:
        case Alias():
            return {"kind": "alias", "first": mend.term, "second": mend.name}
        case Abbreviation():
            return {"kind": "glossary", "first": mend.short, "second": mend.long}
        case Canary():
            return {"kind": mend.wish, "first": mend.question, "second": ""}
        case AnsweredIn():
            return {"kind": "answered_in", "first": mend.place, "second": "\n".join(mend.questions)}


def _charts(figures: Tally) -> dict[str, str]:
    days = list(figures.days)
    weekly = len(days) > MOST_DAYS
    return {
        "period": "week" if weekly else "day",
        "days": charts.days(weeks(days) if weekly else days, "questions by day or week"),
        "reasons": charts.shares(figures.reasons, "questions without an answer, by reason"),
    }


def _part(name: str, **values: Any) -> str:
    return str(getattr(_ENVIRONMENT.get_template("parts.html.j2").module, name)(**values))


def _render(name: str, **values: Any) -> str:
    return _ENVIRONMENT.get_template(name).render(**values)
