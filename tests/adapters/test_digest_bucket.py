"""A stage's digests: over S3 with its lock, by a key in KMS, as the scheduled function makes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import boto3
import pytest

from bookbound.adapters.aws.digest_bucket import KmsKey
from bookbound.adapters.crypto.digest_keys import trusted_by
from bookbound.audit.digest_format import DIGESTS
from bookbound.errors import Unavailable
from trials.tampering.trail import BEGIN, AuditTrail, account, key_of, lived, trail

ONE = key_of(BEGIN, "one.gz")


@pytest.fixture
def stage() -> Iterator[AuditTrail]:
    """A stage's trail with an object and the digest of its day."""
    with account():
        made = trail("stage")
        made.put(ONE, b"one", BEGIN)
        made.now = BEGIN + timedelta(days=1, minutes=20)
        made.digest()
        yield made


def test_the_public_key_alone_tells_the_keys_signatures(stage: AuditTrail) -> None:
    """KMS signs; a verifier asks it for the public key once."""
    key = KmsKey(boto3.client("kms"), stage.key)
    trusted = trusted_by(key.public())
    signature = key.sign(b"bookbound digest")
    assert trusted(b"bookbound digest", signature)
    assert not trusted(b"bookbound tombstone", signature)
    assert not trusted(b"bookbound digest", b"no signature")


def test_a_key_that_cannot_be_used_is_an_error(stage: AuditTrail) -> None:
    """In signing and in reading; what AWS says is not passed on."""
    stage.deps = replace(stage.deps, signer=KmsKey(boto3.client("kms"), "alias/nonesuch"))
    stage.now += timedelta(days=1)
    with pytest.raises(Unavailable, match=r"^signing the digest failed \(\w+\)$"):
        stage.digest()
    with pytest.raises(Unavailable, match=r"^reading the public key failed \(\w+\)$"):
        KmsKey(boto3.client("kms"), "alias/nonesuch").public()


def test_a_digest_is_never_written_over(stage: AuditTrail) -> None:
    """The writer that comes second gets False, and the first digest stays."""
    papers = stage.evidence.papers
    (name,) = papers.names(DIGESTS)
    before = papers.read(name)
    assert not papers.keep(name, b"another")
    assert papers.read(name) == before
    with pytest.raises(KeyError):
        papers.read("digests/nonesuch")


def test_the_lock_keeps_what_a_digest_was(stage: AuditTrail) -> None:
    """No version can be deleted; and a deletion that hides it shows."""
    (name,) = stage.evidence.papers.names(DIGESTS)
    listed: Any = stage.s3.list_object_versions(Bucket=stage.archive)
    with pytest.raises(stage.s3.exceptions.ClientError, match="AccessDenied"):
        stage.s3.delete_object(Bucket=stage.archive, Key=name, VersionId=listed["Versions"][0]["VersionId"])
    assert stage.verify().faults == []
    stage.s3.delete_object(Bucket=stage.archive, Key=name)
    assert [fault.name for fault in stage.verify().faults if fault.kind == "replaced"] == [name]


def test_a_chain_that_the_function_began_anew_shows(stage: AuditTrail) -> None:
    """With all digests hidden and an object changed, the next run signs what it finds, in order."""
    (name,) = stage.evidence.papers.names(DIGESTS)
    stage.s3.delete_object(Bucket=stage.archive, Key=name)
    stage.put(ONE, b"other", BEGIN)
    assert stage.digest() == [name]
    assert [(fault.kind, fault.name) for fault in stage.verify().faults] == [("replaced", name)]


@pytest.mark.rule("A2", "A4")
def test_weeks_without_harm_raise_no_alarm() -> None:
    """Records that come late and an erasure among them; the counts say that all this happened."""
    with account():
        made = trail("weeks")
        verdicts = [made.verify() for _ in lived(made, 12, seed=3)]
    assert [verdict.faults for verdict in verdicts] == [[]] * 12
    assert (verdicts[-1].digests, verdicts[-1].erased) == (12, 1)
    assert verdicts[-1].late
