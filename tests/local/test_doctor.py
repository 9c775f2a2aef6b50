"""Checks that find what keeps readers from an answer before readers do, each cause on its own line."""

import json

import boto3
import pytest

from bookbound.access.credentials import Client
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.local.cli import run
from bookbound.local.doctor import doctor
from bookbound.local.stage import outputs, settings_for
from testing.hosting import hosted
from testing.small_book import PAGES
from testing.vendors.bedrock import Bedrock
from testing.vendors.cohere import TRIAL
from testing.vendors.misbehaviours import Misbehaviour
from tests.local.deployed import world

OF_A_STAGE = [
    *("secret", "embedder cohere", "limits cohere", "generator claude", "limits claude"),
    *("qdrant", "limits qdrant", "live version", "index embedder", "index points"),
    *("snapshot", "index awake", "audit streams", "audit queue", "readers"),
]


@pytest.fixture
def stage(monkeypatch, tmp_path):
    """A stage with vendors; nothing deployed yet."""
    with world(monkeypatch) as found:
        yield found


@pytest.fixture
def sound(stage, tmp_path):
    """A stage that is as it should be, to be broken."""
    stage.deploy()
    stage.publish(tmp_path)
    return stage


def checks():
    found = outputs("dev")
    return {one.name: one for one in doctor(settings_for(found), found)}


def wrong():
    return {name: one for name, one in checks().items() if not one.ok}


def only_wrong():
    [one] = wrong().values()
    return one


def test_a_sound_stage_passes_every_check(sound):
    """In the order in which a question meets them."""
    found = checks()
    assert list(found) == OF_A_STAGE
    assert [one.remedy for one in found.values()] == [None] * len(found)
    assert found["live version"].found == "kestrel v1, 2 pages"
    assert found["index points"].found == "2 of 2 windows, vectors of 1024"
    assert found["readers"].found == "0 clients with a key, 1 origins"


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "lacks claude_api_key, cohere_api_key, qdrant_url, qdrant_api_key"),
        ("not-json-but-a-key", "holds no JSON object"),
        ('["claude"]', "holds no JSON object"),
        ('{"claude_api_key": " ", "cohere_api_key": "k", "qdrant_url": "u", "qdrant_api_key": "k"}', "lacks"),
        (
            '{"claude_api_key": "k\\n", "cohere_api_key": "k", "qdrant_url": "u", "qdrant_api_key": "k"}',
            "has a space, a line break or no ASCII in claude_api_key",
        ),
    ],
    ids=["empty", "no JSON", "no object", "blank", "line end"],
)
def test_a_secret_that_is_not_filled_is_shown_with_the_command_that_fills_it(sound, text, said):
    """No vendor is asked then, the rest is looked at all the same, and no value is printed."""
    sound.fill(text)
    found = checks()
    assert list(found) == ["secret", "index awake", "audit streams", "audit queue", "readers"]
    assert said in found["secret"].found
    assert "put-secret-value --secret-id vendors" in found["secret"].remedy
    assert "not-json-but-a-key" not in f"{found}"


def test_a_qdrant_url_that_would_send_the_key_in_the_clear_is_shown(sound):
    """The service would refuse to start with it."""
    sound.fill(json.dumps(sound.keys | {"qdrant_url": "http://qdrant.example"}))
    assert "must be https" in only_wrong().found


@pytest.mark.parametrize(
    ("key", "name", "said"),
    [
        ("claude_api_key", "generator claude", "Claude answered 401"),
        ("cohere_api_key", "embedder cohere", "status 401"),
        ("qdrant_api_key", "qdrant", "status 401"),
    ],
)
def test_a_key_that_its_vendor_refuses_is_named(sound, key, name, said):
    """By its name in the secret; the other vendors' lines stay well."""
    sound.fill(json.dumps(sound.keys | {key: "wrong"}))
    one = wrong()[name]
    assert said in one.found
    assert f"check {key} in vendors" in one.remedy
    assert "wrong" not in one.found


@pytest.mark.parametrize(
    ("vendor", "misbehaviour", "name", "said"),
    [
        ("claude", Misbehaviour.STATUS_404, "generator claude", "404"),
        ("claude", Misbehaviour.STATUS_529, "generator claude", "529"),
        ("cohere", Misbehaviour.STATUS_404, "embedder cohere", "404"),
        ("cohere", Misbehaviour.WRONG_DIMENSION, "embedder cohere", "ValueError"),
        ("qdrant", Misbehaviour.STATUS_500, "qdrant", "500"),
        ("qdrant", Misbehaviour.EMPTY_BODY, "qdrant", "failed"),
    ],
    ids=lambda value: value.name.lower() if isinstance(value, Misbehaviour) else None,
)
def test_a_vendor_that_fails_is_named_with_what_it_said(sound, vendor, misbehaviour, name, said):
    """Status or kind of failure, and what to look at."""
    getattr(sound, vendor).misbehaviour = misbehaviour
    one = wrong()[name]
    assert said in one.found
    assert one.remedy


