"""Ingest stack's promises to authors: uploads become runs; a run is the file next to its steps."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import ingest_job
from bookbound.adapters.aws.lease import LEASE_SECONDS
from bookbound.settings import JobSettings
from infra.stage import Stage
from infra.stages import PROD
from tests.infra.conftest import API, Synthesised

STEPS = ("begin", "discover", "index", "tally", "finish", "verify", "publish", "prune", "report")
DEFINITION = Path(ingest_job.__file__).parent / "state_machine.asl.json"


def handler(step: str) -> str:
    return f"ingest_job.{step}.handler"


def machine(stack: Synthesised) -> dict[str, Any]:
    """The state machine's properties."""
    (found,) = stack.resources("ingest", "AWS::StepFunctions::StateMachine")
    return found


def rule(stack: Synthesised) -> dict[str, Any]:
    """The properties of what starts a run."""
    (found,) = stack.resources("ingest", "AWS::Events::Rule")
    return found


def tasks(flow: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every task of a flow, those in its maps too."""
    for name, state in flow["States"].items():
        if state["Type"] == "Task":
            yield name, state
        if "ItemProcessor" in state:
            yield from tasks(state["ItemProcessor"])


# --- The flow ------------------------------------------------------------------------------------------


def test_the_state_machine_is_the_file(stack: Synthesised) -> None:
    """They are equal byte for byte: the file shows what runs."""
    assert machine(stack)["DefinitionString"] == DEFINITION.read_text("utf-8")


def test_each_name_in_the_file_is_filled_in_and_no_other(stack: Synthesised) -> None:
    """A step's name means the live version of its function."""
    named = set(re.findall(r"\$\{(\w+)\}", DEFINITION.read_text("utf-8")))
    filled = machine(stack)["DefinitionSubstitutions"]
    assert named == set(filled) == {"BooksBucket", *(f"{step.capitalize()}Function" for step in STEPS)}
    aliases = stack.whole("ingest", "AWS::Lambda::Alias")
    versions = stack.whole("ingest", "AWS::Lambda::Version")
    functions = stack.whole("ingest", "AWS::Lambda::Function")
    for step in STEPS:
        alias = aliases[filled[f"{step.capitalize()}Function"]["Ref"]]["Properties"]
        version = versions[alias["FunctionVersion"]["Fn::GetAtt"][0]]["Properties"]
        assert functions[version["FunctionName"]["Ref"]]["Properties"]["Handler"] == handler(step)


def test_every_step_is_a_task_of_the_flow_and_has_a_module(stack: Synthesised) -> None:
    """Function, state and file go by one name."""
    flow = json.loads(DEFINITION.read_text("utf-8"))
    assert {name.lower() for name, _ in tasks(flow)} == set(STEPS)
    assert {one for one in stack.functions() if one.startswith("ingest_job.")} == set(map(handler, STEPS))
    assert all(find_spec(f"ingest_job.{step}") for step in STEPS)


def test_a_step_is_not_given_up_before_its_function_is(stack: Synthesised) -> None:
    """Its lease does not end while it works; otherwise another run could begin next to it."""
    flow = json.loads(DEFINITION.read_text("utf-8"))
    for name, state in tasks(flow):
        seconds = stack.function(handler(name.lower()))["Timeout"]
        assert seconds < state["TimeoutSeconds"] < LEASE_SECONDS


def test_long_steps_have_the_time_that_lambda_gives(stack: Synthesised) -> None:
    """They get 15 minutes and a whole processor; the others get five, for many deletions."""
    long = {
        step
        for step in STEPS
        if (stack.function(handler(step))["Timeout"], stack.function(handler(step))["MemorySize"])
        == (900, 1769)
    }
    assert long == {"discover", "index", "finish", "verify"}
    assert {stack.function(handler(step))["Timeout"] for step in set(STEPS) - long} == {300}


@pytest.mark.rule("S5")
def test_the_log_tells_of_errors_and_holds_no_data(stack: Synthesised) -> None:
    """Steps pass on references, but causes may quote a book."""
    logging = machine(stack)["LoggingConfiguration"]
    assert (logging["Level"], logging["IncludeExecutionData"]) == ("ERROR", False)
    assert machine(stack)["TracingConfiguration"] == {"Enabled": True}


@pytest.mark.rule("S5")
def test_the_environment_makes_settings(stack: Synthesised) -> None:
    """It is whole for every step, names the vendors' secret and holds none."""
    for step in STEPS:
        variables = stack.function(handler(step))["Environment"]["Variables"]
        values = {
            name.removeprefix("BOOKBOUND_").lower(): value if isinstance(value, str) else "made"
            for name, value in variables.items()
            if name.startswith("BOOKBOUND_")
        }
        assert set(values) <= set(JobSettings.model_fields)
        settings = JobSettings.model_validate(values)
        assert (settings.stage, settings.embedder, settings.book) == (
            stack.stage.name,
            "cohere",
            stack.stage.book,
        )
        assert settings.report_topic == settings.table == settings.books_bucket == "made"
        assert settings.cohere_api_key is settings.qdrant_api_key is None


def test_the_shared_rate_is_the_stages(stack: Synthesised, rich: Synthesised) -> None:
    """The rate is the one that the stage's owner has from Cohere."""
    for one in (stack, rich):
        variables = one.function(handler("index"))["Environment"]["Variables"]
        assert variables["BOOKBOUND_EMBED_RATE"] == str(one.stage.embed_rate)
    assert rich.stage.embed_rate != stack.stage.embed_rate


def embedding_of(stack: Synthesised, of: str) -> tuple[str, str, int]:
    """The models that a function's variables choose."""
    variables = stack.function(of)["Environment"]["Variables"]
    names = ("PASSAGES_MODEL", "QUESTIONS_MODEL", "DIMENSIONS")
    passages, questions, dimensions = (variables[f"BOOKBOUND_COHERE_{name}"] for name in names)
    return passages, questions, int(dimensions)


def test_books_are_embedded_for_the_questions_that_are_asked(stack: Synthesised, rich: Synthesised) -> None:
    """By the API's own models, unless a change to others has begun: then books go first."""
    assert embedding_of(stack, handler("index")) == embedding_of(stack, API)
    assert embedding_of(rich, API) == embedding_of(stack, API)
    assert embedding_of(rich, handler("index")) == ("embed-v6.0-pro", "embed-v6.0-fast", 512)
    assert embedding_of(rich, handler("verify")) == embedding_of(rich, handler("index"))


def test_a_stage_begins_with_the_models_of_the_settings() -> None:
    """A standalone machine and a stage without settings embed alike."""
    embedding = Stage(name="some", disposable=True).embedding
    fields = JobSettings.model_fields
    chosen = [
        fields[f"cohere_{name}"].default for name in ("passages_model", "questions_model", "dimensions")
    ]
    assert [embedding.passages_model, embedding.questions_model, embedding.dimensions] == chosen


# --- What starts a run ---------------------------------------------------------------------------------


@pytest.mark.rule("I4")
def test_an_upload_of_a_book_starts_a_run(stack: Synthesised) -> None:
    """An archive below a book's name, in the books' bucket; nothing else that is written there."""
    pattern = rule(stack)["EventPattern"]
    assert pattern["source"] == ["aws.s3"]
    assert pattern["detail-type"] == ["Object Created"]
    assert pattern["detail"]["object"] == {"key": [{"wildcard": "books/*/*.zip"}]}
    ((bucket,),) = [pattern["detail"]["bucket"]["name"]]
    assert bucket == machine(stack)["DefinitionSubstitutions"]["BooksBucket"]
    (target,) = rule(stack)["Targets"]
    assert target["Arn"]["Ref"] in stack.whole("ingest", "AWS::StepFunctions::StateMachine")
    assert "Input" not in target


@pytest.mark.rule("I4")
def test_an_event_that_starts_no_run_is_tried_for_hours_and_then_kept(stack: Synthesised) -> None:
    """In a queue that only the rule fills, for two weeks."""
    (target,) = rule(stack)["Targets"]
    assert target["RetryPolicy"] == {"MaximumEventAgeInSeconds": 6 * 3600, "MaximumRetryAttempts": 185}
    (queue_id,) = stack.whole("ingest", "AWS::SQS::Queue")
    assert target["DeadLetterConfig"]["Arn"]["Fn::GetAtt"] == [queue_id, "Arn"]
    (queue,) = stack.resources("ingest", "AWS::SQS::Queue")
    assert (queue["MessageRetentionPeriod"], queue["SqsManagedSseEnabled"]) == (14 * 24 * 3600, True)
    (policy,) = stack.resources("ingest", "AWS::SQS::QueuePolicy")
    (allowed,) = [one for one in policy["PolicyDocument"]["Statement"] if one["Effect"] == "Allow"]
    (rule_id,) = stack.whole("ingest", "AWS::Events::Rule")
    assert allowed["Condition"] == {"ArnEquals": {"aws:SourceArn": {"Fn::GetAtt": [rule_id, "Arn"]}}}


# --- What it leaves ------------------------------------------------------------------------------------


def test_reports_are_sent_encrypted(stack: Synthesised) -> None:
    """At rest by the account's own key for topics, and over TLS alone."""
    topic = stack.behind("ingest", "ReportTopic")
    assert str(topic["KmsMasterKeyId"]).endswith(":alias/aws/sns']]}")
    (policy,) = stack.resources("ingest", "AWS::SNS::TopicPolicy")
    (denied,) = policy["PolicyDocument"]["Statement"]
    assert (denied["Effect"], denied["Principal"]) == ("Deny", "*")
    assert denied["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_the_stack_tells_what_commands_need(stack: Synthesised) -> None:
    """The machine to start, the topic to subscribe to, the role to publish as."""
    outputs = stack.templates["ingest"]["Outputs"]
    assert {"IngestMachine", "ReportTopic", "Publisher"} <= set(outputs)
    assert outputs["IngestMachine"]["Value"]["Ref"] in stack.whole(
        "ingest", "AWS::StepFunctions::StateMachine"
    )


def test_events_that_were_not_delivered_outlive_the_stack_in_prod_alone(stack: Synthesised) -> None:
    """They show which uploads were not looked at."""
    (queue,) = stack.whole("ingest", "AWS::SQS::Queue").values()
    kept = {queue["DeletionPolicy"], queue["UpdateReplacePolicy"]}
    assert kept == ({"RetainExceptOnCreate", "Retain"} if stack.stage == PROD else {"Delete"})
