"""`bookbound clients` as an operator meets it, over a stage in moto."""

import json
import time

import boto3
import pytest
from moto import mock_aws

from bookbound.access import credentials
from bookbound.access.credentials import Grant
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.adapters.aws.secrets import Secrets
from bookbound.adapters.crypto.browser_tokens import BrowserTokens
from bookbound.adapters.files.access_file import AccessFile, FileClients, FileSecret
from bookbound.local.cli import run
from tests.local.deployed import OUTPUTS, deploy

TABLE, SECRET = OUTPUTS["state"]["Table"], OUTPUTS["state"]["SigningSecret"]


@pytest.fixture
def stage(monkeypatch):
    """A deployed stage named dev."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    with mock_aws():
        deploy("dev")
        names = {"pk": "HASH", "sk": "RANGE"}
        boto3.client("dynamodb").create_table(
            TableName=TABLE,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in names.items()],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        )
        secret = json.dumps({"kid": "first", "key": "1" * 64})
        boto3.client("secretsmanager").create_secret(Name=SECRET, SecretString=secret)
        yield


@pytest.fixture
def clients(stage, capsys):
    """Runs a command that has to succeed; what it prints."""

    def clients(*arguments):
        assert run(["clients", *arguments, "--stage", "dev"]) == 0, capsys.readouterr().err
        return capsys.readouterr().out.strip()

    return clients


def admitted(key):
    """Return the authorizer's current result for a key."""
    found = credentials.credential([f"Bearer {key}"])
    registry = ClientRegistry(boto3.client("dynamodb"), TABLE)
    return credentials.admit(found, registry.find(found.client_id), time.time())


@pytest.mark.rule("S1")
def test_a_new_client_gets_a_key_that_opens(clients):
    """The key alone is on standard output, so that it can be piped into a secret store."""
    assert admitted(clients("add", "campus")) == Grant("campus")


@pytest.mark.rule("S1")
def test_a_client_can_be_held_to_some_books(clients):
    """The books can be named repeatedly and in any order."""
    key = clients("add", "campus", "--book", "ros2", "--book", "gazebo", "--book", "ros2")
    assert admitted(key) == Grant("campus", ("gazebo", "ros2"))


@pytest.mark.rule("S1", "S2")
def test_a_client_can_have_a_limit_and_sites_of_its_own(clients):
    """A key that pages may use is for those pages alone."""
    sites = ("--origin", "https://b.example", "--origin", "https://a.example")
    key = clients("add", "campus", "--limit", "7", *sites)
    assert admitted(key) == Grant("campus", (), ("https://a.example", "https://b.example"), 7)


@pytest.mark.rule("S1")
def test_without_a_stage_this_machines_clients_are_meant(tmp_path, capsys):
    """The same commands over a file of the data folder."""

    def told(*arguments):
        assert run(["--data", str(tmp_path), "clients", *arguments]) == 0, capsys.readouterr().err
        return capsys.readouterr().out.strip()

    clients = FileClients(AccessFile(tmp_path / "access.db"))
    first, second = told("add", "campus", "--book", "ros2"), told("rotate", "campus")
    for key in (first, second):
        found = credentials.credential([f"Bearer {key}"])
        assert credentials.admit(found, clients.find("campus"), time.time()) == Grant("campus", ("ros2",))
    assert told("revoke", "campus") == "campus is revoked"
    [row] = json.loads(told("list", "--json"))
    assert (row["client_id"], row["state"], row["books"], row["limit"]) == (
        "campus",
        "revoked",
        ["ros2"],
        100,
    )
    before = FileSecret(AccessFile(tmp_path / "access.db")).get()["kid"]
    assert before not in told("rotate-signing")


@pytest.mark.rule("S1")
def test_no_two_keys_are_alike(clients):
    """Each is 256 random bits, in JSON where that is asked for."""
    keys = [json.loads(clients("add", name, "--json"))["key"] for name in ("one", "two", "three")]
    assert len({key[-43:] for key in keys}) == 3


