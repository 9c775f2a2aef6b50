"""A function of a stage from its start to its first answer: prints, as JSON, what is imported at each step.

Arguments: the settings, as JSON; the modules to look for, as JSON.
"""

import asyncio
import json
import sys
from uuid import uuid4

from bookbound import wiring
from bookbound.api.app import create_app
from bookbound.api.deps import ApiDeps
from bookbound.api.gateway import behind_gateway
from bookbound.app import App
from bookbound.deadline import Deadline
from bookbound.model import Answered, Outcome, Refused
from bookbound.question import validation
from bookbound.settings import Settings
from tests.api.events import event


def ask(app: App, text: str) -> Outcome:
    """With time for imports on a busy machine, which a reader's five seconds have not."""
    asked = validation.question(text, query_id=uuid4(), session_id=uuid4())
    return asyncio.run(app.answer(asked, None, Deadline(pace=10))).outcome


def main() -> None:
    settings, modules = Settings(**json.loads(sys.argv[1])), json.loads(sys.argv[2])

    def imported() -> list[str]:
        return [name for name in modules if name in sys.modules]

    app = wiring.build(settings)
    handler = behind_gateway(create_app(ApiDeps(app.answer, app.ready, app.feedback)))
    seen = {"built": imported()}
    response = handler(event(body='{"question": ""}'), None)  # type: ignore[arg-type]
    assert response["statusCode"] == 422
    seen["bad request"] = imported()
    assert isinstance(ask(app, "Who won the football match on Sunday in Lisbon?"), Refused)
    seen["refused"] = imported()
    assert isinstance(ask(app, "How often does the lidar of Kestrel scan?"), Answered)
    seen["answered"] = imported()
    print(json.dumps(seen))


main()
