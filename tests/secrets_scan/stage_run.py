"""`python -m tests.secrets_scan.stage_run FOLDER [--short]`: a stage at work, with new secrets.

Ingest, answers, refusals, verdicts, strangers, limits, and every fault of every vendor, which quotes back the
key that it was sent. All of it runs in this process over moto, so that its output is what functions log. What
it leaves behind anywhere else, the secrets, and the result of each call go into the file RESULT.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import pickle
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import boto3
from pytest import MonkeyPatch

from bookbound.access import credentials as access
from bookbound.access.credentials import Client
from bookbound.adapters.aws.client_registry import ClientRegistry
from functions.authorizer import wiring
from testing.job.stage import Context, JobStage, job_stage
from testing.runtime.authorization import Authorization
from testing.runtime.contract import read
from testing.runtime.events import Request
from testing.runtime.gateway import Gateway, Response
from testing.runtime.world import FOLDER
from testing.serial_moto import serial
from testing.staged import OTHER, PERSONAL, QUESTION
from testing.vendors.misbehaviours import CASES, Misbehaviour
from testing.vendors.vendor import Vendor
from tests.access.invoking import Handler, InProcess
from tests.secrets_scan.at_work import RESULT, Run

SITE = "https://book.example"
TRIES = 10
"""Tries of the first question, on a busy machine."""

SHORT = (Misbehaviour.STATUS_401, Misbehaviour.STATUS_403, Misbehaviour.STATUS_500)
SLOW = {
    *(Misbehaviour.CONNECT_HANGS, Misbehaviour.LATE_HEADERS),
    *(Misbehaviour.TRICKLED_BODY, Misbehaviour.STALLED_BODY),
}
"""Left out: nothing comes back that could be written down, and each takes the seconds of a deadline."""


@dataclass
class Caller:
    """Calls a stage and notes what came back; a token alone may be in an answer."""

    gateway: Gateway
    run: Run

    def __call__(
        self, name: str, body: Any, path: str = "/v1/chat", origin: str = SITE, credential: str = ""
    ) -> Response:
        headers = [("Content-Type", "application/json"), ("Origin", origin)]
        if credential:
            headers.append(("Authorization", f"Bearer {credential}"))
        answered = self.gateway.answer(
            Request("POST", path, headers, body=json.dumps(body).encode(), source_ip="203.0.113.7")
        )
        self.run.statuses[name] = answered.status
        if path != "/v1/sessions":
            self.run.written[f"answer: {name}"] = answered.body + repr(answered.headers).encode()
        return answered


def main(folder: str, *options: str) -> None:
    """Run, and leave the result in the folder."""
    run, own = Run(), Path(folder, "stage")
    own.mkdir()
    with ExitStack() as stack:
        patch = stack.enter_context(MonkeyPatch.context())
        job = stack.enter_context(job_stage(own, patch.setenv))
        segments = stack.enter_context(_daemon(patch.setenv))
        _draw_keys(job, run)
        _furnish(job, patch.setenv)
        run.statuses["ingest"] = _ingested(job, "good")
        # The state machine calls from within a call, so it cannot be serial.
        with _stage(run) as caller, serial():
            credentials = _clients(run)
            _ask_everything(caller, credentials)
            _ask_of_faulty_vendors(job, caller, credentials["campus"], short="--short" in options)
            _ask_without_streams(caller, credentials["campus"])
        for vendor in job.staged.vendors():
            vendor.misbehaviour = Misbehaviour.STATUS_401
            run.statuses[f"ingest: {vendor.name}"] = _ingested(job, vendor.name)
            vendor.misbehaviour = None
        run.written |= dict(_left_behind(job, own))
        run.written["segments"] = b"\n".join(segments)
    Path(folder, RESULT).write_bytes(pickle.dumps(asdict(run)))


def _draw_keys(job: JobStage, run: Run) -> None:
    """New keys for the vendors, of which each tells in its errors which one it was sent."""
    for vendor, key in zip(job.staged.vendors(), _keys(), strict=True):
        run.secrets[f"{vendor.name}'s key"] = vendor.api_key = key
        vendor.error = _quoting(vendor)  # type: ignore[method-assign]
    signing = {"kid": "now", "key": secrets.token_urlsafe(32)}
    signing |= {"previous_kid": "before", "previous_key": secrets.token_urlsafe(32)}
    run.secrets |= {"signing key": signing["key"], "signing key before": signing["previous_key"]}
    boto3.client("secretsmanager").create_secret(Name="signing", SecretString=json.dumps(signing))
    job.staged.keep_keys()


def _keys() -> Iterator[str]:
    yield f"sk-ant-api03-{secrets.token_urlsafe(60)}"
    yield secrets.token_hex(20)
    yield secrets.token_urlsafe(32)


def _quoting(vendor: Vendor) -> Callable[..., Any]:
    error = vendor.error
    return lambda status, message=None: error(
        status, f"{message or 'Incorrect API key provided'}: {vendor.api_key}"
    )


def _furnish(job: JobStage, environment: Callable[[str, str], None]) -> None:
    """Set up what the API's function finds in addition to what the ingest does."""
    settings = job.staged.settings
    for name, value in {
        "GENERATOR": "claude",
        "CLAUDE_URL": job.staged.claude.url,
        "SIGNING_SECRET": "signing",
        "ORIGINS": json.dumps([SITE]),
        "AUDIT_STREAM_PERSONAL": PERSONAL,
        "AUDIT_STREAM_OTHER": OTHER,
        "AUDIT_QUEUE_URL": settings.audit_queue_url,
        "AUDIT_BUCKET": "audit",
        "TOKENS_PER_ADDRESS": "3",
        "DATA": str(settings.data),
    }.items():
        environment(f"BOOKBOUND_{name}", str(value))


