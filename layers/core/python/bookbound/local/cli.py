"""The command line. Exit codes: 0 done, 1 failed, 2 bad usage or input; the reason is one line on stderr."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from bookbound.errors import BookboundError, BookNotFound, InvalidRequest, PolicyError, Unavailable
from bookbound.evaluation.records import InputError
from bookbound.local import books, clients, erasing, examples, integrity, logs, operating, options, output
from bookbound.local.auditing import commands as auditing
from bookbound.local.progress import steps

if TYPE_CHECKING:
    from bookbound.app import App
    from bookbound.evaluation.judging import Run
    from bookbound.evaluation.questions import Labelled
    from bookbound.local.explaining import Explained
    from bookbound.local.reader import Reader
    from bookbound.settings import Settings

app = typer.Typer(
    help="Answers questions from a textbook only: every sentence cited, or an honest refusal.",
    epilog=examples.BEGIN,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(operating.app)
app.add_typer(books.app, name="books")
app.add_typer(clients.app, name="clients")


@app.callback()
def remember(context: typer.Context, data: options.Data = None, *, version: options.Version = False) -> None:
    """Keep the folder that was given before the command's name."""
    context.obj = data


@app.command(epilog=examples.INGEST)
def ingest(
    context: typer.Context,
    docs: options.Docs,
    *,
    book_id: options.BookId = None,
    policy: options.Policy = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Turn a docs folder, or a .zip of it, into the index that answers.

    Reads md, mdx, csv and xlsx. Run it again whenever the book changes: only changed text is embedded,
    and a running server takes the new version up. A canary question of bookbound.yaml that is not as
    wished is a warning; the book goes live all the same.
    """
    from bookbound import ingest_wiring

    settings = options.settings(context, data)
    if dry_run:
        book = ingest_wiring.dry_run(docs, policy)
        output.dry_run(book, as_json=as_json)
        output.exit_if_failed(book.skipped)
        return
    with steps(Console(stderr=True)) as advance:
        report = ingest_wiring.ingest(settings, docs, book_id, policy, advance)
    output.ingest_report(report, as_json=as_json)
    output.canary_warnings(report.canaries)
    output.order_warnings(report.orders)
    output.exit_if_failed(report.skipped)


@app.command(epilog=examples.ASK)
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="1 to 1000 characters.")],
    *,
    selected_text: options.SelectedText = None,
    previous: options.Previous = None,
    explain: options.Explain = False,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Ask the book one question. A refusal is an outcome too: it exits with 0."""
    explained = asyncio.run(_ask(options.settings(context, data), question, selected_text, previous))
    output.result(explained, explain=explain, as_json=as_json)


@app.command(epilog=examples.SERVE)
def serve(
    context: typer.Context,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8000,
    guarded: options.Guarded = False,
    data: options.Data = None,
) -> None:
    """Serve the API and the demo page until Ctrl-C."""
    logs.as_json_lines()
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(options.settings(context, data), host, port, guarded=guarded))


@app.command(epilog=examples.MCP)
def mcp(
    context: typer.Context,
    *,
    book_id: options.AskedBook = None,
    data: options.Data = None,
) -> None:
    """Let an assistant ask the book: a server of the Model Context Protocol on standard input and output.

    The assistant starts it, and ends it. Its tools: ask_book, search_book, read_section; its resource: the
    table of contents. Over HTTP the same is at /mcp of a running `bookbound serve`.
    """
    with suppress(KeyboardInterrupt):
        asyncio.run(_assist(options.settings(context, data), book_id))


@app.command(epilog=examples.EVALUATE)
def evaluate(
    context: typer.Context,
    questions: options.Questions,
    *,
    answers: options.AnswersOut = None,
    json_out: options.JsonOut = None,
    html: options.HtmlOut = None,
    baseline: options.Baseline = None,
    data: options.Data = None,
) -> None:
    """Ask every labelled question and measure the answers."""
    from bookbound.evaluation import baseline as baselines
    from bookbound.evaluation import questions as labels
    from bookbound.local import evaluating

    settings, labelled = options.settings(context, data), labels.load(questions)
    before = baselines.load(baseline) if baseline else None
    runs = asyncio.run(_evaluate(settings, labelled))
    if answers:
        answers.write_text(evaluating.as_lines(runs), encoding="utf-8")
    book_text = _book_text(settings, runs)
    evaluation = evaluating.evaluation(labelled, runs, book_text, settings.generator, before)
    evaluating.write(evaluation, f"Evaluation of {questions.name}", json_out=json_out, html=html)
    output.evaluation(evaluation)


@app.command(epilog=examples.VERIFY)
def verify(claims: options.Claims, json_out: options.JsonOut = None, data: options.Data = None) -> None:
    """Check claims as answers are checked.

    Labelled claims measure the verifier itself.
    """
    from bookbound import wiring
    from bookbound.evaluation import claims as claim_files
    from bookbound.local import verifying

    loaded = claim_files.load(claims)
    with steps(Console(stderr=True)) as advance:
        checked = asyncio.run(verifying.check_all(wiring.build_reader(), loaded, advance))
    lines = verifying.as_lines(checked)
    if json_out:
        json_out.write_text(lines, encoding="utf-8")
        typer.echo(f"{sum(one.supported for one in checked)} of {len(checked)} claims are supported")
    else:
        typer.echo(lines, nl=False)
    if figures := claim_files.measure(checked):
        output.measures(figures, to_stderr=json_out is None)


