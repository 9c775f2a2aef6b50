"""A part's findings on the terminal, and all parts' on one page: build/bench.html."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table as Shown

from benchmarks.report.measured import FOLDER, Goal, Measured, save, saved
from bookbound.evaluation.html import page

PAGE = Path("build/bench.html")

PARTS = {
    "answers": "answer or refuse, beside peers",
    "ingest": "ingest, beside the bare embedder and peers",
    "question": "a question's own time, beside peers",
    "start": "from process start to the first answer",
    "load": "rising load, to saturation and past it",
    "soak": "steady load over time",
}
"""By name, in the order of the page; `python -m benchmarks.NAME` measures one."""

VERDICTS = {True: "reached", False: "missed", None: "not told"}


def publish(measured: Measured) -> None:
    """Show a part's findings, keep them, and bring the page up to date."""
    console = Console(width=140, highlight=False)
    console.print(f"\n[bold]{measured.title}[/]\n{measured.lead}\n")
    for table in measured.tables:
        shown = Shown(*table.columns, title=table.title, title_justify="left")
        for row in table.rows:
            shown.add_row(*row)
        console.print(shown)
    for goal in measured.goals:
        console.print(f"{VERDICTS[goal.reached]:8} {goal.what}: {goal.found} (asked: {goal.asked})")
    save(measured)
    console.print(f"page: {write_page()}")


def write_page(folder: Path = FOLDER, target: Path = PAGE) -> Path:
    """One HTML file that needs nothing else, of all that was measured and kept."""
    kept = saved(folder)
    parts = [kept[name] for name in PARTS if name in kept]
    goals: list[tuple[str, Goal]] = [(part.title, goal) for part in parts for goal in part.goals]
    missing = [title for name, title in PARTS.items() if name not in kept]
    target.parent.mkdir(parents=True, exist_ok=True)
    html = page(
        Path(__file__).with_name("page.html.j2"), parts=parts, goals=goals, missing=missing, verdicts=VERDICTS
    )
    target.write_text(html, encoding="utf-8")
    return target
