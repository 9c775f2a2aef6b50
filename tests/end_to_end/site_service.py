"""`python -m tests.end_to_end.site_service PORT ORIGIN`: the API as a site's pages meet it, tokens and all.

The local API, with the real signer of browser tokens, and the real authorizer in front, as a gateway asks it.
Its data and generator are those of the environment.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from uuid import uuid4

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from bookbound import wiring
from bookbound.access import Denied
from bookbound.adapters.signing import BrowserTokens
from bookbound.settings import Settings
from functions.api.app import create_app
from functions.api.deps import ApiDeps
from functions.api.problems import problem_response
from functions.api.sessions import Sessions
from functions.authorizer.authorizing import Authorizer
from local import serving

OPEN = ("/v1/sessions", "/v1/health", "/v1/ready")
BOOK = "sample-book"


class OneSecret:
    """A signing secret that is never rotated."""

    def __init__(self) -> None:
        self._secret = {"kid": "one", "key": uuid4().hex * 2}

    def get(self) -> Mapping[str, str]:
        return self._secret

    def refetch(self, outdated: Callable[[Mapping[str, str]], bool]) -> Mapping[str, str]:
        return self._secret


class Authorized:
    """Lets in whom the authorizer lets in, and tells the API what it was told, as a gateway does."""

    def __init__(self, api: ASGIApp, authorizer: Authorizer, origin: str) -> None:
        self._api = api
        self._authorizer = authorizer
        self._origin = origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in OPEN or scope["method"] == "OPTIONS":
            await self._api(scope, receive, send)
            return
        decision = self._authorizer.decide(Headers(scope=scope).getlist("authorization"))
        if isinstance(decision, Denied):
            refusal = problem_response(HTTPException(401), str(uuid4()))
            refusal.headers["Access-Control-Allow-Origin"] = self._origin
            await refusal(scope, receive, send)
            return
        event = {"requestContext": {"authorizer": decision.context()}}
        await self._api({**scope, "aws.event": event}, receive, send)


async def main(port: int, origin: str) -> None:
    """Serve until a signal ends it."""
    settings = Settings()
    tokens = BrowserTokens(OneSecret(), "site-test")
    authorizer = Authorizer(lambda _: None, tokens.check, time.time)
    with serving.listen("127.0.0.1", port) as listening:
        async with wiring.local(settings) as system:
            sessions = Sessions(tokens.sign, [origin], time.time)
            deps = ApiDeps(system.answer, system.ready, system.feedback, book=BOOK, sessions=sessions)
            app = Authorized(create_app(deps, origins=[origin]), authorizer, origin)
            await serving.serve(app, listening, lambda url: print(f"listening at {url}", flush=True))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
