"""The book's bookbound.yaml on this machine, and the change that a mend makes of it: whole or not at all."""

from __future__ import annotations

import difflib
import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bookbound.authoring.mends import Mend, addition, mended
from bookbound.errors import PolicyError
from bookbound.policy import policy_edit, policy_file
from bookbound.policy.book_policy import Policy


class ChangedMeanwhileError(PolicyError):
    """The file is not what the change was made for."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the file.

    Attributes:
        before, after: its text; `before` is empty where there is no file yet.
        digest: of `before`: the change is for this text alone.
    """

    path: Path
    before: str
    after: str

    @property
    def digest(self) -> str:
        """SHA-256, hexadecimal."""
        return _digest(self.before)

    @property
    def diff(self) -> str:
        """The change as `git diff` shows it; empty where nothing changes."""
        lines = difflib.unified_diff(
            self.before.splitlines(),
            self.after.splitlines(),
            f"a/{self.path.name}",
            f"b/{self.path.name}",
            lineterm="",
        )
        return "\n".join(lines)


def read(path: Path) -> Policy:
    """The policy that the file states; the default's where there is none. Raises PolicyError."""
    return policy_file.load(_text(path), path.name)


def edit(path: Path, mend: Mend) -> Edit:
    """The file with a mend: what it states is the policy with the mend, and no other line changes.

    Raises PolicyError, which says what to do, when that cannot be had.
    """
    before = _text(path)
    policy = policy_file.load(before, path.name)
    wanted = mended(policy, mend)
    after = before if wanted == policy else policy_edit.added(before, addition(policy, mend))
    try:
        stated = policy_file.load(after, path.name)
    except PolicyError as error:
        raise PolicyError(f"with the mend the file would be wrong, so it stays as it is: {error}") from error
    if stated != wanted:
        raise PolicyError("the mend has no place in the file; put its lines there by hand")
    return Edit(path, before, after)


def save(change: Edit, digest: str) -> None:
    """Write the change, whole or not at all.

    Raises ChangedMeanwhileError when the file is not the one of that digest any more, OSError.
    """
    if change.digest != digest or _digest(_text(change.path)) != digest:
        raise ChangedMeanwhileError(f"{change.path.name} has changed meanwhile; try the mend again")
    # A link stays one: what it leads to is replaced.
    target = change.path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    aside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(change.after.encode())
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, aside)
        else:
            aside.chmod(0o644)
        aside.replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            aside.unlink()
        raise


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise PolicyError(f"{path.name}: not UTF-8") from error
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read ({error.strerror})") from error


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
