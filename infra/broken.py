"""A version of the API that fails by itself, for a release that must not go out (`make trial`)."""

from __future__ import annotations

import shutil
from enum import StrEnum
from pathlib import Path

from functions.release.wiring import CALLER

SOUND = "sound"
"""Name of the module that the handler has there; the one in its place calls it."""


class Broken(StrEnum):
    """Whom the version fails."""

    ALWAYS = "always"
    """Everyone: the check before traffic must stop it."""
    READERS = "readers"
    """All but that check: the alarm must take it back while it has a tenth of the questions."""


_HANDLER = f'''"""Fails by itself, as a trial of a release wants it."""

from functions.api.{SOUND} import handler as answer

SPARED = {{spared!r}}


def handler(event, context):
    caller = ((event.get("requestContext") or {{{{}}}}).get("authorizer") or {{{{}}}}).get("client_id")
    if caller in SPARED:
        return answer(event, context)
    raise RuntimeError("broken by a trial of the release")
'''


def broken_api(sound: Path, to: Path, how: Broken) -> Path:
    """Return a copy of the API function's folder, below `to`, that fails."""
    folder = to / f"api-broken-{how}"
    shutil.rmtree(folder, ignore_errors=True)
    # Bytecode of the handler would be taken for that of the new one.
    shutil.copytree(sound, folder, ignore=shutil.ignore_patterns("handler.*.pyc"))
    module = folder / "functions" / "api" / "handler.py"
    module.rename(module.with_stem(SOUND))
    spared = [CALLER] if how is Broken.READERS else []
    module.write_text(_HANDLER.format(spared=spared), "utf-8")
    return folder
