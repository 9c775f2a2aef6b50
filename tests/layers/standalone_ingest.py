"""A script with only the standard library and the ingest's build on its path, as its steps have.

`python -I -S standalone_ingest.py URL KEY PATH…` reads a workbook, counts a text's tokens, writes a point to
the Qdrant server at the URL, and prints the result of each.
"""

from __future__ import annotations

import importlib
import io
import json
import sys
from typing import Any


def workbook() -> list[list[str]]:
    """The rows of a sheet that was written and read back."""
    book = importlib.import_module("openpyxl").Workbook()
    book.active.append(["metal", "melts at"])
    book.active.append(["tin", 232])
    content = io.BytesIO()
    book.save(content)
    (table,) = importlib.import_module("bookbound.source.workbooks").read_xlsx(content.getvalue())
    return [list(table.header), *map(list, table.rows)]


def stored(url: str, key: str) -> int:
    """Write a point over REST and return the number of points in its collection."""
    qdrant: Any = importlib.import_module("qdrant_client")
    writing = importlib.import_module("bookbound.adapters.qdrant.point_writer")
    models = qdrant.models
    client = qdrant.QdrantClient(url=url, headers={"api-key": key}, check_compatibility=False)
    writing.create_collection(client, "metals", 2)
    client.upsert("metals", [models.PointStruct(id=1, vector={"dense": [0.6, 0.8]}, payload={})])
    return int(client.count("metals").count)


sys.path[:0] = sys.argv[3:]
counter = importlib.import_module("bookbound.adapters.bundled.tokenizer").TokenCounter()
print(json.dumps({"rows": workbook(), "tokens": counter("Tin melts."), "points": stored(*sys.argv[1:3])}))
