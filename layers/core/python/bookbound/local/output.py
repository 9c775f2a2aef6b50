"""Output of commands: JSON, or text and tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.console import Console

from bookbound.answer.rendering import plain_text
from bookbound.evaluation.rates import Rate
from bookbound.evidence.injection import Order, orders_in
from bookbound.local import asking, explaining, tables
from bookbound.source.pages import ReadBook, Skipped

if TYPE_CHECKING:
    from bookbound.index.canaries import Canary
    from bookbound.index.run_report import IngestReport, RunReport
    from bookbound.local.evaluating import Evaluation
    from bookbound.local.explaining import Explained
    from bookbound.text.scoring import ScoreMap


def console() -> Console:
    """Standard output; wide where no terminal sets the width, so that tables stay whole in a file."""
    return Console(width=None if sys.stdout.isatty() else 200)


def json_value(value: Any) -> None:
    """Print a value as indented JSON."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def reason(text: str, code: int) -> int:
    """Print why a command ends, on one line of standard error; the exit code."""
    typer.echo(f"bookbound: {' '.join(text.split())}", err=True)
    return code


def warning(text: str) -> None:
    """Print what is not as it should be, though the command goes on."""
    typer.echo(f"warning: {' '.join(text.split())}", err=True)


def fail(text: str) -> NoReturn:
    """End the command with exit code 1."""
    raise typer.Exit(reason(text, 1))


def evaluation(found: Evaluation) -> None:
    """The figures, and what moved; ends the command when a question got no response."""
    from bookbound.evaluation import telling

    console().print(tables.summary(found.summary))
    if found.comparison:
        typer.echo("\n".join(telling.moved(found.comparison)))
    failed = [run for run in found.runs if run.response is None]
    if failed:
        fail(f"{len(failed)} questions got no response; first {failed[0].id}: {failed[0].error}")


def exit_if_failed(skipped: Sequence[Skipped]) -> None:
    """End the command when a file could not go in."""
    failed = [one for one in skipped if one.failed]
    if failed:
        fail(f"{len(failed)} of the files could not go in; first {failed[0].path}: {failed[0].reason}")


def result(explained: Explained, *, explain: bool, as_json: bool) -> None:
    """Print what came of a question, and on demand how that came about."""
    if as_json:
        json_value(explaining.as_json(explained) if explain else asking.response(explained.result))
        return
    typer.echo(plain_text(explained.result.outcome))
    if explain:
        console().print(*tables.explanation(explained), sep="\n", highlight=False)


def ingest_report(report: IngestReport, *, as_json: bool) -> None:
    """Print what an ingest did."""
    if as_json:
        json_value(asdict(report))
        return
    state = "unchanged" if report.unchanged else "live"
    typer.echo(f"{report.book_id} version {report.version} is {state} ({report.seconds:.1f} s)")
    typer.echo(f"{report.pages} pages, {report.passages} passages, {report.windows} windows")
    if not report.unchanged:
        typer.echo(f"{len(report.changed_pages)} pages changed, {len(report.removed_pages)} removed")
        typer.echo(f"{report.embedded} texts embedded, {report.reused} reused")
    if report.canaries:
        typer.echo(_canaries(report.canaries, report.sufficiency_threshold))
    for page in report.removed_pages:
        typer.echo(f"removed: {page}")
    for skipped in report.skipped:
        typer.echo(_skipped(skipped))


def run_report(report: RunReport, *, as_json: bool) -> None:
    """Print how a run of the ingest job ended; ends the command as `ingest` would."""
    from bookbound.index.run_report import RUN_REPORT_JSON

    if as_json:
        json_value(RUN_REPORT_JSON.dump_python(report, mode="json"))
    elif report.outcome == "superseded":
        typer.echo(f"a later upload of {report.book_id} is live already; this one changed nothing")
    elif report.report and report.outcome != "failed":
        ingest_report(report.report, as_json=False)
    ingested = report.report
    canary_warnings(ingested.canaries if ingested else ())
    order_warnings(ingested.orders if ingested else ())
    if report.outcome == "failed":
        if ingested and not as_json:
            typer.echo("".join(f"{_skipped(one)}\n" for one in ingested.skipped), nl=False)
        fail(f"run {report.run} failed: {report.error}")
    exit_if_failed(ingested.skipped if ingested else ())


def canary_warnings(canaries: Sequence[Canary]) -> None:
    """Print a line on standard error for each canary question that is not as wished."""
    for canary in canaries:
        if canary.remedy:
            warning(f"canary question {canary.question!r} is {canary.remedy}")


def order_warnings(orders: Sequence[Order]) -> None:
    """Print a line on standard error for each order in a page that addresses the answerer."""
    for order in orders:
        warning(str(order))


def dry_run(book: ReadBook, *, as_json: bool) -> None:
    """Print what each page would give, what would be left out, and what would be no evidence."""
    orders = [order for page in book.pages for order in orders_in(page)]
    if as_json:
        pages = [tables.page_row(page) for page in book.pages]
        skipped = [asdict(one) for one in book.skipped]
        json_value({"pages": pages, "skipped": skipped, "orders": [asdict(order) for order in orders]})
    else:
        console().print(tables.pages(book))
        for left_out in book.skipped:
            typer.echo(_skipped(left_out))
    order_warnings(orders)


def score_map(fitted: ScoreMap, *, as_json: bool) -> None:
    """Print the refitted map from cosine to similarity."""
    if as_json:
        json_value(asdict(fitted))
        return
    learnt = ", ".join(f"{data.count} of {data.name}" for data in fitted.fitted_on)
    typer.echo(f"Score map of {fitted.model_id} refitted on {learnt}.")
    console().print(tables.table("", ["cosine", "similarity"], fitted.knots))


def measures(figures: dict[str, Any], *, to_stderr: bool) -> None:
    """Print how well the verifier did on labelled claims."""
    for name, value in figures.items():
        typer.echo(f"{name}: {_measure(value)}", err=to_stderr)


def audit_report(figures: dict[str, Any], *, as_json: bool) -> None:
    """Print what the records of a period come to."""
    if as_json:
        json_value(figures)
        return
    refused, errors = figures["refused"], figures["errors"]
    typer.echo(
        f"{figures['questions']} questions: {figures['answered']} answered, "
        f"{sum(refused.values())} refused, {sum(errors.values())} errors"
    )
    console().print(tables.table("", ["ended as", "questions"], [*refused.items(), *errors.items()]))
    rows = (
        (name.replace("_", " "), *(one[key] for key in ("n", "mean", "lowest", "below_target", "target")))
        for name, one in figures["attribution_coverage"].items()
    )
    headings = ["attribution coverage", "drafts", "mean", "lowest", "below target", "target"]
    console().print(tables.table("", headings, rows))


def _canaries(canaries: Sequence[Canary], threshold: float | None) -> str:
    right = sum(canary.remedy is None for canary in canaries)
    own = "" if threshold is None else f"; sufficiency threshold of its own: {threshold:.3f}"
    return f"{right} of {len(canaries)} canary questions as wished{own}"


def _skipped(skipped: Skipped) -> str:
    return f"{'failed' if skipped.failed else 'left out'}: {skipped.path}: {skipped.reason}"


def _measure(value: float | Rate | None) -> str:
    if isinstance(value, dict):
        return f"{_measure(value['rate'])} ({value['hits']}/{value['n']})"
    return "–" if value is None else f"{value:.3f}"
