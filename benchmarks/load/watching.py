"""A process' memory, descriptors and threads, looked at every few seconds while something else goes on."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import psutil

from benchmarks.load.flatness import Sample


@dataclass
class Watch:
    """Looks at a process for as long as the block lasts."""

    process: psutil.Process
    every: float
    samples: list[Sample] = field(default_factory=list)

    def __enter__(self) -> Watch:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        begun = time.perf_counter()
        while not self._over.wait(self.every):
            with self.process.oneshot():
                held = self.process.memory_info().rss, self.process.num_fds(), self.process.num_threads()
            self.samples.append(Sample(time.perf_counter() - begun, *held))