@app.command(epilog=examples.CALIBRATE)
def calibrate(
    context: typer.Context,
    questions: options.Questions,
    *,
    book_id: options.BookId = None,
    as_json: options.AsJson = False,
    data: options.Data = None,
) -> None:
    """Refit the score map for the ingested book.

    The map turns a cosine into a similarity that the thresholds can read.
    """
    from bookbound.local import calibrating

    live = asyncio.run(calibrating.calibrate(options.settings(context, data), questions, book_id))
    output.score_map(live.score_map, as_json=as_json)
    output.canary_warnings(live.canaries)


audit = typer.Typer(help="Look into the audit records.", rich_markup_mode=None, no_args_is_help=True)
app.add_typer(audit, name="audit")
audit.add_typer(auditing.app)
audit.add_typer(integrity.app)
audit.add_typer(erasing.app)


@audit.command("drain", epilog=examples.AUDIT_DRAIN)
def audit_drain(stage: operating.OneStage) -> None:
    """Bring the records that wait in a stage's fallback queue to where the others are."""
    from bookbound.local import fallback_queue
    from bookbound.local.stage import outputs

    drained = fallback_queue.drain(outputs(stage))
    typer.echo(f"{drained.records} records brought from the queue of {stage} to its bucket")
    if drained.strange:
        raise Unavailable(
            f"{drained.strange} messages are no audit records and stay in the queue; look at them there"
        )


def run(arguments: Sequence[str]) -> int:
    """Run one command; the exit code. Raises only what is a defect of ours."""
    try:
        return app(list(arguments) or ["--help"], prog_name="bookbound", standalone_mode=False) or 0
    except typer.TyperException as error:
        return output.reason(error.format_message(), error.exit_code)
    except (InputError, InvalidRequest, PolicyError) as error:
        return output.reason(str(error), 2)
    except BookboundError as error:
        return output.reason(str(error), 1)
    except OSError as error:
        return output.reason(f"{error.filename}: {error.strerror}" if error.filename else str(error), 1)


def main() -> None:
    """Entry point of `bookbound`."""
    logs.failures_only()
    sys.exit(run(sys.argv[1:]))


async def _ask(
    settings: Settings, question: str, selected_text: str | None, previous: str | None
) -> Explained:
    from bookbound import wiring
    from bookbound.local import asking
    from bookbound.local.explaining import Explained
    from bookbound.question.question_plan import plan

    async with wiring.local(settings) as system:
        result = await asking.ask(system.answer, question, selected_text, previous=previous)
        book = await system.deps.library.open(result.book.id)
        asked = result.read_as or result.question.text
        return Explained(result, plan(asked, book.glossary), system.deps.sufficiency)


async def _serve(settings: Settings, host: str, port: int, *, guarded: bool) -> None:
    from bookbound import wiring
    from bookbound.api.app import create_app
    from bookbound.api.deps import ApiDeps
    from bookbound.local import author, guarding, reader, serving
    from bookbound.local.concurrency_limit import Bulkhead, places

    with serving.listen(host, port) as listening:
        async with wiring.local(settings) as system:
            book, bulkhead = await _default_book(system), Bulkhead(places(settings))
            deps = ApiDeps(
                system.answer, system.ready, system.feedback, book, turn=bulkhead.turn, consult=system
            )
            pages = reader.Reader(system.deps.library, wiring.index_folder(settings))
            deps = replace(deps, starters=lambda: _starters(system, pages))
            if guarded:
                file = wiring.access_file(settings)
                deps = replace(deps, entry=guarding.entry(settings, file, serving.url(listening)))
            api = create_app(deps, origins=settings.origins)
            reader.mount(api, pages)
            desk = author.AuthorPage(settings, system, guarded=guarded)
            try:
                await serving.serve(
                    author.beside(api, desk), listening, lambda url: _announce(url, author_page=desk.is_open)
                )
            finally:
                await desk.aclose()


def _announce(url: str, *, author_page: bool) -> None:
    typer.echo(f"Ask the book at {url} (Ctrl-C stops)")
    if author_page:
        typer.echo(f"See what readers ask at {url}/author")


async def _assist(settings: Settings, book_id: str | None) -> None:
    from bookbound import wiring
    from bookbound.api.deps import ApiDeps
    from bookbound.api.mcp import stdio
    from bookbound.local.concurrency_limit import Bulkhead, places

    async with wiring.local(settings) as system:
        await system.deps.library.open(book_id)
        bulkhead = Bulkhead(places(settings))
        deps = ApiDeps(system.answer, system.ready, system.feedback, turn=bulkhead.turn)
        await stdio.serve(deps, system, book_id)


async def _default_book(system: App) -> str | None:
    """Return the id of /v1/chat's book, to which a key or token may be held; None if there is none."""
    try:
        return (await system.deps.library.open(None)).ref.id
    except (BookNotFound, Unavailable):
        return None


async def _starters(system: App, pages: Reader) -> Sequence[str]:
    """Return the questions that the default book's policy begins with, else its canaries, else its titles."""
    try:
        policy = (await system.deps.library.open(None)).policy
    except (BookNotFound, Unavailable):
        return ()
    return policy.starters or policy.canary_answer or [f"Explain {title}" for title in await pages.titles()]


async def _evaluate(settings: Settings, labelled: Sequence[Labelled]) -> list[Run]:
    from bookbound import wiring
    from bookbound.local import evaluating

    with steps(Console(stderr=True)) as advance:
        async with wiring.local(settings) as system:
            return await evaluating.run_all(system.answer, labelled, advance)


def _book_text(settings: Settings, runs: Sequence[Run]) -> dict[str, str] | None:
    """The files of the book version that answered; None when nothing did."""
    from bookbound import wiring
    from bookbound.evaluation import book

    answering = next((run.response["book"]["id"] for run in runs if run.response), None)
    files = wiring.index_folder(settings).files(answering) if answering else None
    return book.read(files) if files else None
