"""Definition of a stage, and the values that it refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from aws_cdk import RemovalPolicy
from aws_cdk import aws_logs as logs
from pydantic import TypeAdapter, ValidationError

from bookbound.errors import BookNotFound
from bookbound.question.validation import book_id
from bookbound.settings import LEAST_DAILY_TOKENS, Origin

_LOG_RETENTION = {
    1: logs.RetentionDays.ONE_DAY,
    3: logs.RetentionDays.THREE_DAYS,
    7: logs.RetentionDays.ONE_WEEK,
    14: logs.RetentionDays.TWO_WEEKS,
    30: logs.RetentionDays.ONE_MONTH,
}
_LEAST_TIER_DAYS = 30
"""S3 keeps an object at least so long in a tier before it moves it to a colder one."""

_ORIGIN = TypeAdapter(Origin)
REPOSITORY = re.compile(
    r"(?P<owner>[\w.-]+)(?:@(?P<owner_id>\d+))?/(?P<name>[\w.-]+)(?(owner_id)@(?P<id>\d+))"
)
"""GitHub's owner/name, with the ids of both or of neither."""

_HOST = r"[a-z0-9-]+(\.[a-z0-9-]+)+"


class ConfigError(Exception):
    """A stage that cannot be deployed as it is written; the text says what to change, in one line."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A name of the owner's for the API.

    Attributes:
        name: the host, such as ask.book.example; its DNS record, to the output DomainTarget, is the
            owner's to make.
        certificate_arn: of a certificate for it in ACM, in the stage's own region.
    """

    name: str
    certificate_arn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """Models of Cohere's that embed a book and its questions.

    Attributes:
        passages_model, questions_model: of one vector space; an index knows the first by name.
        dimensions: of every vector, 256–2048.
    """

    passages_model: str
    questions_model: str
    dimensions: int

    @property
    def space(self) -> tuple[str, int]:
        """Identity of a model's index among indexes."""
        return self.passages_model, self.dimensions


_EMBEDDING = Embedding(passages_model="embed-v5.0-pro", questions_model="embed-v5.0-fast", dimensions=1024)


