"""A stage as its stacks show it: what they put out, and one clear line where they don't."""

import json

import boto3
import pytest

from bookbound.errors import Unavailable
from bookbound.evaluation.records import InputError
from bookbound.local.stage import STAGES, outputs, settings_for
from infra import stages
from tests.local.deployed import VARIABLES, account, deploy


@pytest.fixture(name="account")
def one(monkeypatch):
    """An account, with nothing in it."""
    with account(monkeypatch):
        yield


@pytest.fixture
def no_account(monkeypatch, tmp_path):
    """Simulate a machine on which no user has signed in."""
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    # boto3's own session keeps the credentials that it found first, for the life of the process.
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)


def test_the_stages_are_those_that_can_be_deployed():
    """A stage that infra has and the command line lacks could be deployed, and not be looked at."""
    assert tuple(stage.name for stage in (*stages.STAGES, stages.TRIAL)) == STAGES


def test_the_outputs_of_all_stacks_are_found_by_name(account):
    """Each stack adds its own."""
    deploy("dev")
    found = outputs("dev")
    assert (found.stage, found.books_bucket, found.url) == ("dev", "books", "https://api.example/live")
    assert (found.api_function, found.dashboard) == ("api-function", "dashboard")


def test_the_settings_are_those_of_the_function(account, monkeypatch):
    """A setting on this machine does not count, be it a key or another model."""
    monkeypatch.setenv("BOOKBOUND_CLAUDE_MODEL", "claude-of-this-machine")
    monkeypatch.setenv("BOOKBOUND_CLAUDE_API_KEY", "key-of-this-machine")
    deploy("dev", variables=VARIABLES | {"BOOKBOUND_COHERE_DIMENSIONS": "512"})
    settings = settings_for(outputs("dev"))
    assert (settings.cohere_dimensions, settings.claude_model) == (512, "claude-haiku-5-5")
    assert (settings.claude_api_key, settings.vendors_secret, settings.table) == (None, "vendors", "table")
    assert settings.origins == ("https://book.example",)


def test_a_function_with_variables_that_make_no_settings_is_named(account):
    """The variables were edited by hand."""
    deploy("dev", variables=VARIABLES | {"BOOKBOUND_EMBEDDER": "nonesuch"})
    with pytest.raises(Unavailable, match="the environment of api-function makes no settings"):
        settings_for(outputs("dev"))


def test_an_unknown_stage_is_told_from_one_that_is_not_deployed(account):
    """The one is a slip of the keyboard, the other wants a command, which is named."""
    with pytest.raises(InputError, match="unknown stage 'prd'; there are dev, staging, prod"):
        outputs("prd")
    with pytest.raises(Unavailable, match="no stack bookbound-dev-state; run: make deploy STAGE=dev"):
        outputs("dev")


def test_a_stack_that_lacks_an_output_names_it(account):
    """A deploy that was never finished, or an older one."""
    deploy("dev")
    template = json.dumps({"Resources": {"T": {"Type": "AWS::SNS::Topic"}}})
    boto3.client("cloudformation").update_stack(
        StackName="bookbound-dev-observability", TemplateBody=template
    )
    with pytest.raises(
        Unavailable, match="has no output AlarmTopic, Dashboard, IndexAsleep; deploy it again"
    ):
        outputs("dev")


def test_without_a_region_the_line_says_how_to_set_one(no_account):
    """No request goes to AWS."""
    with pytest.raises(InputError, match="no AWS region is set; export AWS_DEFAULT_REGION"):
        outputs("dev")


def test_without_credentials_the_line_says_how_to_sign_in(no_account, monkeypatch):
    """The region alone opens nothing."""
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    with pytest.raises(InputError, match="credentials; sign in"):
        outputs("dev")
