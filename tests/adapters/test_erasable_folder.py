"""Erasing from this machine's audit folder while servers append to it."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from bookbound.adapters.files.audit_folder import AuditFolder
from bookbound.adapters.files.erasable_folder import CopiedFolder, ErasableFolder
from bookbound.audit.digest_format import sha256
from bookbound.audit.erasure import Copies, Finding, Subject, erase, find
from bookbound.errors import Unavailable
from testing.trails import day

MINE, OTHER = (str(UUID(int=number)) for number in (1, 2))
ERASURES = 50


def record(number: int, session: str) -> dict[str, Any]:
    """Return the fields of a record that a folder reads."""
    ids = {"log_id": str(UUID(int=1000 + number)), "session_id": session}
    return ids | {"timestamp": "2026-03-01T12:00:00.000Z", "number": number}


def lines(root: Path) -> list[dict[str, Any]]:
    """Every record below a folder; a last line without its end is still being written."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.jsonl"))]
    whole = [text[: text.rfind("\n") + 1] for text in texts]
    return [json.loads(line) for text in whole for line in text.splitlines()]


def put(sink: AuditFolder, number: int, session: str) -> None:
    """Append a record."""
    asyncio.run(sink.put(record(number, session)))


def run(place: Any, session: str = MINE) -> Finding:
    """Erase; what was found."""
    subject = Subject("session_id", session)
    subject, [finding] = find([Copies("here", place, None)], subject, lambda step, done, of: None)
    erase([finding], subject, "erasure on request", day(1), lambda step, done, of: None)
    return finding


def append_all_the_while(root: Path, stop: Event, written: Any) -> None:
    """A server: records of two sessions by turns, until it is stopped; how many there were."""

    async def write() -> int:
        sink, number = AuditFolder(root), 0
        while not stop.is_set():
            await sink.put(record(number, MINE if number % 2 else OTHER))
            written.value = number = number + 1
        return number

    asyncio.run(write())


@pytest.mark.rule("A4")
def test_nothing_of_others_is_lost_while_a_server_appends(tmp_path: Path) -> None:
    """Each of fifty erasures takes all that was there when it began, and only its session."""
    context = multiprocessing.get_context("spawn")
    stop, written = context.Event(), context.Value("q", 0)
    server = context.Process(target=append_all_the_while, args=(tmp_path, stop, written))
    server.start()
    try:
        while written.value < 20:
            assert server.is_alive()
        for _ in range(ERASURES):
            known = written.value
            run(ErasableFolder(tmp_path))
            left = [one["number"] for one in lines(tmp_path) if one["session_id"] == MINE]
            assert all(number >= known for number in left)
    finally:
        stop.set()
        server.join()
    run(ErasableFolder(tmp_path))
    assert [one["number"] for one in lines(tmp_path)] == list(range(0, written.value, 2))
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*.jsonl")} == {0o600}


@pytest.mark.rule("A4")
def test_a_file_with_nothing_else_in_it_goes_and_the_server_begins_a_new_one(tmp_path: Path) -> None:
    """In the same place, under the same name."""
    sink = AuditFolder(tmp_path)
    put(sink, 1, MINE)
    [path] = tmp_path.rglob("*.jsonl")
    run(ErasableFolder(tmp_path))
    assert not path.exists()
    put(sink, 2, OTHER)
    assert [one["number"] for one in lines(tmp_path)] == [2]
    assert path.exists()


class Killed(Exception):
    """The process ends here."""


@pytest.mark.rule("A4")
def test_what_was_killed_before_its_write_changes_nothing(tmp_path: Path) -> None:
    """It blocks no later run; the file that it left aside is no part of the trail."""

    def killed(key: str, old: bytes, new: bytes | None) -> None:
        raise Killed

    sink = AuditFolder(tmp_path)
    for number, session in enumerate((OTHER, MINE)):
        put(sink, number, session)
    [path] = tmp_path.rglob("*.jsonl")
    key = path.relative_to(tmp_path).as_posix()
    with pytest.raises(Killed):
        list(ErasableFolder(tmp_path).rewrite([key], lambda content: None, killed))
    assert len(lines(tmp_path)) == 2
    put(sink, 2, OTHER)
    run(ErasableFolder(tmp_path))
    assert [one["number"] for one in lines(tmp_path)] == [0, 2]
    assert [one for one in tmp_path.iterdir() if one.is_file()] == []


@pytest.mark.rule("A4")
def test_a_copy_of_a_stages_object_is_deleted_whole(tmp_path: Path) -> None:
    """The copy can be fetched again; a damaged one may hold anything, and goes too."""
    folder = tmp_path / "records"
    folder.mkdir()
    for name, session in {"a": MINE, "b": OTHER}.items():
        (folder / name).write_text(json.dumps(record(1, session)) + "\n")
    (folder / "c.gz.part").write_bytes(b"\x1f\x8b damaged")
    finding = run(CopiedFolder(tmp_path))
    assert (finding.keys, finding.damaged) == (["records/a", "records/c.gz.part"], [])
    assert [path.name for path in folder.iterdir()] == ["b"]


@pytest.mark.rule("A4")
def test_a_file_that_cannot_be_rewritten_is_an_error_and_stays(tmp_path: Path) -> None:
    """With the name of what is in the way."""
    key = "records/a"
    (tmp_path / "records").mkdir()
    (tmp_path / key).write_text("".join(json.dumps(record(1, of)) + "\n" for of in (MINE, OTHER)))
    in_the_way = tmp_path / f".{sha256(key.encode())[:16]}"
    in_the_way.mkdir()
    with pytest.raises(Unavailable, match=f"{in_the_way}: Is a directory"):
        run(ErasableFolder(tmp_path))
    assert (tmp_path / key).read_text().count("\n") == 2