_GEOGRAPHY = re.compile(r"(?P<where>[a-z]{2,6})\.(?P<model>[a-z0-9-]+\.\S+)")
_BEDROCKS = re.compile(r"([a-z]{2,6}\.)?anthropic\.[a-z0-9.:-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bedrock:
    """Claude at Amazon Bedrock, by the stage's own role.

    Attributes:
        model: a foundation model's id there, or an inference profile's, which has a geography in front of it,
            such as eu.anthropic.….
        region: where it is asked; None for the stage's own.
    """

    model: str
    region: str | None = None

    def arns(self, *, partition: str, region: str, account: str) -> list[str]:
        """Of what has to be invoked: the model, or the profile and its model in any region."""
        start = f"arn:{partition}:bedrock"
        profile = _GEOGRAPHY.fullmatch(self.model)
        if profile is None or profile["where"] == "anthropic":
            return [f"{start}:{region}::foundation-model/{self.model}"]
        return [
            f"{start}:{region}:{account}:inference-profile/{self.model}",
            # The regions of a geography are AWS' to choose.
            f"{start}:*::foundation-model/{profile['model']}",
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A deployment of the whole system; raises ConfigError for one that cannot be.

    Attributes:
        name: part of its stacks' names; 1–16 lower-case letters and digits.
        disposable: True when destroying a stack destroys its data too; False when the data stays.
        book: id of the book that `/v1/chat` asks (S3).
        embedding: what questions are embedded by, and books, unless there is a next one.
        next_embedding: what books are embedded by already, while questions still go to the indexes of
            `embedding`; see docs/operations.md#another-embedding-model. None outside of such a change.
        embed_rate: texts per minute that all ingests together have embedded, ≥ 1. Cohere gives a key 2,000
            for everything; stages that share a key share them.
        origins: the sites whose pages may ask (S4), as browsers send them: no path, https but for localhost.
        demo_page: whether the stage serves the page to try it on; that page may ask then, too.
        domain: the API's own name; None for the one that AWS gives.
        vendors_secret: complete ARN of a secret that exists already; None for the one that is made, to be
            filled. That one stays, empty or not, so that either can be chosen later.
        bedrock: Claude by Amazon Bedrock, which needs no key of Anthropic's; None for Anthropic's own API.
        snap_start: whether the API starts from a snapshot: a cold start four seconds shorter, at a price for
            each version that is kept and for each start.
        reserved_concurrency: of the API, ≥ 1; None in an account whose quota is too small, as a new one's is.
        throttle_rate, throttle_burst: requests per second, and at once, that the gateway lets through (S2);
            what a day can cost at most grows with the first.
        requests_per_ip: in any five minutes, ≥ 10; a school may stand behind one address (S2).
        questions_per_session, questions_per_address, tokens_per_address: of browsers, per minute, ≥ 1: with
            one token, with all tokens that one network address was given, and how many it is given (S4).
        daily_tokens: that Claude may read and write per day of UTC, ≥ 200,000.
        when_spent: answers for the rest of such a day: "extractive", the book's own
            sentences, or "refuse", a 503.
        alarm_email: the address that hears of alarms; has to confirm once.
        author_email: the address that gets a link to the author's weekly report; has to confirm once.
        hot_days: age at which an audit record leaves the hot tier; ≥ 30, S3's least for the warm one (A3).
        retention_days: age at which a record leaves the warm tier, or is deleted where it holds personal
            data; ≥ hot_days + 30 (A3, A4).
        digest_hours: how long a period is that a digest of the audit trail covers: 24 or 1. Until its digest
            is made, nothing tells what is changed in it.
        log_days: how long a log line lives, since none can be erased: 1, 3, 7, 14 or 30 (A4).
        author_repo, deploy_repo: GitHub's owner/name, or owner@ID/name@ID, whose environment of the stage's
            name may publish books, or deploy.
        input_price, output_price: US dollars per million tokens, for the dashboard. As given, those of the
            default model and of prompts up to 100,000 tokens: platform.claude.com, Claude Haiku 5.5, October
            2026.
    """

    name: str
    disposable: bool
    book: str = "sample-book"
    embedding: Embedding = _EMBEDDING
    next_embedding: Embedding | None = None
    embed_rate: int = 1600
    origins: tuple[str, ...] = ()
    demo_page: bool = False
    domain: Domain | None = None
    vendors_secret: str | None = None
    bedrock: Bedrock | None = None
    snap_start: bool = True
    reserved_concurrency: int | None = None
    throttle_rate: int = 20
    throttle_burst: int = 100
    requests_per_ip: int = 1000
    questions_per_session: int = 20
    questions_per_address: int = 120
    tokens_per_address: int = 60
    daily_tokens: int = 10_000_000
    when_spent: str = "extractive"
    alarm_email: str | None = None
    author_email: str | None = None
    hot_days: int = 90
    retention_days: int = 365
    digest_hours: int = 24
    log_days: int = 14
    author_repo: str | None = None
    deploy_repo: str | None = None
    input_price: float = 0.10
    output_price: float = 0.50

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise ConfigError(f"stage {self.name}: {problem}")

    @property
    def removal_policy(self) -> RemovalPolicy:
        """Removal policy of what holds data when its stack goes; a create that failed leaves nothing."""
        return RemovalPolicy.DESTROY if self.disposable else RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

    @property
    def log_retention(self) -> logs.RetentionDays:
        """`log_days` as CloudWatch names it."""
        return _LOG_RETENTION[self.log_days]


def _problems(stage: Stage) -> Iterator[str]:
    yield from _naming(stage)
    yield from _addresses(stage)
    yield from _models(stage)
    yield from _bedrock(stage)
    yield from _numbers(stage)


def _naming(stage: Stage) -> Iterator[str]:
    if not re.fullmatch(r"[a-z][a-z0-9]{0,15}", stage.name):
        yield "name must have 1 to 16 lower-case letters and digits, a letter first"
    try:
        book_id(stage.book)
    except BookNotFound:
        yield f"book {stage.book!r} is no id of a book: 1 to 64 letters, digits, '.', '_' or '-'"
    if stage.vendors_secret is not None and not _is_arn(stage.vendors_secret, "secretsmanager", "secret:"):
        yield f"vendors_secret {stage.vendors_secret!r} is no secret's ARN; None has one made"
    for option in ("author_repo", "deploy_repo"):
        repository = getattr(stage, option)
        if repository is not None and not REPOSITORY.fullmatch(repository):
            yield f"{option} {repository!r} is no GitHub repository: write owner/name, or owner@ID/name@ID"


def _addresses(stage: Stage) -> Iterator[str]:
    for origin in stage.origins:
        try:
            _ORIGIN.validate_python(origin)
        except ValidationError as error:
            yield f"origins: {error.errors()[0]['msg'].removeprefix('Value error, ')}"
    if stage.domain is not None and not re.fullmatch(_HOST, stage.domain.name):
        yield f"domain {stage.domain.name!r} is no host name, such as ask.book.example"
    if stage.domain is not None and not _is_arn(stage.domain.certificate_arn, "acm", "certificate/"):
        yield f"domain's certificate {stage.domain.certificate_arn!r} is no ARN of one in ACM"
    for option in ("alarm_email", "author_email"):
        email = getattr(stage, option)
        if email is not None and not re.fullmatch(rf"[^@\s]+@{_HOST}", email):
            yield f"{option} {email!r} is no address"


def _models(stage: Stage) -> Iterator[str]:
    known = {"embedding": stage.embedding, "next_embedding": stage.next_embedding}
    for name, one in known.items():
        if one is not None and not (one.passages_model and one.questions_model):
            yield f"{name} needs the names of both its models"
        if one is not None and not 256 <= one.dimensions <= 2048:
            yield f"{name} has {one.dimensions} dimensions; Cohere's models have 256 to 2048"
    if stage.next_embedding is not None and stage.next_embedding.space == stage.embedding.space:
        yield "next_embedding makes the indexes that embedding makes; change embedding itself"


def _bedrock(stage: Stage) -> Iterator[str]:
    if stage.bedrock is None:
        return
    model, region = stage.bedrock.model, stage.bedrock.region
    if not _BEDROCKS.fullmatch(model):
        yield f"bedrock's model {model!r} is no id of a Claude there, such as eu.anthropic.…"
    if region is not None and not re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d", region):
        yield f"bedrock's region {region!r} is none of AWS', such as eu-central-1"


def _is_arn(text: str, service: str, kind: str) -> bool:
    return re.fullmatch(rf"arn:aws[a-z-]*:{service}:[a-z0-9-]+:\d{{12}}:{kind}\S+", text) is not None


def _numbers(stage: Stage) -> Iterator[str]:
    least = {
        "embed_rate": 1,
        "hot_days": _LEAST_TIER_DAYS,
        "retention_days": stage.hot_days + _LEAST_TIER_DAYS,
        "throttle_rate": 1,
        "throttle_burst": 1,
        "requests_per_ip": 10,
        "questions_per_session": 1,
        "questions_per_address": 1,
        "tokens_per_address": 1,
        "daily_tokens": LEAST_DAILY_TOKENS,
        "reserved_concurrency": 1,
        "input_price": 0,
        "output_price": 0,
    }
    for name, bound in least.items():
        value = getattr(stage, name)
        if value is not None and value < bound:
            yield f"{name} is {value}; it must be at least {bound}"
    if stage.when_spent not in ("extractive", "refuse"):
        yield f'when_spent is "{stage.when_spent}"; it must be "extractive" or "refuse"'
    if stage.digest_hours not in (1, 24):
        yield f"digest_hours is {stage.digest_hours}; it must be 1 or 24"
    if stage.log_days not in _LOG_RETENTION:
        yield f"log_days is {stage.log_days}; it must be one of {', '.join(map(str, _LOG_RETENTION))}"
