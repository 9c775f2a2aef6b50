"""Parts for `wiring` in the cloud: AWS' clients, the vendors' keys, and the adapters over them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import SecretStr

from bookbound.adapters.lazy import AtFirstUse
from bookbound.book import Library
from bookbound.errors import Unavailable
from bookbound.ports import AuditSink, FeedbackSink
from bookbound.settings import Settings, in_the_clear

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_firehose import FirehoseClient
    from types_boto3_s3 import S3Client
    from types_boto3_secretsmanager import SecretsManagerClient
    from types_boto3_sqs import SQSClient

    from bookbound.access.credentials import Grant
    from bookbound.adapters.aws.bucket_index import BucketIndex
    from bookbound.adapters.aws.secrets import Secrets
    from bookbound.adapters.aws.table_counters import TableCounters
    from bookbound.adapters.crypto.browser_tokens import BrowserTokens
    from bookbound.adapters.qdrant.remote import RemotePoints
    from bookbound.adapters.qdrant.server_reader import ServerCollections

READ_SECONDS = 2
"""The longest that Qdrant may take for a search: no less than the retrieval budget, in whole seconds."""

WRITE_SECONDS = 60
"""The longest that Qdrant may take for a step of an ingest."""

AWS_SECONDS = 1.0
"""To connect, and again for each part of an answer: of what a question or a start waits for."""

AUDIT_SECONDS = 0.3
"""The same, of what takes an audit record (A2)."""

COUNT_SECONDS = 0.5
"""The same, of what counts; once, since a count that arrived would be counted twice (S2)."""

_KEYED = ("claude", "cohere")

log = logging.getLogger("bookbound")

VendorKeys = Callable[[], "Secrets"]
"""The vendors' secret, fetched when it is first called for."""


@dataclass(frozen=True, slots=True)
class _Clients:
    """Made together, since a reader waits less for all at once than for each in turn."""

    s3: S3Client
    secretsmanager: SecretsManagerClient
    firehose: FirehoseClient
    sqs: SQSClient
    dynamodb: DynamoDBClient


class Cloud:
    """A stage's adapters, each made when its method is called; the settings name a bucket of books."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clients = AtFirstUse(_clients)
        self.vendor_keys = AtFirstUse(lambda: vendors_secret(self._clients().secretsmanager, settings))
        self._tokens = AtFirstUse(lambda: _browser_tokens(self._clients().secretsmanager, settings))
        self._counters = AtFirstUse(lambda: _table_counters(self._clients().dynamodb, settings))

    def library(self, embedder: str) -> Library:
        from bookbound.adapters.aws.books_bucket import BooksBucket

        return BooksBucket(
            self._clients().s3,
            _there(self._settings.books_bucket),
            default_book=_there(self._settings.book),
            embedder=embedder,
            collections=server_collections(self._settings, self.vendor_keys),
        )

    def audit(self) -> AuditSink:
        from bookbound.adapters.aws.audit_stream import AuditStream

        clients = self._clients()
        return AuditStream(
            clients.firehose,
            clients.sqs,
            clients.s3,
            personal=_there(self._settings.audit_stream_personal),
            other=_there(self._settings.audit_stream_other),
            queue_url=_there(self._settings.audit_queue_url),
            bucket=_there(self._settings.audit_bucket),
        )

    def feedback(self) -> FeedbackSink:
        from bookbound.adapters.aws.feedback_bucket import FeedbackBucket

        return FeedbackBucket(self._clients().s3, _there(self._settings.audit_bucket))

    def sign(self, grant: Grant, now: int) -> str:
        """A browser token; see `signing.BrowserTokens.sign`. Raises Unavailable."""
        return self._tokens().sign(grant, now)

    def address(self, address: str) -> str:
        """Return an id for a network address; see `signing.BrowserTokens.address`. Raises Unavailable."""
        return self._tokens().address(address)

    def add(self, name: str, amount: int, expires_at: int) -> int:
        """Fits ports.Counters, over the stage's table."""
        return self._counters().add(name, amount, expires_at)

    async def warm(self) -> None:
        """Make the clients, and fetch the vendors' keys. Raises Unavailable when they cannot be had."""
        await self._clients.get()
        await self._counters.get()
        if self._settings.vendors_secret:
            await asyncio.to_thread(lambda: self.vendor_keys().get())

    async def renew(self) -> None:
        """Let go of connections that have aged, and fetch keys that have. Raises Unavailable without any."""
        await self.aclose()
        if self.vendor_keys.made:
            await asyncio.to_thread(self.vendor_keys.made.refresh)

    async def aclose(self) -> None:
        """Close the connections; a client makes new ones when it is used again."""
        if made := self._clients.made:
            for client in (made.s3, made.secretsmanager, made.firehose, made.sqs, made.dynamodb):
                client.close()


def _there(value: str | None) -> str:
    """A setting that the settings do not let miss where there is a bucket of books."""
    assert value is not None
    return value


