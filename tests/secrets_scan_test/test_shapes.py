"""Texts that look like a secret, and texts that only have its shape."""

import json
import secrets
import string
import subprocess
from collections.abc import Callable
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bookbound.access import credentials
from tests.secrets_scan.places import history, working_tree
from tests.secrets_scan.shapes import findings

_LETTERS = string.ascii_letters + string.digits


def drawn(length: int, alphabet: str = _LETTERS) -> str:
    return "".join(secrets.choice(alphabet) for _ in range(length))


def private_key() -> str:
    made = ec.generate_private_key(ec.SECP256R1())
    return made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


REAL: dict[str, Callable[[], str]] = {
    "a client's key": lambda: credentials.key_text("campus", secrets.token_urlsafe(32)),
    "a key of Claude's": lambda: f"sk-ant-api03-{secrets.token_urlsafe(60)}",
    "an access key of AWS": lambda: f"AKIA{drawn(16, string.ascii_uppercase + '234567')}",
    "a token of GitHub's": lambda: f"ghp_{drawn(36)}",
    "a signed token": lambda: f"eyJhbGciOiJIUzI1NiJ9.{secrets.token_urlsafe(90)}.{secrets.token_urlsafe(32)}",
    "a private key": private_key,
    "a value called secret": lambda: f"cohere_api_key: {drawn(40)}",
}


@pytest.mark.rule("S5")
@pytest.mark.parametrize("kind", REAL)
def test_what_was_drawn_is_found(kind: str) -> None:
    """On its line; of itself it shows its beginning alone."""
    secret = REAL[kind]()
    [found] = findings(f"first line\n{secret} last line")
    assert (found.kind, found.line) == (kind, 2)
    assert len(found.beginning) < 10


@pytest.mark.rule("S5")
@pytest.mark.parametrize(("site", "found"), [("https://book.com", 1), ("https://book.test", 0)])
def test_a_token_is_found_unless_its_origin_is_one_that_nobody_can_have(site: str, found: int) -> None:
    """No stage signs for such an origin."""
    token = jwt.encode({"origin": site}, secrets.token_urlsafe(32), "HS256")
    assert len(list(findings(token))) == found


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    "line", ['"password": "{}"', "SIGNING_SECRET={}", "api-key = '{}'", "credentials['token'] = \"{}\""]
)
def test_a_value_called_secret_is_found_however_it_is_written(line: str) -> None:
    """In JSON, an environment file, YAML or a program."""
    [found] = findings(line.format(secrets.token_hex(32)))
    assert found.kind == "a value called secret"


@pytest.mark.rule("S5")
def test_small_letters_in_a_row_are_no_word() -> None:
    """A drawn key has them by chance; a word is set apart."""
    [found] = findings(f"api_key: {drawn(36, string.ascii_lowercase)}7Q3z")
    assert found.kind == "a value called secret"


@pytest.mark.parametrize(
    "text",
    [
        credentials.key_text("campus", "a" * 43),
        f"eyJhbGciOiJIUzI1NiJ9.{'c' * 60}.{'A' * 43}",
        "sk-ant-loopback-key-of-nobody",
        "AKIAAAAAAAAAAAAAAAAA",
        "claude_api_key: SecretStr | None = None",
        "vendors_secret = bookbound-staging-vendors-secret-of-eu-central-1",
        'KEY = "a-key-of-nobody-that-is-as-long-as-one"',
        "token = 8f2b0a34-92d8-4a6e-8c0a-7d1d1f6b2c3e",
        f'"S3Key": "{"1ebc9d7a" * 8}.zip"',
        f'"docs_sha256": "{"1ebc9d7a" * 8}"',
    ],
)
def test_what_a_person_made_up_is_no_secret(text: str) -> None:
    """Letters repeated, words, names of things, hashes of files."""
    assert list(findings(text)) == []


@pytest.mark.rule("S5")
def test_a_secret_that_was_ever_committed_is_found(tmp_path: Path) -> None:
    """Taking it out of the file does not take it back; one that is not committed yet is found too."""
    for command in (["init", "-q"], ["config", "user.email", "a@b.example"], ["config", "user.name", "a"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    committed = tmp_path / "settings.json"
    for content in ({"api_key": drawn(40)}, {}):
        committed.write_text(json.dumps(content))
        subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
        subprocess.run(["git", "commit", "-qm", "change"], cwd=tmp_path, check=True)
    (tmp_path / "new.env").write_text(f"TOKEN={drawn(40)}")
    found = {
        place: [name for name, text in texts if list(findings(text))]
        for place, texts in (("now", working_tree(tmp_path)), ("ever", history(tmp_path)))
    }
    assert found["now"] == ["new.env"]
    [ever] = found["ever"]
    assert ever.startswith("settings.json (")
