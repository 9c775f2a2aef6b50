"""Contents of a request's trace, and no tracing unless it is asked for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bookbound.access.credentials import Grant
from bookbound.api.arrival import Arrival
from bookbound.api.tracing import annotations_of
from bookbound.deadline import Deadline
from bookbound.errors import Unavailable
from tests.api.samples import ANSWERED, result_of

TRACED = """
import json, os, socket, sys
from bookbound.api import tracing
from bookbound.api.arrival import Arrival
from bookbound.access.credentials import Grant
from bookbound.deadline import Deadline

daemon = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
daemon.bind(("127.0.0.1", 0))
daemon.settimeout(2)
os.environ |= {
    "LAMBDA_TASK_ROOT": "/var/task",
    "AWS_XRAY_DAEMON_ADDRESS": "127.0.0.1:%d" % daemon.getsockname()[1],
    "_X_AMZN_TRACE_ID": (
        "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=" + sys.argv[1]
    ),
}
with tracing.subsegment():
    tracing.annotate(Arrival("request-1", Grant(), Deadline(), 0.0), 200)
sdk = "aws_xray_sdk" in sys.modules
sent = json.loads(daemon.recv(65536).partition(b"\\n")[2]) if sdk else None
print(json.dumps([sdk, sent]))
"""


def traced(sampled: bool) -> list[object]:
    """Return whether the SDK was imported, and the segment that it sent, in a fresh interpreter."""
    command = [sys.executable, "-c", TRACED, str(int(sampled))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def test_a_sampled_request_has_a_subsegment_with_its_correlation_id() -> None:
    """By which the log and the trace of a request are found from each other."""
    imported, sent = traced(True)
    assert imported
    assert isinstance(sent, dict)
    assert sent["trace_id"] == "1-5759e988-bd862e3fe1be46a994272793"
    assert sent["annotations"] == {"correlation_id": "request-1", "status": 200, "outcome": "ok"}


def test_a_request_that_is_not_sampled_imports_nothing() -> None:
    """Tracing that is off costs nothing."""
    assert traced(False) == [False, None]


def test_a_question_is_annotated_with_its_book_and_each_parts_time() -> None:
    """To find the slow ones, and what was slow."""
    arrival = Arrival("id", Grant(), Deadline(), 0.0, asked=True, result=result_of(ANSWERED))
    assert annotations_of(arrival, 200) == {
        "correlation_id": "id",
        "status": 200,
        "outcome": "answered",
        "book": "robotics",
        "retrieval_ms": 96.0,
        "generation_ms": 281.0,
        "verification_ms": 22.0,
    }


@pytest.mark.rule("S5")
def test_a_faults_text_stays_out_of_the_trace() -> None:
    """Its kind is enough."""
    arrival = Arrival("id", Grant(), Deadline(), 0.0, asked=True, error=Unavailable("leak"))
    assert annotations_of(arrival, 503)["outcome"] == "Unavailable"
    assert "leak" not in str(annotations_of(arrival, 503))
