"""A secret that got into what was written, in any of the spellings in which it could have."""

from __future__ import annotations

import base64
import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import quote

SHORTEST = 12
"""Characters of a half that is looked for; fewer may stand anywhere by chance."""


def spellings(secret: str) -> set[bytes]:
    """The whole secret and each half of it, if long enough: plain, in hex, in a URL, and in base64."""
    middle = len(secret) // 2
    parts = {secret, *(half for half in (secret[:middle], secret[middle:]) if len(half) >= SHORTEST)}
    return {spelt for part in parts for spelt in _spellings(part.encode())}


def traces(written: Mapping[str, bytes], secrets: Mapping[str, str]) -> list[str]:
    """`place: name of the secret` for each secret that a place holds; what is packed is unpacked first."""
    looked_for = {name: spellings(secret) for name, secret in secrets.items()}
    return [
        f"{place}: {name}"
        for place, content in sorted(written.items())
        for name in _held(list(unpacked(content)), looked_for)
    ]


def unpacked(content: bytes) -> Iterator[bytes]:
    """The content, and what is in it if it is a ZIP or GZIP file."""
    yield content
    try:
        if content.startswith(b"\x1f\x8b"):
            yield gzip.decompress(content)
        elif content.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from (archive.read(name) for name in archive.namelist())
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile):
        return


def _held(contents: Iterable[bytes], looked_for: Mapping[str, set[bytes]]) -> list[str]:
    return [
        name
        for name, spelt in looked_for.items()
        if any(one in content for content in contents for one in spelt)
    ]


def _spellings(part: bytes) -> Iterator[bytes]:
    yield part
    yield part.hex().encode()
    yield quote(part, safe="").encode()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield from _in_base64(part, encode)


def _in_base64(part: bytes, encode: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """Yield its forms in the base64 of a longer text, where it may begin at any of three places."""
    for before in range(3):
        spelt = encode(b"\0" * before + part)
        first = (8 * before + 5) // 6
        last = (8 * (before + len(part))) // 6
        yield spelt[first:last]
