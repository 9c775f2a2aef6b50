"""ZIP files as tests need them: of a folder, of named entries, and with headers that lie."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from pathlib import Path

Entry = tuple[str, bytes]
FLAGS, METHOD, CRC, SIZE, ATTRIBUTES = (8, "<H"), (10, "<H"), (16, "<L"), (24, "<L"), (38, "<L")
"""Fields of an entry in the list at the archive's end: place and form."""


def packed(*entries: Entry, stored: bool = False) -> bytes:
    """Return an archive of these entries, in this order, with any names."""
    whole = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(whole, "w") as archive:
        warnings.simplefilter("ignore")  # of two entries with one name
        for name, content in entries:
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=1)
    return whole.getvalue()


def pack(folder: Path, archive: Path, *patterns: str, below: str = "") -> Path:
    """Write an archive of a folder's files that fit a pattern, below another folder if wanted."""
    found = sorted(file for pattern in patterns for file in folder.glob(pattern) if file.is_file())
    archive.write_bytes(
        packed(*((f"{below}{file.relative_to(folder)}", file.read_bytes()) for file in found))
    )
    return archive


def with_field(archive: bytes, field: tuple[int, str], value: int) -> bytes:
    """The archive with another value in a field of its first entry."""
    offset, form = field
    changed = bytearray(archive)
    struct.pack_into(form, changed, archive.index(b"PK\x01\x02") + offset, value)
    return bytes(changed)


def with_list(archive: bytes, *entries: bytes) -> bytes:
    """The archive with other entries in the list at its end."""
    start, size = archive.index(b"PK\x01\x02"), sum(map(len, entries))
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, len(entries), len(entries), size, start, 0)
    return b"".join((archive[:start], *entries, end))


def listed(archive: bytes) -> bytes:
    """Return the list of entries as it stands at the archive's end."""
    return archive[archive.index(b"PK\x01\x02") : archive.rindex(b"PK\x05\x06")]


def bomb(copies: int, content: bytes) -> bytes:
    """An archive of a page and its copies, 000000.md and on; made without packing each."""
    one = packed(("000000.md", content))
    file, entry = one[: one.index(b"PK\x01\x02")], listed(one)
    names = [f"{n:06}.md".encode() for n in range(copies)]
    files = b"".join(file.replace(b"000000.md", name) for name in names)
    entries = (
        entry.replace(b"000000.md", name)[:42] + struct.pack("<L", n * len(file)) + name
        for n, name in enumerate(names)
    )
    return with_list(files + entry, *entries)
