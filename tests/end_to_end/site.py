"""A Docusaurus site on disk, and the command line as a user runs it there."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bookbound.adapters.bundled.minilm import MiniLmEmbedder
from bookbound.adapters.files.index_folder import IndexFolder
from bookbound.adapters.files.local_library import LocalLibrary
from bookbound.adapters.qdrant.embedded import EmbeddedPoints
from bookbound.evidence.retrieval import find

COMMAND = str(Path(sys.executable).with_name("bookbound"))
PAGES = {
    "intro.md": "# The Kestrel Robot\n\nThe Kestrel robot was built in 2019 by Dana Orlov.\n",
    "sensors.md": "# Sensors of Kestrel\n\nThe lidar of Kestrel scans at 12 Hz.\n",
    "safety.md": "# Safety Rules\n\nThe emergency stop of Kestrel is a red button on its back.\n",
}


@dataclass(frozen=True)
class Site:
    """A folder with `docs/` in it and the state next to them."""

    folder: Path

    @property
    def docs(self) -> Path:
        return self.folder / "docs"

    @property
    def index(self) -> IndexFolder:
        """The index versions as the commands leave them."""
        return IndexFolder(self.folder / ".bookbound" / "books", EmbeddedPoints())

    def write(self, name: str, text: str | bytes) -> None:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def run(
        self, *arguments: str, before: Callable[[], None] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run one command to its end; `before` runs in its process first."""
        return subprocess.run(
            [COMMAND, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=before,
            timeout=120,
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command and let it run."""
        return subprocess.Popen(
            [COMMAND, *arguments],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ingest(self) -> dict[str, Any]:
        """Ingest without a fault; the report."""
        done = self.run("ingest", "docs", "--book-id", "kestrel", "--json")
        assert (done.returncode, done.stderr) == (0, "")
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    def version(self) -> str | None:
        """The version that readers get."""
        manifest = self.index.current("kestrel")
        return manifest.book.version if manifest else None

    def found(self, question: str) -> set[str]:
        """The pages that readers find for a question now."""
        return asyncio.run(self._found(question))

    async def _found(self, question: str) -> set[str]:
        embedder = MiniLmEmbedder()
        library = LocalLibrary(self.index, "kestrel", embedder.model_id)
        book = await library.open(None)
        [hits] = await find([question], book, embedder)
        library.close()
        return {hit.passage.document for hit in hits}
