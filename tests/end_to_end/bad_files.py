"""Files that cannot go into a book, each with its content and the reason that is reported."""

from __future__ import annotations

from testing.packing import packed

BAD = {
    "binary.md": (b"\x00\x01\xff\xfe junk" * 50, "not UTF-8"),
    "broken.md": (b"---\ntitle: [unclosed\n---\n\n# Broken\n", "line 2"),
    "fields.md": (b"---\n- title\n- id\n---\n\n# Fields\n", "line 1: expected fields"),
    "half.md": (b'---\ntitle: "\\ud800"\n---\n\n# Half a letter\n', "`title` holds half a character"),
    "huge.md": (b"# Huge\n\n" + b"Too long. " * 600_000, "larger than 5 MiB"),
    "large.md": (b"# Large\n\n" + b"Too long. " * 300_000, "a page may have 2 MiB"),
    "merges.md": (b"---\na: &a {x: 1}\nb: {!!merge x: [*a, *a]}\n---\n\n# Merges\n", "line 3"),
    "parts.xlsx": (b"PK\x03\x04 not a workbook", "damaged, or protected by a password"),
    "renamed.xlsx": (
        packed(("\u00e4.xml", b"")).replace("\u00e4".encode(), b"\xff\xff"),
        "not a readable XLSX",
    ),
    "robots.csv": (b"name,weight\n\x00,\xff\n", "not a text file"),
    "twin.md": (b"---\nslug: /intro\n---\n\n# Twin\n", "its URL /docs/intro is that of intro.md"),
}