@pytest.mark.rule("S1")
def test_a_rotated_client_has_two_keys_for_a_while(clients):
    """The default is a day; no overlap ends the old one at once."""
    first = clients("add", "campus")
    second = clients("rotate", "campus")
    assert (admitted(first), admitted(second)) == (Grant("campus"), Grant("campus"))
    [row] = json.loads(clients("list", "--json"))
    assert row["old_key_until"].startswith(time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400)))
    third = clients("rotate", "campus", "--overlap", "0")
    assert [isinstance(admitted(key), Grant) for key in (first, second, third)] == [False, False, True]


@pytest.mark.rule("S1")
def test_a_revoked_client_is_out(clients):
    """And stays in the list, since its records do."""
    key = clients("add", "campus")
    clients("add", "library")
    assert clients("revoke", "campus") == "campus is revoked"
    assert admitted(key) == credentials.Denied("revoked")
    table = clients("list").splitlines()
    assert [line.split() for line in table] == [
        ["client", "state", "books", "sites", "a", "minute", "old", "key", "until"],
        ["campus", "revoked", "100", "–"],
        ["library", "active", "100", "–"],
    ]


@pytest.mark.rule("S4")
def test_tokens_of_before_outlive_a_rotation_of_their_key(clients):
    """The next rotation ends them."""
    grant = Grant("browser-1", ("ros2",), ("https://book.example",), address="ad")

    def tokens():
        return BrowserTokens(Secrets(boto3.client("secretsmanager"), SECRET, ("kid", "key")), "dev")

    token = tokens().sign(grant, int(time.time()))
    assert clients("rotate-signing").startswith("tokens are signed with key ")
    assert tokens().check(token) == grant
    assert tokens().check(tokens().sign(grant, int(time.time()))) == grant
    clients("rotate-signing")
    assert tokens().check(token) is None


@pytest.mark.rule("S5")
def test_no_signing_key_is_printed(clients):
    """Its name is."""
    said = clients("rotate-signing")
    held = json.loads(boto3.client("secretsmanager").get_secret_value(SecretId=SECRET)["SecretString"])
    assert held["kid"] in said
    assert held["key"] not in said


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["add", "Campus", "--stage", "dev"], 2, "lower-case"),
        (["add", "campus", "--stage", "dev", "--book", "../x"], 2, "--book"),
        (["add", "campus", "--stage", "nowhere"], 2, "unknown stage"),
        (["add", "campus", "--stage", "dev", "--limit", "0"], 2, "--limit"),
        (["add", "campus", "--stage", "dev", "--origin", "book.example"], 2, "--origin"),
        (["add", "taken", "--stage", "dev"], 1, "taken already"),
        (["rotate", "nobody", "--stage", "dev"], 2, "no client nobody"),
        (["rotate", "taken", "--stage", "dev", "--overlap", "-1"], 2, "--overlap"),
        (["rotate", "former", "--stage", "dev"], 1, "revoked"),
        (["revoke", "nobody", "--stage", "dev"], 1, "no client nobody"),
        (["list", "--stage", "prod"], 1, "not deployed"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(clients, capsys, arguments, code, told):
    """Exit 2 for what was asked wrongly, 1 for what failed."""
    clients("add", "taken")
    clients("add", "former")
    clients("revoke", "former")
    assert run(["clients", *arguments]) == code
    said = capsys.readouterr()
    assert told in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


@pytest.mark.parametrize("content", ["no JSON", "[]", "{}", '{"kid": "first"}'])
def test_a_signing_secret_of_another_form_is_left_alone(stage, capsys, content):
    """The error says which form it has to have."""
    secretsmanager = boto3.client("secretsmanager")
    secretsmanager.put_secret_value(SecretId=SECRET, SecretString=content)
    assert run(["clients", "rotate-signing", "--stage", "dev"]) == 1
    assert '{"kid": "…", "key": "…"}' in capsys.readouterr().err
    assert secretsmanager.get_secret_value(SecretId=SECRET)["SecretString"] == content
