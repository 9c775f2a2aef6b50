"""The authorizer behind a gateway: who gets in, with what, and who does not."""

import time

import boto3
import pytest

from bookbound import wiring
from bookbound.access.authorizer import Authorizer, Unauthorized
from bookbound.access.credentials import Grant
from bookbound.errors import Unavailable
from bookbound.settings import Settings
from tests.authorizer.conftest import ARN, Stage, event, key

BROWSER = Grant("browser-1", ("ros2",), ("https://book.example",), address="0123456789abcdef")
NOW = 1_800_000_000


def settings() -> Settings:
    """Return the settings of an API function."""
    streams = ("audit_stream_personal", "audit_stream_other")
    names = ("books_bucket", "book", *streams, "audit_bucket", "vendors_secret")
    return Settings(
        stage="dev",
        generator="claude",
        embedder="cohere",
        audit_queue_url="https://sqs.example/queue",
        signing_secret="signing",
        table="table",
        **{name: name for name in names},
    )


def nobody(_: str) -> None:
    """Knows no client and no token."""


@pytest.mark.rule("S1")
def test_a_key_lets_its_client_in(stage: Stage) -> None:
    """The client's id goes on to the API, and so into the audit record."""
    stage.add()
    policy = stage.authorizer().policy(event(f"Bearer {key('a')}"))
    assert policy["context"] == {"client_id": "campus", "limit": "100"}
    assert policy["principalId"] == "campus"


@pytest.mark.rule("S1")
def test_what_a_client_may_goes_on_with_it(stage: Stage) -> None:
    """The API holds it to them, call by call, and to its limit and its sites."""
    stage.add(books=("gazebo", "ros2"), limit=7, origins=("https://book.example",))
    policy = stage.authorizer().policy(event(f"Bearer {key('a')}"))
    assert policy["context"] == {
        "client_id": "campus",
        "books": "gazebo,ros2",
        "origins": "https://book.example",
        "limit": "7",
    }


@pytest.mark.rule("S4")
def test_a_token_lets_a_browser_in(stage: Stage) -> None:
    """Origin, book and address go on with it."""
    token = stage.signer().sign(BROWSER, int(time.time()))
    assert stage.authorizer().policy(event(f"Bearer {token}"))["context"] == {
        "client_id": "browser-1",
        "books": "ros2",
        "origins": "https://book.example",
        "limit": "100",
        "address": "0123456789abcdef",
    }


@pytest.mark.rule("S4")
def test_the_token_that_the_api_gives_lets_its_browser_in(stage: Stage) -> None:
    """Both read the same secret, by separate settings."""
    access = wiring.build(settings()).access
    assert access is not None
    token = access.sign(BROWSER, int(time.time()))
    assert stage.authorizer().policy(event(f"Bearer {token}"))["principalId"] == "browser-1"


@pytest.mark.rule("S1")
def test_the_policy_holds_for_every_call_that_it_may_be_kept_for(stage: Stage) -> None:
    """The gateway keeps it by the header alone: one for /v1/chat alone would shut out the next call."""
    stage.add()
    [statement] = stage.authorizer().policy(event(f"Bearer {key('a')}"))["policyDocument"]["Statement"]
    stage_arn = ARN.removesuffix("/POST/v1/chat")
    assert (statement["Effect"], statement["Action"]) == ("Allow", "execute-api:Invoke")
    assistants = [f"{stage_arn}/{method}/mcp{below}" for method in ("POST", "GET") for below in ("", "/*")]
    assert statement["Resource"] == [f"{stage_arn}/POST/v1/*", *assistants]


@pytest.mark.rule("S1")
@pytest.mark.parametrize("name", ["Authorization", "authorization", "AUTHORIZATION"])
def test_the_headers_name_comes_in_any_case(stage: Stage, name: str) -> None:
    """It is as the caller spelt it."""
    stage.add()
    assert stage.authorizer().policy(event(f"bearer {key('a')} ", name=name))["principalId"] == "campus"


@pytest.mark.rule("S1")
def test_headers_of_two_spellings_are_two_headers(stage: Stage) -> None:
    """A proxy in between may read the one, and the authorizer the other."""
    stage.add()
    both = event(f"Bearer {key('a')}")
    both["multiValueHeaders"]["authorization"] = [f"Bearer {key('a')}"]
    with pytest.raises(Unauthorized):
        stage.authorizer().policy(both)


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    "sent",
    [
        [],
        None,
        {},
        {"methodArn": ARN},
        {"methodArn": "*", "multiValueHeaders": {"Authorization": [f"Bearer {key('a')}"]}},
        {"methodArn": ARN, "multiValueHeaders": [f"Bearer {key('a')}"]},
        {"methodArn": ARN, "multiValueHeaders": {"Authorization": f"Bearer {key('a')}"}},
        {"methodArn": ARN, "multiValueHeaders": {"Authorization": [7]}},
        {"methodArn": ARN, "multiValueHeaders": {"Authorization": None}},
    ],
)
def test_what_no_gateway_sends_lets_nobody_in(stage: Stage, sent: object) -> None:
    """It is refused as a wrong key is, never by a traceback."""
    stage.add()
    with pytest.raises(Unauthorized):
        stage.authorizer().policy(sent)


@pytest.mark.rule("S1")
def test_a_revoked_key_is_out_at_the_next_question_to_the_authorizer(stage: Stage) -> None:
    """The authorizer caches nothing; the gateway caches for 60 seconds at most."""
    stage.add()
    authorizer = stage.authorizer()
    authorizer.policy(event(f"Bearer {key('a')}"))
    stage.registry.revoke("campus")
    with pytest.raises(Unauthorized):
        authorizer.policy(event(f"Bearer {key('a')}"))


@pytest.mark.rule("S1")
def test_an_old_key_ends_when_its_time_is_over(stage: Stage) -> None:
    """By the clock of the one who checks."""
    stage.registry.rotate(stage.add(), "0" * 64, NOW)
    early = Authorizer(stage.registry.find, nobody, lambda: NOW - 1.0)
    late = Authorizer(stage.registry.find, nobody, lambda: float(NOW))
    assert early.policy(event(f"Bearer {key('a')}"))["principalId"] == "campus"
    with pytest.raises(Unauthorized):
        late.policy(event(f"Bearer {key('a')}"))


@pytest.mark.rule("S1")
def test_without_the_table_nobody_gets_in(stage: Stage) -> None:
    """The error reaches the gateway, which then lets no caller pass; it is no policy and no 401."""
    stage.add()
    authorizer = stage.authorizer()
    boto3.client("dynamodb").delete_table(TableName="table")
    with pytest.raises(Unavailable):
        authorizer.policy(event(f"Bearer {key('a')}"))


@pytest.mark.rule("S4")
def test_without_the_signing_secret_no_browser_gets_in(stage: Stage) -> None:
    """While keys go on to work."""
    stage.add()
    token = stage.signer().sign(BROWSER, int(time.time()))
    authorizer = stage.authorizer()
    boto3.client("secretsmanager").delete_secret(SecretId="signing", ForceDeleteWithoutRecovery=True)
    with pytest.raises(Unavailable):
        authorizer.policy(event(f"Bearer {token}"))
    assert authorizer.policy(event(f"Bearer {key('a')}"))["principalId"] == "campus"
