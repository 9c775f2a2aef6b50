"""Qdrant's REST API, implemented by the client's own in-memory engine."""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Lock
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python
from qdrant_client import QdrantClient, models

from testing.vendors.vendor import Rejected

VERSION = "1.20.0"
"""Version of the server that this one passes for."""

_MISSING = re.compile(r"Collection (?P<name>.+) not found")
_NO_VECTOR = re.compile(r"(?:\w+ )?\w*[Vv]ector (?P<name>\S+) is not found in the collection")
_OTHER_SIZE = re.compile(r"shapes \(\d+,(?P<expected>\d+)\) and \((?P<got>\d+),\) not aligned.*")
_EXISTS = re.compile(r"(?:Collection|Alias) (?P<name>.+) already exists")


def missing(collection: str) -> str:
    """Return the server's message for a collection that is not there."""
    return f"Not found: Collection `{collection}` doesn't exist!"


def _parsed(kind: Any, body: bytes) -> Any:
    try:
        return TypeAdapter(kind).validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        raise Rejected(400, f"Format error in JSON body: {first['msg']} at {first['loc']}") from error


class Store:
    """One engine for all connections; each call takes the lock, so that threads may call."""

    def __init__(self) -> None:
        self._engine = QdrantClient(":memory:")
        self._lock = Lock()

    def call(self, method: str, path: str, body: bytes) -> Any:
        """The `result` of a call, as plain values. Raises Rejected."""
        for asked, pattern, operation in _ROUTES:
            found = pattern.fullmatch(path) if asked == method else None
            if found is not None:
                return to_jsonable_python(self._locked(operation, body, found.groupdict()))
        raise Rejected(404, "")

    def close(self) -> None:
        """Let go of what it holds."""
        with self._lock:
            self._engine.close()

    def _locked(self, operation: _Operation, body: bytes, names: dict[str, str]) -> Any:
        try:
            with self._lock:
                return operation(self._engine, body, **names)
        except ValueError as error:
            raise _rejected(str(error)) from error


def _rejected(message: str) -> Rejected:
    """The server's words for what the engine says."""
    if found := _MISSING.fullmatch(message):
        return Rejected(404, missing(found["name"]))
    if found := _EXISTS.fullmatch(message):
        return Rejected(409, f"Wrong input: Collection `{found['name']}` already exists!")
    if found := _NO_VECTOR.fullmatch(message):
        return Rejected(400, f"Wrong input: Not existing vector name error: {found['name']}")
    if found := _OTHER_SIZE.fullmatch(message):
        sizes = f"expected dim: {found['expected']}, got {found['got']}"
        return Rejected(400, f"Wrong input: Vector dimension error: {sizes}")
    return Rejected(400, f"Wrong input: {message.removeprefix('Wrong input: ')}")


_Operation = Callable[..., Any]
"""Takes the engine, the request's body, and what the path names."""


def _create(engine: QdrantClient, body: bytes, name: str) -> bool:
    asked = _parsed(models.CreateCollection, body)
    return engine.create_collection(
        name, asked.vectors, sparse_vectors_config=asked.sparse_vectors, metadata=asked.metadata
    )


def _get(engine: QdrantClient, body: bytes, name: str) -> models.CollectionInfo:
    queue = models.UpdateQueueInfo(length=0, deferred_points=0)
    return engine.get_collection(name).model_copy(update={"update_queue": queue})


def _update(engine: QdrantClient, body: bytes, name: str) -> bool:
    """Accepted, and of no effect: the engine optimizes nothing."""
    _parsed(models.UpdateCollection, body)
    engine.get_collection(name)
    return True


def _list(engine: QdrantClient, body: bytes) -> models.CollectionsResponse:
    return engine.get_collections()


def _delete(engine: QdrantClient, body: bytes, name: str) -> bool:
    return engine.delete_collection(name)


def _exists(engine: QdrantClient, body: bytes, name: str) -> models.CollectionExistence:
    return models.CollectionExistence(exists=engine.collection_exists(name))


def _change_aliases(engine: QdrantClient, body: bytes) -> bool:
    return engine.update_collection_aliases(_parsed(models.ChangeAliasesOperation, body).actions)


