"""Progress bars, on a terminal only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

Advance = Callable[[str, int, int], None]
"""Called with a step's name, how much is done, and how much there is."""


@contextmanager
def steps(console: Console) -> Iterator[Advance]:
    """A bar for each step that reports; silent where `console` is no terminal."""
    if not console.is_terminal:
        yield lambda step, done, of: None
        return
    columns = TextColumn("{task.description:>10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def advance(step: str, done: int, of: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=of)
            bars.update(tasks[step], completed=done, total=of)

        yield advance
