"""The author's page beside the API, outside its deadline: a trial takes as long as it takes."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.types import ASGIApp, Receive, Scope, Send

from bookbound.app import App
from bookbound.authoring.mends import Abbreviation, Alias, AnsweredIn, Canary, Mend
from bookbound.authoring.tally import tally
from bookbound.errors import BookboundError, BookNotFound, PolicyError, Unavailable
from bookbound.local.author import policy_file, rendering
from bookbound.local.author.desk import Desk
from bookbound.local.author.guard import Guard
from bookbound.local.author.jobs import Job, Jobs
from bookbound.local.author.policy_file import Edit
from bookbound.local.house_style import stylesheet
from bookbound.settings import Settings

PLACE = "/author"

PERIODS = {"7": 7, "28": 28, "all": None}
"""Days that the page can show, by their name in its address; the second is shown first."""

_FILES = {"author.css": "text/css; charset=utf-8", "author.js": "text/javascript; charset=utf-8"}
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
}


class Wanted(BaseModel):
    """A mend as the page sends it: two texts, whose meaning its kind tells; of questions a line each."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    kind: str = Field(pattern="^(answered_in|alias|glossary|answer|refuse)$")
    first: str = Field(min_length=1, max_length=1000)
    second: str = Field(default="", max_length=5000)

    def mend(self) -> Mend:
        """Raises PolicyError when a text is missing."""
        first, second = (" ".join(text.split()) for text in (self.first, self.second))
        if self.kind in ("answered_in", "alias", "glossary") and not second:
            raise PolicyError("write both: what the book says, and what readers say")
        match self.kind:
            case "answered_in":
                questions = (" ".join(line.split()) for line in self.second.splitlines())
                return AnsweredIn(first, tuple(dict.fromkeys(filter(None, questions))))
            case "alias":
                return Alias(term=first, name=second)
            case "glossary":
                return Abbreviation(short=first, long=second)
            case "answer":
                return Canary("answer", first)
        return Canary("refuse", first)


class Saving(Wanted):
    """A mend that is to be saved into the file of this digest."""

    digest: str = Field(pattern="^[0-9a-f]{64}$")


class Asking(BaseModel):
    """Wordings of a gap, the one that stands for it first."""

    model_config = ConfigDict(extra="forbid")

    questions: list[str] = Field(min_length=1, max_length=20)


class Period(BaseModel):
    """The days that are looked at."""

    model_config = ConfigDict(extra="forbid")

    days: str = Field(pattern="^(7|28|all)$")


class AuthorPage:
    """An ASGI app: the page, its files, and the work that it asks for."""

    def __init__(self, settings: Settings, app: App, *, guarded: bool) -> None:
        key = settings.author_key.get_secret_value() if settings.author_key else None
        self._guard = Guard(key, guarded=guarded)
        self._desk = Desk(settings, app)
        self._jobs = Jobs()
        self._api = self._routes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer who is let in."""
        refusal = self._guard.refusal(Request(scope))
        await (refusal or self._api)(scope, receive, send)

    @property
    def is_open(self) -> bool:
        """True if anybody can be let in."""
        return self._guard.is_open

    async def aclose(self) -> None:
        """End what still runs."""
        await self._jobs.aclose()

    def _routes(self) -> FastAPI:
        api = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
        api.add_exception_handler(BookboundError, _told)
        api.get(PLACE)(self._page)
        api.get(f"{PLACE}/{{name}}")(_file)
        api.get(f"{PLACE}/jobs/{{job_id}}")(self._job)
        api.post(f"{PLACE}/gaps")(self._gaps)
        api.post(f"{PLACE}/proposals")(self._proposal)
        api.post(f"{PLACE}/trials")(self._trial)
        api.post(f"{PLACE}/saves")(self._save)
        return api

    async def _page(self, days: str = "28") -> Response:
        period = PERIODS.get(days, 28)
        try:
            book = await self._desk.book()
        except BookNotFound as error:
            return _html(rendering.nothing(str(error)), 404)
        figures = tally(await self._desk.asked(period))
        return _html(rendering.page(book, figures, days, await self._notes()))

    async def _notes(self) -> list[str]:
        try:
            edited = await self._desk.is_edited()
            note = (await self._desk.sets(None)).note
        except PolicyError as error:
            return [f"{error}. Until that is put right nothing can be saved."]
        changed = (
            "bookbound.yaml has changed since the book was ingested: ingest it again to see what it does."
        )
        return [*([changed] if edited else []), *([note] if note else [])]

    async def _gaps(self, period: Period) -> Response:
        async def work(job: Job) -> str:
            found = await self._desk.gaps(PERIODS[period.days], job.told("reading questions"))
            return rendering.gaps(found)

        return _begun(self._jobs.start(work))

    async def _proposal(self, asking: Asking) -> Response:
        async def work(job: Job) -> str:
            job.told("looking for a mend")(0, 0)
            return rendering.proposal(await self._desk.proposal(asking.questions), asking.questions)

        return _begun(self._jobs.start(work))

    async def _trial(self, wanted: Wanted) -> Response:
        mend = wanted.mend()

        async def work(job: Job) -> str:
            trial, sets = await self._desk.tried(mend, job.told("asking"))
            lines = rendering.lines((await self._desk.book()).policy, mend)
            return rendering.trial(trial, sets, wanted, await self._change(mend), lines)

        return _begun(self._jobs.start(work))

    async def _change(self, mend: Mend) -> Edit | str:
        """The change of the file, or why there is none."""
        try:
            return await asyncio.to_thread(self._desk.edit, mend)
        except (PolicyError, Unavailable) as error:
            return str(error)

    async def _save(self, saving: Saving) -> Response:
        change = await asyncio.to_thread(self._desk.edit, saving.mend())
        await asyncio.to_thread(policy_file.save, change, saving.digest)
        return JSONResponse({"html": rendering.saved(change)}, headers=_HEADERS)

    async def _job(self, job_id: str) -> Response:
        job = self._jobs.find(job_id)
        if job is None:
            return JSONResponse({"error": "This is not known any more; load the page again."}, 404, _HEADERS)
        told: dict[str, Any] = {"step": job.step, "done": job.done, "of": job.of}
        return JSONResponse(told | {"html": job.html, "error": job.error}, headers=_HEADERS)


def beside(api: ASGIApp, page: AuthorPage) -> ASGIApp:
    """An app that gives the author's page what lies below its place, and the API all else."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        is_author = scope["type"] == "http" and (path == PLACE or path.startswith(f"{PLACE}/"))
        await (page if is_author else api)(scope, receive, send)

    return serve


async def _file(name: str) -> Response:
    if name not in _FILES:
        return Response(status_code=404)
    path = Path(__file__).parent / name
    read = partial(stylesheet, path) if path.suffix == ".css" else path.read_bytes
    return Response(await asyncio.to_thread(read), media_type=_FILES[name], headers=_HEADERS)


async def _told(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 409 if isinstance(error, PolicyError) else 503, _HEADERS)


def _begun(job: Job) -> Response:
    return JSONResponse({"id": job.id}, 202, _HEADERS)


def _html(page: str, status: int = 200) -> Response:
    return Response(page, status, _HEADERS, "text/html; charset=utf-8")