def _aliases(engine: QdrantClient, body: bytes) -> models.CollectionsAliasesResponse:
    return engine.get_aliases()


def _aliases_of(engine: QdrantClient, body: bytes, name: str) -> models.CollectionsAliasesResponse:
    return engine.get_collection_aliases(name)


def _upsert(engine: QdrantClient, body: bytes, name: str) -> models.UpdateResult:
    asked = _parsed(models.PointInsertOperations, body)
    points = asked.batch if isinstance(asked, models.PointsBatch) else asked.points
    return engine.upsert(name, points)


def _remove(engine: QdrantClient, body: bytes, name: str) -> models.UpdateResult:
    return engine.delete(name, _parsed(models.PointsSelector, body))


def _set_payload(engine: QdrantClient, body: bytes, name: str) -> models.UpdateResult:
    asked = _parsed(models.SetPayload, body)
    return engine.set_payload(name, asked.payload, asked.points or asked.filter, key=asked.key)


def _count(engine: QdrantClient, body: bytes, name: str) -> models.CountResult:
    return engine.count(name, _parsed(models.CountRequest, body).filter)


def _scroll(engine: QdrantClient, body: bytes, name: str) -> models.ScrollResult:
    asked = _parsed(models.ScrollRequest, body)
    points, following = engine.scroll(
        name,
        scroll_filter=asked.filter,
        limit=10 if asked.limit is None else asked.limit,
        order_by=asked.order_by,
        offset=asked.offset,
        with_payload=True if asked.with_payload is None else asked.with_payload,
        with_vectors=asked.with_vector or False,
    )
    return models.ScrollResult(points=points, next_page_offset=following)


def _retrieve(engine: QdrantClient, body: bytes, name: str) -> list[models.Record]:
    asked = _parsed(models.PointRequest, body)
    payload = True if asked.with_payload is None else asked.with_payload
    return engine.retrieve(name, asked.ids, payload, asked.with_vector or False)


def _query(engine: QdrantClient, body: bytes, name: str) -> models.QueryResponse:
    return engine.query_batch_points(name, [_exactly(_parsed(models.QueryRequest, body))])[0]


def _query_batch(engine: QdrantClient, body: bytes, name: str) -> list[models.QueryResponse]:
    searches = _parsed(models.QueryRequestBatch, body).searches
    return engine.query_batch_points(name, [_exactly(one) for one in searches])


def _exactly(asked: models.QueryRequest) -> models.QueryRequest:
    """Without what a server's search may be told: the engine looks at every whole vector, and warns."""
    return asked.model_copy(update={"params": None})


def _index(engine: QdrantClient, body: bytes, name: str) -> models.UpdateResult:
    """Accepted, and of no effect: the engine has no payload indexes."""
    _parsed(models.CreateFieldIndex, body)
    engine.get_collection(name)
    return models.UpdateResult(operation_id=0, status=models.UpdateStatus.COMPLETED)


_COLLECTION = r"/collections/(?P<name>[^/]+)"

_ROUTES: tuple[tuple[str, re.Pattern[str], _Operation], ...] = tuple(
    (method, re.compile(path), operation)
    for method, path, operation in (
        ("GET", "/collections", _list),
        ("POST", "/collections/aliases", _change_aliases),
        ("GET", "/aliases", _aliases),
        ("PUT", _COLLECTION, _create),
        ("GET", _COLLECTION, _get),
        ("PATCH", _COLLECTION, _update),
        ("DELETE", _COLLECTION, _delete),
        ("GET", f"{_COLLECTION}/exists", _exists),
        ("GET", f"{_COLLECTION}/aliases", _aliases_of),
        ("PUT", f"{_COLLECTION}/index", _index),
        ("PUT", f"{_COLLECTION}/points", _upsert),
        ("POST", f"{_COLLECTION}/points", _retrieve),
        ("POST", f"{_COLLECTION}/points/delete", _remove),
        ("POST", f"{_COLLECTION}/points/payload", _set_payload),
        ("POST", f"{_COLLECTION}/points/count", _count),
        ("POST", f"{_COLLECTION}/points/scroll", _scroll),
        ("POST", f"{_COLLECTION}/points/query", _query),
        ("POST", f"{_COLLECTION}/points/query/batch", _query_batch),
    )
)
