"""`make trial` as it is typed, up to where AWS is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from testing.loopback import Asked, Reply, answering

ROOT = Path(__file__).parents[2]
DENIED = (
    b"<ErrorResponse><Error><Code>AccessDenied</Code><Message>no account</Message></Error></ErrorResponse>"
)


def test_without_an_account_it_says_so_and_nothing_is_deployed() -> None:
    """One line, no traceback; the first question to AWS is whose credentials these are."""
    asked: list[bytes] = []

    def refuse(request: Asked) -> Reply:
        asked.append(request.body)
        return 403, {"Content-Type": "text/xml"}, DENIED

    with answering(refuse) as url:
        environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith(("AWS_", "BOOKBOUND_"))
            },
            "AWS_ENDPOINT_URL": url,
            "AWS_DEFAULT_REGION": "eu-central-1",
            "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "20",  # as make does
            "AWS_ACCESS_KEY_ID": "nobody",
            "AWS_SECRET_ACCESS_KEY": "nothing",
        }
        command = [sys.executable, "-m", "trials.whole_stage", "trial", "--yes"]
        ran = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=110, check=False
        )
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: AWS does not say whose credentials these are: AccessDenied")
    assert ran.stderr.count("\n") == 1
    assert len(asked) == 1
    assert b"GetCallerIdentity" in asked[0]