@pytest.mark.rule("S5")
def test_a_stage_with_claude_by_its_role_needs_no_key_of_anthropics(stage):
    """What is wrong there is a matter of rights, ids and quotas, and the remedy says so."""
    with hosted(Bedrock(misbehaviour=Misbehaviour.STATUS_403)) as vendor:
        stage.deploy(
            BOOKBOUND_GENERATOR="bedrock",
            BOOKBOUND_BEDROCK_MODEL="us.anthropic.claude-x",
            BOOKBOUND_BEDROCK_REGION="us-east-1",
            BOOKBOUND_BEDROCK_URL=vendor.url,
        )
        stage.fill(json.dumps({name: value for name, value in stage.keys.items() if "claude" not in name}))
        found = checks()
    assert found["secret"].ok
    assert "403" in found["generator bedrock"].found
    assert "may your own role invoke the model" in found["generator bedrock"].remedy
    assert [one.path for one in vendor.requests] == ["/model/us.anthropic.claude-x/invoke"]


def test_models_of_two_vector_spaces_are_told_apart(sound):
    """Each embeds well alone, and no question would ever find a passage."""
    mirrored = sound.cohere.embed

    def embed(texts):
        turned = sound.cohere.requests[-1].json["input_type"] == "search_query"
        return [vector[::-1] if turned else vector for vector in mirrored(texts)]

    sound.cohere.embed = embed
    assert "do not share a vector space" in only_wrong().found


def test_a_stage_without_a_book_says_how_to_publish_one(stage):
    """The first thing to do after the first deploy."""
    stage.deploy()
    one = only_wrong()
    assert (one.name, one.found) == ("live version", "book kestrel has none")
    assert "bookbound publish DOCS --stage" in one.remedy


def test_a_manifest_that_is_gone_or_broken_is_shown(sound):
    """The pointer names a version that cannot be opened."""
    for content in (None, b"{"):
        sound.change("manifest.json", content)
        assert only_wrong().found == "the manifest of kestrel v1 is missing or unreadable"


def test_an_index_of_another_embedder_is_shown(stage, tmp_path):
    """Its vectors would be compared with those of another model."""
    stage.deploy()
    stage.publish(tmp_path, embedder="cohere-embed-v4.0-1024")
    assert only_wrong().found == (
        "cohere-embed-v4.0-1024, 1024 dimensions, but questions go to cohere-embed-v5.0-pro-1024, "
        "1024 dimensions"
    )


def test_a_collection_that_is_gone_is_shown(sound):
    """A cluster that was created again is such a case."""
    sound.change("collection", b"nonesuch")
    one = only_wrong()
    assert one.found == "the Qdrant server answered with status 404"
    assert one.remedy == "build it anew: bookbound books rebuild kestrel --stage …"


def test_vectors_of_another_size_are_shown(sound, tmp_path):
    """The manifest promises what the collection does not hold."""
    sound.publish(tmp_path / "other", dimensions=512)
    sound.change("manifest.json", manifest_with(dimensions=1024))
    assert only_wrong().found == "2 of 2 windows, vectors of 512"


def test_missing_points_are_counted(sound):
    """The collection was emptied, or a copy of it was never finished."""
    sound.change("manifest.json", manifest_with(windows=3))
    assert only_wrong().found == "2 of 3 windows, vectors of 1024"


def manifest_with(**changes):
    found = boto3.client("s3").get_object(Bucket="books", Key="books/kestrel/versions/v1/manifest.json")
    return json.dumps(json.load(found["Body"]) | changes).encode()


def test_an_audit_trail_that_is_gone_is_shown(sound):
    """Both ways that a record can take are checked separately."""
    boto3.client("firehose").delete_delivery_stream(DeliveryStreamName="audit-stream-other")
    boto3.client("sqs").delete_queue(QueueUrl=outputs("dev").audit_queue_url)
    found = wrong()
    assert list(found) == ["audit streams", "audit queue"]
    assert {one.remedy for one in found.values()} == {"make deploy STAGE=dev"}


def test_a_stage_that_nobody_can_ask_is_shown(stage, tmp_path):
    """Neither an origin nor a client with a key that still counts."""
    stage.deploy(BOOKBOUND_ORIGINS="[]")
    stage.publish(tmp_path)
    registry = ClientRegistry(boto3.client("dynamodb"), "table")
    registry.add(Client("site", "0" * 64, revoked=True))
    assert "bookbound clients add NAME --stage dev" in only_wrong().remedy
    registry.add(Client("school", "0" * 64))
    assert wrong() == {}


