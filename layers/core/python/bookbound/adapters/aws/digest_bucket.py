"""A stage's audit trail, its digests in a separate locked bucket, and KMS, which signs them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from bookbound.adapters.aws.bucket_objects import Objects
from bookbound.adapters.aws.errors import failing_as

if TYPE_CHECKING:
    from types_boto3_kms import KMSClient
    from types_boto3_s3 import S3Client

ALGORITHM: Literal["ECDSA_SHA_256"] = "ECDSA_SHA_256"


class TrailBucket:
    """Fits digesting.Trail. Both raise Unavailable."""

    def __init__(self, s3: S3Client, bucket: str) -> None:
        self._objects = Objects(s3, bucket)

    def written(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Yield the keys below, and when each was last written: S3's word, which no user can set."""
        return self._objects.written(prefix)

    def read(self, key: str) -> bytes:
        """An object's bytes as they lie there. Raises KeyError where there is none."""
        return self._objects.get(key)[0]


class DigestBucket:
    """Fits digesting.Archive. All raise Unavailable."""

    def __init__(self, s3: S3Client, bucket: str) -> None:
        self._objects = Objects(s3, bucket)

    def names(self, prefix: str) -> list[str]:
        """In order."""
        return [name for name, _ in self._objects.written(prefix)]

    def read(self, name: str) -> bytes:
        """A paper. Raises KeyError where there is none."""
        return self._objects.get(name)[0]

    def keep(self, name: str, content: bytes) -> bool:
        """Write a paper; False where there is one already."""
        return self._objects.put(name, content, IfNoneMatch="*")

    def replaced(self, prefix: str) -> list[str]:
        """Return what was written over or deleted: the lock keeps the version below, and so shows it."""
        seen = self._objects.versions(prefix)
        return sorted({one.key for one in seen if one.is_marker or not one.current})


class KmsKey:
    """Fits digesting.Signer. Raises Unavailable."""

    def __init__(self, kms: KMSClient, key: str) -> None:
        self._kms = kms
        self._key = key

    def sign(self, text: bytes) -> bytes:
        """The signature of at most 4,096 bytes."""
        with failing_as("signing the digest"):
            signed = self._kms.sign(
                KeyId=self._key, Message=text, MessageType="RAW", SigningAlgorithm=ALGORITHM
            )
        return signed["Signature"]

    def public(self) -> bytes:
        """The public key: SubjectPublicKeyInfo, DER."""
        with failing_as("reading the public key"):
            return self._kms.get_public_key(KeyId=self._key)["PublicKey"]
