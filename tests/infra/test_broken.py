"""The version that a trial releases: it fails by itself, and the release's own check tells it from others."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bookbound.api.own_event import question_event
from functions.release.check import Came, came_of, reasons, trials
from functions.release.wiring import CALLER
from infra import app
from infra.broken import Broken, broken_api

SOUND = """
import json

def handler(event, context):
    refused = "weather" in event["body"]
    return {"statusCode": 200, "body": json.dumps({"was_refusal": refused})}
"""

Handler = Callable[[Any, Any], Any]


@pytest.fixture
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Broken], Handler]]:
    """Build the version from a sound one, and load its handler as Lambda's runtime does."""
    folder = tmp_path / "api" / "functions" / "api"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").touch()
    (folder / "handler.py").write_text(SOUND)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "handler.cpython-313.pyc").write_bytes(b"of the sound one")
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "functions"}

    def load(how: Broken) -> Handler:
        built = broken_api(tmp_path / "api", tmp_path, how)
        assert not list(built.rglob("handler.*.pyc"))
        for name in before:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.syspath_prepend(str(built))
        handler: Handler = importlib.import_module("functions.api.handler").handler
        return handler

    yield load
    for name in [one for one in sys.modules if one.partition(".")[0] == "functions"]:
        del sys.modules[name]
    sys.modules.update(before)


def asking(handler: Handler) -> Callable[[str], Came]:
    """A version as the check asks it."""

    def ask(question: str) -> Came:
        try:
            return came_of(handler(question_event(question, CALLER), None), crashed=False)
        except RuntimeError:
            return Came.FAILED

    return ask


def sound(question: str) -> Came:
    return Came.REFUSED if "weather" in question else Came.ANSWERED


def test_the_check_before_traffic_stops_a_version_that_fails_everyone(
    released: Callable[[Broken], Handler],
) -> None:
    """Both of its questions fail."""
    assert len(reasons(trials("What is a node?"), asking(released(Broken.ALWAYS)), sound)) == 2


def test_the_check_lets_pass_what_fails_readers_alone(released: Callable[[Broken], Handler]) -> None:
    """That one is for the alarm: it has to fail a tenth of the readers first."""
    handler = released(Broken.READERS)
    assert reasons(trials("What is a node?"), asking(handler), sound) == []
    for caller in ("trial", "heartbeat"):
        with pytest.raises(RuntimeError, match="broken by a trial"):
            handler(question_event("What is a node?", caller), None)
    with pytest.raises(RuntimeError, match="broken by a trial"):
        handler({"path": "/v1/health"}, None)


@pytest.mark.parametrize(
    ("how", "stage", "said"),
    [
        ("always", "prod", "BOOKBOUND_BROKEN is for a disposable stage"),
        ("always", None, "BOOKBOUND_BROKEN is for a disposable stage"),
        ("sometimes", "trial", "BOOKBOUND_BROKEN=sometimes: there are always, readers"),
    ],
)
def test_no_reader_meets_a_broken_version(
    how: str,
    stage: str | None,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A stage that keeps its data is refused before anything is built; so are all stages at once."""
    monkeypatch.setenv("BOOKBOUND_BROKEN", how)
    if stage:
        monkeypatch.setenv("BOOKBOUND_STAGE", stage)
    assert app.main() == 2
    assert said in capsys.readouterr().err
