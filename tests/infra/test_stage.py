"""A stage that cannot be deployed says so where it is written, in one line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bookbound.access.credentials import CALLS_A_MINUTE
from infra.stage import Bedrock, ConfigError, Domain, Embedding, Stage
from infra.stages import DEV, PROD, STAGES, stage_named
from tests.infra.test_runbook import OPERATIONS

CERTIFICATE = "arn:aws:acm:eu-central-1:123456789012:certificate/0123"

LIMITS = (
    "questions_per_session",
    "questions_per_address",
    "tokens_per_address",
    "throttle_rate",
    "throttle_burst",
    "requests_per_ip",
    "daily_tokens",
    "when_spent",
)

BAD: list[tuple[dict[str, Any], str]] = [
    ({"name": "Dev"}, "name must have 1 to 16 lower-case letters and digits"),
    ({"book": "../other"}, "book '../other' is no id of a book"),
    ({"origins": ("https://book.example/docs",)}, "origins: 'https://book.example/docs' is no origin"),
    ({"origins": ("https://book.example/",)}, "origins: 'https://book.example/' is no origin"),
    ({"origins": ("http://book.example",)}, "origins: 'http://book.example' is not https"),
    ({"origins": ("*",)}, "origins: '*' is no origin"),
    ({"vendors_secret": ""}, "vendors_secret '' is no secret's ARN; None has one made"),
    ({"vendors_secret": "my-keys"}, "vendors_secret 'my-keys' is no secret's ARN"),
    (
        {"embedding": Embedding(passages_model="", questions_model="b", dimensions=512)},
        "embedding needs the names of both its models",
    ),
    (
        {"next_embedding": Embedding(passages_model="a", questions_model="b", dimensions=128)},
        "next_embedding has 128 dimensions; Cohere's models have 256 to 2048",
    ),
    (
        {"next_embedding": replace(PROD.embedding, questions_model="b")},
        "next_embedding makes the indexes that embedding makes",
    ),
    (
        {"bedrock": Bedrock(model="claude-haiku-5-5")},
        "bedrock's model 'claude-haiku-5-5' is no id",
    ),
    (
        {"bedrock": Bedrock(model="anthropic.claude-x-v1:0", region="Frankfurt")},
        "bedrock's region 'Frankfurt' is none of AWS'",
    ),
    ({"hot_days": 29}, "hot_days is 29; it must be at least 30"),
    ({"retention_days": 90}, "retention_days is 90; it must be at least 120"),
    ({"log_days": 365}, "log_days is 365; it must be one of 1, 3, 7, 14, 30"),
    ({"digest_hours": 12}, "digest_hours is 12; it must be 1 or 24"),
    ({"throttle_rate": 0}, "throttle_rate is 0; it must be at least 1"),
    ({"requests_per_ip": 9}, "requests_per_ip is 9; it must be at least 10"),
    ({"questions_per_session": 0}, "questions_per_session is 0; it must be at least 1"),
    ({"questions_per_address": 0}, "questions_per_address is 0; it must be at least 1"),
    ({"tokens_per_address": 0}, "tokens_per_address is 0; it must be at least 1"),
    ({"daily_tokens": 199_999}, "daily_tokens is 199999; it must be at least 200000"),
    ({"when_spent": "guess"}, 'when_spent is "guess"; it must be "extractive" or "refuse"'),
    ({"embed_rate": 0}, "embed_rate is 0; it must be at least 1"),
    ({"reserved_concurrency": 0}, "reserved_concurrency is 0; it must be at least 1"),
    ({"input_price": -1.0}, "input_price is -1.0; it must be at least 0"),
    (
        {"domain": Domain("https://ask.book.example", CERTIFICATE)},
        "domain 'https://ask.book.example' is no host",
    ),
    ({"domain": Domain("ask.book.example", "mine")}, "domain's certificate 'mine' is no ARN of one in ACM"),
    ({"alarm_email": "owner"}, "alarm_email 'owner' is no address"),
    ({"author_email": "author"}, "author_email 'author' is no address"),
    (
        {"author_repo": "https://github.com/owner/book"},
        "author_repo 'https://github.com/owner/book' is no GitHub",
    ),
    ({"deploy_repo": "owner@42/book"}, "deploy_repo 'owner@42/book' is no GitHub"),
]


@pytest.mark.parametrize(
    ("values", "says"), BAD, ids=[f"{next(iter(values))}-{n}" for n, (values, _) in enumerate(BAD)]
)
def test_a_bad_value_is_told_in_one_line(values: dict[str, Any], says: str) -> None:
    """The line names the stage, the value, and what would do."""
    with pytest.raises(ConfigError) as error:
        Stage(**{"name": "dev", "disposable": True, **values})
    text = str(error.value)
    assert text.startswith(f"stage {values.get('name', 'dev')}: {says}")
    assert "\n" not in text


def test_a_stage_is_found_by_its_name() -> None:
    """The three stages of the project."""
    assert [stage_named(name) for name in ("dev", "staging", "prod")] == list(STAGES)


@pytest.mark.rule("A4")
def test_logs_end_within_a_month() -> None:
    """A log line cannot be erased alone, so none is kept for longer than a month."""
    assert all(stage.log_days <= 30 for stage in STAGES)


@pytest.mark.rule("S2")
def test_the_runbook_tells_the_limits_as_they_are() -> None:
    """A stage that says nothing has these."""
    text = OPERATIONS.read_text("utf-8")
    limits = {name: getattr(DEV, name) for name in LIMITS} | {
        "bookbound clients add --limit N": CALLS_A_MINUTE
    }
    for name, value in limits.items():
        assert f"| `{name}` | {value if isinstance(value, str) else f'{value:,}'} |" in text
