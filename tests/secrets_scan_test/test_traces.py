"""Detection of a secret in any spelling."""

import base64
import gzip
import io
import zipfile
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.secrets_scan.traces import SHORTEST, traces

SECRET = "hJ3+x/Qw82_mZpL0-vTnY5rK"
HALVES = (SECRET[:12], SECRET[12:])


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("page.md", content)
    return packed.getvalue()


SPELT: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "hex": lambda text: text.hex().encode(),
    "URL": lambda text: quote(text, safe="").encode(),
    "base64": base64.b64encode,
    "URL-safe base64": base64.urlsafe_b64encode,
    "GZIP": gzip.compress,
    "ZIP": zipped,
}


@pytest.mark.rule("S5")
@pytest.mark.parametrize("spelling", SPELT.values(), ids=SPELT)
@given(part=st.sampled_from([SECRET, *HALVES]), before=st.binary(max_size=7), after=st.binary(max_size=7))
def test_no_spelling_hides_a_secret(
    spelling: Callable[[bytes], bytes], part: str, before: bytes, after: bytes
) -> None:
    """Whole or half, wherever it stands in what was encoded with it."""
    written = {"log": spelling(before + part.encode() + after)}
    assert traces(written, {"key": SECRET}) == ["log: key"]


@pytest.mark.rule("S5")
def test_what_is_no_secret_is_no_trace() -> None:
    """A few of its letters, its hash, or another's name."""
    written = {"log": f"{SECRET[: SHORTEST - 1]} {SECRET[12:22]} first".encode()}
    assert traces(written, {"key": SECRET}) == []


def test_what_only_looks_packed_is_looked_through_all_the_same() -> None:
    """A log may begin with anything."""
    written = {"a": b"PK" + SECRET.encode(), "b": b"\x1f\x8b" + SECRET.encode()}
    assert traces(written, {"key": SECRET}) == ["a: key", "b: key"]
