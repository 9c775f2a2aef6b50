"""Signatures of digests: whose they are, by the public key alone; and the key of this machine."""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bookbound.audit.integrity import Trusted
from bookbound.errors import Unavailable


def trusted_by(public: bytes) -> Trusted:
    """Return the check of a key's signatures: Ed25519, or ECDSA with SHA-256 as a stage's key in KMS.

    Args:
        public: SubjectPublicKeyInfo, DER.

    Raises:
        Unavailable: it is no such key.
    """
    try:
        key = serialization.load_der_public_key(public)
    except ValueError as error:
        raise Unavailable("the public key of the digests cannot be read") from error
    if not isinstance(key, Ed25519PublicKey | EllipticCurvePublicKey):
        raise Unavailable("the public key of the digests is of a kind that signs none")

    def trusted(text: bytes, signature: bytes) -> bool:
        try:
            if isinstance(key, Ed25519PublicKey):
                key.verify(signature, text)
            else:
                key.verify(signature, text, ECDSA(hashes.SHA256()))
        except InvalidSignature:
            return False
        return True

    return trusted


class KeyFile:
    """Fits digesting.Signer: an Ed25519 key in a file that only its owner reads (PEM, PKCS #8).

    Both raise Unavailable where the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def sign(self, text: bytes) -> bytes:
        """By the key, which is made where there is no file yet."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if not self._path.exists():
                _make(self._path)
        except OSError as error:
            raise Unavailable(f"{self._path} could not be written: {error.strerror}") from error
        return self._key().sign(text)

    def public(self) -> bytes:
        """The public key: SubjectPublicKeyInfo, DER."""
        encoding, kind = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        return self._key().public_key().public_bytes(encoding, kind)

    def _key(self) -> Ed25519PrivateKey:
        try:
            key = serialization.load_pem_private_key(self._path.read_bytes(), password=None)
        except FileNotFoundError as error:
            raise Unavailable(f"{self._path} is not there; bookbound audit digest makes it") from error
        except OSError as error:
            raise Unavailable(f"{self._path} could not be read: {error.strerror}") from error
        except (TypeError, ValueError) as error:
            raise Unavailable(f"{self._path} holds no key; put the one of before back") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise Unavailable(f"{self._path} holds no Ed25519 key; put the one of before back")
        return key


def _make(path: Path) -> None:
    kind, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    content = Ed25519PrivateKey.generate().private_bytes(serialization.Encoding.PEM, kind, plain)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "wb") as opened:
        opened.write(content)
