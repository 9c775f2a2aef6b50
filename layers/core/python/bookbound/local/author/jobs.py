"""Work that takes longer than a page waits for: one job at a time, its progress to be asked for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import uuid4

from bookbound.errors import BookboundError

KEPT = 100
"""Jobs whose results can still be fetched."""

log = logging.getLogger("bookbound")


@dataclass(slots=True)
class Job:
    """A job; `html` is its result, `error` why there is none."""

    id: str = field(default_factory=lambda: uuid4().hex)
    step: str = "waiting"
    done: int = 0
    of: int = 0
    html: str | None = None
    error: str | None = None

    def told(self, step: str) -> Callable[[int, int], None]:
        """Return what a step calls with how much is done, and of how much."""

        def tell(done: int, of: int) -> None:
            self.step, self.done, self.of = step, done, of

        return tell


Work = Callable[[Job], Awaitable[str]]


class Jobs:
    """Runs jobs in the order in which they came."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Work) -> Job:
        """Begin a job as soon as those before it are over."""
        job = Job()
        self._jobs[job.id] = job
        for old in list(self._jobs)[:-KEPT]:
            del self._jobs[old]
        task = asyncio.create_task(self._run(job, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    def find(self, job_id: str) -> Job | None:
        """Return the job of that id, if it is known."""
        return self._jobs.get(job_id)

    async def aclose(self) -> None:
        """End what still runs."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, job: Job, work: Work) -> None:
        async with self._turn:
            try:
                job.html = await work(job)
            except (BookboundError, OSError) as error:
                job.error = str(error)
            except Exception:
                log.exception("a job of the author's page failed")
                job.error = "This failed, and should not have; the server's log says where."