def test_what_the_vendors_allow_is_told_in_questions_per_minute(sound):
    """Claude's and Qdrant's in figures of the server's own, Cohere's of a production key by its documents."""
    found = {name: one.found for name, one in checks().items() if name.startswith("limits")}
    assert found == {
        "limits claude": "1,000 requests, 450,000 input tokens, 90,000 output tokens per minute: "
        "172 questions per minute, by input tokens",
        "limits cohere": "a production key: 2,000 texts per minute: 2,000 questions per minute, by texts; "
        "400 during an ingest",
        "limits qdrant": "1.0 GiB memory, 4.0 GiB disk, the size of Qdrant Cloud's free cluster, suspended "
        "after a week without questions and deleted later; no limit on questions per minute",
    }
    assert sound.claude.requests[-1].json["max_tokens"] == 1


def test_a_trial_key_is_wrong_on_a_stage(sound):
    """Its thousand calls per month are gone in a morning."""
    sound.cohere.trial = TRIAL
    one = only_wrong()
    assert one.found == (
        "a trial key: 100 calls, 2,000 texts per minute: 100 questions per minute, by calls, "
        "and 1,000 calls per month, 33 questions per day"
    )
    assert "production key" in one.remedy


@pytest.mark.parametrize("kind", ["requests", "input-tokens", "output-tokens"])
def test_a_limit_below_one_readers_questions_is_wrong(sound, kind):
    """Readers would get 503 before they reach their own limit."""
    sound.claude.limits[kind] = 19
    one = only_wrong()
    assert one.name == "limits claude"
    assert f"by {kind.replace('-', ' ')}" in one.found
    assert one.remedy.startswith("one reader may ask 20 per minute: take a higher tier")


def test_a_collections_own_limit_on_reads_counts(sound):
    """Each search of a question's one request is a read."""
    sound.qdrant.strict = {"enabled": True, "read_rate_limit": 30}
    one = only_wrong()
    assert "30 searches per minute: 10 questions per minute" in one.found
    assert "read_rate_limit" in one.remedy
    sound.qdrant.strict = {"enabled": False, "read_rate_limit": 30}
    assert wrong() == {}


def test_limits_that_a_vendor_does_not_tell_are_no_fault(sound):
    """A proxy may strip headers, and a larger cluster is not suspended."""
    sound.claude.limits = {}
    sound.qdrant.system = {"ram_size": 4 << 20, "disk_size": 16 << 20}
    found = checks()
    assert [name for name, one in found.items() if not one.ok] == []
    assert found["limits claude"].found == "not told: the reply has no anthropic-ratelimit headers"
    assert "suspended" not in found["limits qdrant"].found
    sound.qdrant.misbehaviour_at["/telemetry"] = Misbehaviour.STATUS_403
    assert checks()["limits qdrant"].found == "not told: the key may not read the server's telemetry"


def test_a_stage_that_does_not_keep_its_index_awake_is_shown(sound):
    """Its rule was disabled, and then the alarm rings."""
    assert checks()["index awake"].found == (
        "a question by itself, rate(6 hours), is ENABLED; IndexAsleep is OK"
    )
    events, alarms = boto3.client("events"), boto3.client("cloudwatch")
    events.disable_rule(Name="heartbeat")
    assert only_wrong().remedy == "make deploy STAGE=dev"
    events.enable_rule(Name="heartbeat")
    alarms.set_alarm_state(AlarmName="index-asleep", StateValue="ALARM", StateReason="test")
    assert only_wrong().remedy == "see docs/operations.md#indexasleep"
    alarms.delete_alarms(AlarmNames=["index-asleep"])
    assert "IndexAsleep is missing" in only_wrong().found


def test_this_machine_is_checked_without_a_stage(tmp_path, monkeypatch, capsys):
    """The bundled model and the built-in generator need no settings; only a book is missing."""
    monkeypatch.chdir(tmp_path)
    assert run(["doctor", "--json"]) == 1
    before = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["ok"]) for one in before["checks"]] == [
        ("embedder minilm", True),
        ("generator extractive", True),
        ("live version", False),
    ]
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).write_text(text)
    assert run(["ingest", "docs"]) == 0
    capsys.readouterr()
    assert run(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok"] * 5
    assert "3 of 3 windows" in lines[-1]


def test_a_wrong_line_is_printed_with_its_remedy_and_ends_in_exit_code_1(sound, capsys):
    """The output is the one that a person at a terminal reads."""
    sound.change("manifest.json", None)
    assert run(["doctor", "--stage", "dev"]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("WRONG"))
    assert lines[at].split()[:3] == ["WRONG", "live", "version"]
    assert lines[at + 1].strip().startswith("→ publish the book again")