def _clients() -> _Clients:
    import boto3
    from botocore.config import Config

    from bookbound.adapters.aws.errors import failing_as

    def config(seconds: float, attempts: int) -> Config:
        return Config(connect_timeout=seconds, read_timeout=seconds, retries={"total_max_attempts": attempts})

    waited_for, audited = config(AWS_SECONDS, 2), config(AUDIT_SECONDS, 1)
    with failing_as("reaching AWS"):
        session = boto3.session.Session()
        return _Clients(
            s3=session.client("s3", config=waited_for),
            secretsmanager=session.client("secretsmanager", config=waited_for),
            firehose=session.client("firehose", config=audited),
            sqs=session.client("sqs", config=audited),
            dynamodb=session.client("dynamodb", config=config(COUNT_SECONDS, 1)),
        )


def vendors_secret(client: SecretsManagerClient, settings: Settings) -> Secrets:
    """The vendors' secret, which the settings name; what is needed of it is what the environment does not."""
    from bookbound.adapters.aws.secrets import Secrets

    names = ["qdrant_url", "qdrant_api_key"]
    names += [f"{one}_api_key" for one in (settings.generator, settings.embedder) if one in _KEYED]
    needed = [name for name in names if getattr(settings, name) is None]
    return Secrets(client, _there(settings.vendors_secret), needed)


def _browser_tokens(client: SecretsManagerClient, settings: Settings) -> BrowserTokens:
    from bookbound.adapters.aws.secrets import Secrets
    from bookbound.adapters.crypto.browser_tokens import BrowserTokens

    secret = Secrets(client, _there(settings.signing_secret), ("kid", "key"))
    return BrowserTokens(secret, _there(settings.stage))


def _table_counters(client: DynamoDBClient, settings: Settings) -> TableCounters:
    from bookbound.adapters.aws.table_counters import TableCounters

    return TableCounters(client, _there(settings.table))


def is_stored(settings: Settings, name: str) -> bool:
    """Return whether a vendor's key of that name is in the vendors' secret: the environment has none."""
    return getattr(settings, name) is None and settings.vendors_secret is not None


def key_of(settings: Settings, name: str, keys: VendorKeys) -> str | None:
    """A vendor's key as it is now. Raises Unavailable when it is in the secret, and that cannot be used."""
    own: SecretStr | None = getattr(settings, name)
    if is_stored(settings, name):
        return keys().get()[name]
    return own.get_secret_value() if own else None


def server_collections(settings: Settings, keys: VendorKeys) -> ServerCollections:
    """Return the collections at the Qdrant server that the settings or the vendors' secret name.

    Raises Unavailable when the secret cannot be used.
    """
    from qdrant_client import AsyncQdrantClient

    from bookbound.adapters.qdrant.server_reader import ServerCollections
    from bookbound.adapters.vendors.connections import LoopTransport
    from bookbound.adapters.vendors.keys import KeyAuth

    stored = is_stored(settings, "qdrant_api_key")
    return ServerCollections(
        AsyncQdrantClient(
            url=_qdrant_url(settings, keys),
            # A key in this header counts before a bearer's, and would stay the old one.
            headers={} if stored else _qdrant_headers(settings, keys),
            auth=KeyAuth(keys, "qdrant_api_key") if stored else None,
            transport=LoopTransport(),
            timeout=READ_SECONDS,
            check_compatibility=False,
        )
    )


def remote_points(settings: Settings, keys: VendorKeys) -> RemotePoints:
    """The points at that server, to be written too. Raises Unavailable as `server_collections` does."""
    from qdrant_client import QdrantClient

    from bookbound.adapters.qdrant.remote import RemotePoints

    def writer() -> QdrantClient:
        return QdrantClient(
            url=_qdrant_url(settings, keys),
            headers=_qdrant_headers(settings, keys),
            timeout=WRITE_SECONDS,
            check_compatibility=False,
        )

    return RemotePoints(server_collections(settings, keys), writer)


def _qdrant_url(settings: Settings, keys: VendorKeys) -> str:
    url = settings.qdrant_url or keys().get()["qdrant_url"]
    if is_stored(settings, "qdrant_api_key") and in_the_clear(url):
        log.error("qdrant_url must be https, since the key in %s goes there", settings.vendors_secret)
        raise Unavailable("the Qdrant server's URL cannot be used")
    return url


def _qdrant_headers(settings: Settings, keys: VendorKeys) -> dict[str, str]:
    key = key_of(settings, "qdrant_api_key", keys)
    return {"api-key": key} if key else {}


def bucket_index(settings: Settings, keys: VendorKeys) -> BucketIndex:
    """The books of the settings' stage, to be published and rolled back."""
    import boto3

    from bookbound.adapters.aws.bucket_index import BucketIndex

    points = AtFirstUse(lambda: remote_points(settings, keys))
    return BucketIndex(boto3.client("s3"), _there(settings.books_bucket), points)
