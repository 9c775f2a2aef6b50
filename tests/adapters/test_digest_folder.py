"""This machine's audit folder with its digests, and the key that signs them."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from bookbound.adapters.crypto.digest_keys import KeyFile, trusted_by
from bookbound.adapters.files.digest_folder import DigestFolder, TrailFolder
from bookbound.errors import Unavailable

DER, INFO = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo


def test_the_trail_is_what_lies_below(tmp_path: Path) -> None:
    """By its path, and by the second in which it was written."""
    for name in ("records/b.jsonl", "records/deep/a.jsonl", "other/c.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
        os.utime(tmp_path / name, (1.9, 1_000_000_000.9))
    trail = TrailFolder(tmp_path)
    at = datetime.fromtimestamp(1_000_000_000, UTC)
    assert list(trail.written("records/")) == [("records/b.jsonl", at), ("records/deep/a.jsonl", at)]
    assert list(trail.written("feedback/")) == []
    assert trail.read("records/b.jsonl") == b"records/b.jsonl"
    with pytest.raises(KeyError):
        trail.read("records/nonesuch")


def test_a_paper_is_kept_once(tmp_path: Path) -> None:
    """The writer that comes second gets False, and half a paper is never visible."""
    folder = DigestFolder(tmp_path)
    assert folder.keep("digests/b.json", b"one")
    assert folder.keep("digests/deep/a.json", b"two")
    assert not folder.keep("digests/b.json", b"three")
    assert folder.names("digests/") == ["digests/b.json", "digests/deep/a.json"]
    assert folder.read("digests/b.json") == b"one"
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["a.json", "b.json"]


def test_what_cannot_be_read_or_written_is_told(tmp_path: Path) -> None:
    """By its name."""
    (tmp_path / "digests").write_bytes(b"a file")
    with pytest.raises(Unavailable, match=r"digests/a\.json could not be written: "):
        DigestFolder(tmp_path).keep("digests/a.json", b"one")
    (tmp_path / "records").mkdir()
    with pytest.raises(Unavailable, match=r"records could not be read: "):
        TrailFolder(tmp_path).read("records")


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    """The same one signs ever after, and its public half is enough to tell."""
    path = tmp_path / "digests" / "key.pem"
    signature = KeyFile(path).sign(b"text")
    assert path.stat().st_mode & 0o777 == 0o600
    trusted = trusted_by(KeyFile(path).public())
    assert trusted(b"text", signature)
    assert trusted(b"text", KeyFile(path).sign(b"text"))
    assert not trusted(b"other", signature)


def test_a_key_that_is_not_there_is_not_made_to_verify(tmp_path: Path) -> None:
    """The line says what makes it."""
    with pytest.raises(Unavailable, match=r"key\.pem is not there; bookbound audit digest makes it"):
        KeyFile(tmp_path / "key.pem").public()
    assert not list(tmp_path.iterdir())


def test_a_file_that_holds_no_such_key_is_told(tmp_path: Path) -> None:
    """Neither garbage, nor a key of another kind, nor what cannot be written."""
    path = tmp_path / "key.pem"
    path.write_bytes(b"garbage")
    with pytest.raises(Unavailable, match=r"key\.pem holds no key; put the one of before back"):
        KeyFile(path).sign(b"text")
    rsa = generate_private_key(65537, 2048)
    plain = serialization.NoEncryption()
    pem = rsa.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(pem)
    with pytest.raises(Unavailable, match=r"key\.pem holds no Ed25519 key"):
        KeyFile(path).public()
    with pytest.raises(Unavailable, match=r"could not be written: "):
        KeyFile(path / "below").sign(b"text")
    with pytest.raises(Unavailable, match="is of a kind that signs none"):
        trusted_by(rsa.public_key().public_bytes(DER, INFO))
    with pytest.raises(Unavailable, match="the public key of the digests cannot be read"):
        trusted_by(b"garbage")