@contextmanager
def _daemon(environment: Callable[[str, str], None]) -> Iterator[list[bytes]]:
    """Takes what is sent to X-Ray while the block lasts; every request is sampled."""
    taken: list[bytes] = []
    daemon = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    daemon.bind(("127.0.0.1", 0))

    def take() -> None:
        while segment := daemon.recv(65536):
            taken.append(segment)

    environment("LAMBDA_TASK_ROOT", "/var/task")
    environment("AWS_XRAY_DAEMON_ADDRESS", f"127.0.0.1:{daemon.getsockname()[1]}")
    environment(
        "_X_AMZN_TRACE_ID",
        "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1",
    )
    thread = threading.Thread(target=take)
    thread.start()
    try:
        yield taken
    finally:
        daemon.sendto(b"", daemon.getsockname())
        thread.join()
        daemon.close()


@contextmanager
def _stage(run: Run) -> Iterator[Caller]:
    """Gateway, authorizer and API, as the environment names them."""
    contract, context = read(FOLDER), Context()
    authorizer = wiring.build(os.environ)

    def api() -> Handler:
        loaded = importlib.import_module("functions.api.handler")
        asyncio.get_event_loop().run_until_complete(loaded.system.warm())
        return lambda event, _: loaded.handler(event, context)

    functions = InProcess(api), InProcess(lambda: lambda event, _: authorizer.policy(event))
    try:
        yield Caller(Gateway(contract, functions[0], Authorization(functions[1], 60)), run)
    finally:
        for function in functions:
            function.close()


def _clients(run: Run) -> dict[str, str]:
    """Keys by client; one of them is revoked, one has asked enough after two questions."""
    registry, keys = ClientRegistry(boto3.client("dynamodb"), "table"), {}
    for client in (Client("campus", "", limit=10_000), Client("hasty", "", limit=2), Client("former", "")):
        key = access.key_text(client.client_id, secrets.token_urlsafe(32))
        registry.add(Client(client.client_id, access.key_hash(key), limit=client.limit))
        keys[client.client_id] = key
        run.secrets[f"key of {client.client_id}"] = key[-43:]
    registry.revoke("former")
    return keys


