"""Access to this machine, and its limits: counters, clients and signing secret in one SQLite file.

Its counterpart in a stage is the table and the secret. Several processes may use the file at once. Every call
raises Unavailable when the file cannot be used.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from bookbound.access import credentials
from bookbound.access.credentials import Client
from bookbound.errors import BookboundError, Unavailable

SECONDS = 2.0
"""The longest that a call waits for others' writes."""

SECRET_BYTES = 32

_CLIENT = TypeAdapter(Client)
_SECRET = TypeAdapter(dict[str, str])

_TABLES = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS counters
    (name TEXT PRIMARY KEY, reached INTEGER NOT NULL, expires_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS clients (client_id TEXT PRIMARY KEY, client TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS signing (number INTEGER PRIMARY KEY CHECK (number = 1), secret TEXT NOT NULL);
"""
_COUNT = """
INSERT INTO counters VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET reached = reached + excluded.reached RETURNING reached
"""


class AccessFile:
    """Fits ports.Counters. Made at first use, for its owner alone; `clock` tells epoch seconds."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._alone = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def add(self, name: str, amount: int, expires_at: int) -> int:
        """SQLite lets one writer in at a time; what has expired goes with the next count."""
        with self.writing(lasting=False) as db:
            db.execute("DELETE FROM counters WHERE expires_at < ?", (int(self._clock()),))
            [(reached,)] = db.execute(_COUNT, (name, amount, expires_at)).fetchall()
        return int(reached)

    @contextmanager
    def writing(self, *, lasting: bool = True) -> Iterator[sqlite3.Connection]:
        """Yield the file, locked to one writer; what the block did is kept unless it raises.

        What need not last may be lost when the machine loses its power, and does not wait for the disk.
        """
        try:
            with self._alone:
                db = self._opened()
                db.execute(f"PRAGMA synchronous = {'FULL' if lasting else 'NORMAL'}")
                db.execute("BEGIN IMMEDIATE")
                try:
                    yield db
                except BaseException:
                    db.execute("ROLLBACK")
                    raise
                db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise Unavailable(f"{self._path} cannot be used: {error}") from error

    def _opened(self) -> sqlite3.Connection:
        """One connection for all threads, closed when this object goes."""
        if self._db is None:
            self._make()
            self._db = sqlite3.connect(
                self._path, timeout=SECONDS, isolation_level=None, check_same_thread=False
            )
            weakref.finalize(self, self._db.close)
        return self._db

    def _make(self) -> None:
        """Never seen half made: the tables are there before the file has its name."""
        if self._path.exists():
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f".{self._path.name}.{secrets.token_hex(4)}")
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(fresh)) as db:
            db.executescript(_TABLES)
        # Whoever was first has named his: a link, unlike a move, takes nobody's file away.
        try:
            self._path.hardlink_to(fresh)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()


class FileClients:
    """The clients of this machine; the calls of client_registry.ClientRegistry, with its errors."""

    def __init__(self, file: AccessFile) -> None:
        self._file = file

    def find(self, client_id: str) -> Client | None:
        """The client of that id, revoked or not."""
        with self._file.writing() as db:
            return _found(db, client_id)

    def all(self) -> list[Client]:
        """Every client, by id."""
        with self._file.writing() as db:
            rows = db.execute("SELECT client FROM clients ORDER BY client_id").fetchall()
        return [_CLIENT.validate_json(row[0]) for row in rows]

    def add(self, client: Client) -> None:
        """A new client. Raises BookboundError when there is one of that id, even a revoked one."""
        with self._file.writing() as db:
            if _found(db, client.client_id) is not None:
                raise BookboundError(f"there is a client {client.client_id} already")
            _put(db, client)

    def rotate(self, client: Client, key_hash: str, previous_until: int) -> None:
        """A new key; the client's current one stays good until `previous_until`, the one before ends now.

        Raises BookboundError when the client was rotated or revoked since it was read.
        """
        with self._file.writing() as db:
            now = _found(db, client.client_id)
            if now is None or now.revoked or now.key_hash != client.key_hash:
                raise BookboundError(f"client {client.client_id} was revoked, or changed meanwhile")
            rotated = replace(
                now, key_hash=key_hash, previous_hash=now.key_hash, previous_until=previous_until
            )
            _put(db, rotated)

    def revoke(self, client_id: str) -> None:
        """End the client for good. Raises BookboundError when there is none of that id."""
        with self._file.writing() as db:
            client = _found(db, client_id)
            if client is None:
                raise BookboundError(f"there is no client {client_id}")
            _put(db, replace(client, revoked=True))


class FileSecret:
    """Fits signing.Secret: drawn when it is first asked for."""

    def __init__(self, file: AccessFile) -> None:
        self._file = file

    def get(self) -> Mapping[str, str]:
        """The secret as it is now."""
        with self._file.writing() as db:
            return _secret(db)

    def refetch(self, outdated: Callable[[Mapping[str, str]], bool]) -> Mapping[str, str]:
        """The same: nothing of it is held."""
        return self.get()

    def rotate(self) -> Mapping[str, str]:
        """The secret with a new key; see `access.rotated`."""
        with self._file.writing() as db:
            return _keep(db, credentials.rotated(_secret(db), **drawn()))


def drawn() -> dict[str, str]:
    """A new signing key and its name."""
    return {"kid": secrets.token_hex(4), "key": secrets.token_urlsafe(SECRET_BYTES)}


def _secret(db: sqlite3.Connection) -> dict[str, str]:
    row = db.execute("SELECT secret FROM signing").fetchone()
    return _SECRET.validate_json(row[0]) if row else _keep(db, drawn())


def _found(db: sqlite3.Connection, client_id: str) -> Client | None:
    row = db.execute("SELECT client FROM clients WHERE client_id = ?", (client_id,)).fetchone()
    return _CLIENT.validate_json(row[0]) if row else None


def _put(db: sqlite3.Connection, client: Client) -> None:
    text = _CLIENT.dump_json(client).decode()
    db.execute("INSERT OR REPLACE INTO clients VALUES (?, ?)", (client.client_id, text))


def _keep(db: sqlite3.Connection, secret: dict[str, str]) -> dict[str, str]:
    db.execute("INSERT OR REPLACE INTO signing VALUES (1, ?)", (_SECRET.dump_json(secret).decode(),))
    return secret
