"""Versions of a book that are kept, and the one its readers get: the content of its pointer (I4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bookbound.errors import IngestError
from bookbound.index.manifest import Manifest

KEPT_VERSIONS = 3
"""The live one, the one before it, which a request may still be reading, and one more to go back to: a fault
is often noticed only after the next publication."""

State = Literal["live", "earlier", "rolled back"]

_WITHDRAWN = "- "


@dataclass(frozen=True, slots=True)
class History:
    """The names of a book's versions.

    Attributes:
        kept: the live one, then those that were live before it, newest first.
        withdrawn: those that were rolled back; they stay until another version is published.
    """

    kept: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()

    @classmethod
    def parse(cls, pointer: bytes) -> History:
        """Parse one line per version: live one first, `- ` before withdrawn ones; no line, none live."""
        lines = [line.strip() for line in pointer.decode("utf-8", "replace").splitlines() if line.strip()]
        return cls(
            tuple(line for line in lines if not line.startswith(_WITHDRAWN)),
            tuple(line.removeprefix(_WITHDRAWN) for line in lines if line.startswith(_WITHDRAWN)),
        )

    def pointer(self) -> bytes:
        """Return the content that `parse` reads."""
        lines = (*self.kept, *(_WITHDRAWN + name for name in self.withdrawn))
        return "".join(f"{line}\n" for line in lines).encode()

    @property
    def live(self) -> str | None:
        """The version that readers get."""
        return self.kept[0] if self.kept else None

    def states(self) -> dict[str, State]:
        """Return the state of each version."""
        withdrawn: dict[str, State] = dict.fromkeys(self.withdrawn, "rolled back")
        return withdrawn | dict.fromkeys(self.kept[:1], "live") | dict.fromkeys(self.kept[1:], "earlier")

    def require_wanted(self, version: str) -> None:
        """Raises IngestError for a version that was rolled back: the same docs must not bring it again."""
        if version in map(version_of, self.withdrawn):
            raise IngestError(
                f"these docs are version {version}, which was rolled back; change them, or make it live "
                f"again by `bookbound books rollback BOOK {version}`"
            )

    def published(self, name: str) -> History:
        """With a new version live; what is not kept any more may go."""
        before = [other for other in self._others() if version_of(other) != version_of(name)]
        kept = dict.fromkeys((name, *self.kept[:1], *before))
        return History(tuple(kept)[:KEPT_VERSIONS])

    def back_to(self, version: str | None) -> History:
        """With this version live, by default the one before the live one.

        What is newer is withdrawn; a withdrawn version comes back the same way. Raises IngestError.
        """
        others = self._others()
        if version is None and not others:
            raise IngestError("there is no version before the live one to go back to")
        if version is None:
            return self._from(others[0])
        if self.live and version == version_of(self.live):
            raise IngestError(f"version {version} is live already")
        there = {version_of(name): name for name in reversed((*self.kept, *self.withdrawn))}
        if version in there:
            return self._from(there[version])
        raise IngestError(f"there is no version {version!r}; there are {', '.join(there)}")

    def _others(self) -> list[str]:
        """Return the kept ones without the live one, and without what it was rebuilt from."""
        live = version_of(self.live or "")
        return [name for name in self.kept[1:] if version_of(name) != live]

    def _from(self, name: str) -> History:
        if name in self.withdrawn:
            return History((name, *self.kept), tuple(other for other in self.withdrawn if other != name))
        position = self.kept.index(name)
        return History(self.kept[position:], self.withdrawn + self.kept[:position])


@dataclass(frozen=True, slots=True)
class Kept:
    """A version that is kept; without `published` and `manifest` where these cannot be read."""

    version: str
    state: State
    published: datetime | None
    manifest: Manifest | None


def newest_first(versions: list[Kept]) -> list[Kept]:
    """By the time at which they were published; what has none comes last."""
    return sorted(versions, key=lambda one: one.published.timestamp() if one.published else 0.0, reverse=True)


def version_of(name: str) -> str:
    """A version as answers tell it; in a bucket its name goes on with `-` and a random part."""
    return name.partition("-")[0]