def _ask_everything(caller: Caller, keys: dict[str, str]) -> None:
    """Answers, refusals, verdicts; those who may not, and those who ask too often."""
    question = {"question": QUESTION}
    for _ in range(TRIES):
        answered = caller("answer", question, credential=keys["campus"])
        if answered.status == 200:
            break
    answer_id = json.loads(answered.body).get("answer_id")
    caller("refusal", {"question": "Who won the football match?"}, credential=keys["campus"])
    caller("too long", {"question": "a" * 2000}, credential=keys["campus"])
    caller("no such book", question, "/v1/books/nonesuch/chat", credential=keys["campus"])
    verdict = {"answer_id": answer_id, "verdict": "correct"}
    caller("verdict", verdict, "/v1/feedback", credential=keys["campus"])
    caller("stranger", question)
    caller("revoked", question, credential=keys["former"])
    caller("wrong key", question, credential=keys["campus"][:-5] + "aaaaa")
    for number in range(3):
        caller(f"too often {number}", question, credential=keys["hasty"])
    opened = [caller(f"session {number}", {}, "/v1/sessions") for number in range(4)]
    token = json.loads(opened[0].body)["token"]
    caller.run.secrets["browser token"] = token
    caller("page", question, credential=token)
    caller("page elsewhere", question, origin="https://evil.example", credential=token)
    caller("altered token", question, credential=token[:-4] + "AAAA")


def _ask_of_faulty_vendors(job: JobStage, caller: Caller, key: str, *, short: bool) -> None:
    vendors = {vendor.name: vendor for vendor in job.staged.vendors()}
    for case in CASES:
        vendor = vendors.get(case.vendor)
        if vendor is None or case.misbehaviour in SLOW or (short and case.misbehaviour not in SHORT):
            continue
        vendor.misbehaviour = case.misbehaviour
        caller(str(case), {"question": QUESTION}, credential=key)
        vendor.misbehaviour = None


def _ask_without_streams(caller: Caller, key: str) -> None:
    """Ask with the streams deleted, so that records go to the queue."""
    for name in (PERSONAL, OTHER):
        boto3.client("firehose").delete_delivery_stream(DeliveryStreamName=name)
    caller("without streams", {"question": QUESTION}, credential=key)


def _ingested(job: JobStage, label: str) -> int:
    """200 for a run that ended well, as calls have a status."""
    job.pages["sensors.md"] += f"\n\nThe {label} page is new.\n"
    return 200 if job.ingest(name=f"run-{label}").outcome != "failed" else 503


def _left_behind(job: JobStage, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield everything that is kept anywhere, and what vendors were sent in addition to their keys."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield f"file: {path.relative_to(folder)}", path.read_bytes()
    yield from _objects()
    for url in boto3.client("sqs").list_queues()["QueueUrls"]:
        for number, message in enumerate(_messages(url)):
            yield f"message {number} in {url.rpartition('/')[2]}", json.dumps(message, default=str).encode()
    items = boto3.client("dynamodb").scan(TableName="table")["Items"]
    yield "items", json.dumps(items, default=str).encode()
    yield "executions", json.dumps(list(_executions()), default=str).encode()
    for vendor in job.staged.vendors():
        yield f"sent to {vendor.name}", b"\n".join(request.body for request in vendor.requests)


def _objects() -> Iterator[tuple[str, bytes]]:
    s3 = boto3.client("s3")
    for bucket in s3.list_buckets()["Buckets"]:
        listed = s3.list_object_versions(Bucket=bucket["Name"])
        for one in listed.get("Versions", []):
            got = s3.get_object(Bucket=bucket["Name"], Key=one["Key"], VersionId=one["VersionId"])
            yield f"object: {bucket['Name']}/{one['Key']} ({one['VersionId'][:8]})", got["Body"].read()


def _messages(url: str) -> Iterator[Any]:
    sqs = boto3.client("sqs")
    while found := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        yield from found


def _executions() -> Iterator[Any]:
    client = boto3.client("stepfunctions")
    for machine in client.list_state_machines()["stateMachines"]:
        for one in client.list_executions(stateMachineArn=machine["stateMachineArn"])["executions"]:
            yield client.describe_execution(executionArn=one["executionArn"])
            for page in client.get_paginator("get_execution_history").paginate(
                executionArn=one["executionArn"]
            ):
                yield page["events"]


if __name__ == "__main__":
    main(*sys.argv[1:])
