"""References in the documents: files, headings, commands, modules, and the sums of the bill."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from bookbound.local.cli import app

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCUMENTS = sorted(
    [README, ROOT / "site/plugin/README.md", *(ROOT / "docs").glob("**/*.md")],
    key=lambda path: path.relative_to(ROOT).as_posix(),
)
NAMES = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]


@pytest.fixture(params=DOCUMENTS, ids=NAMES)
def document(request: pytest.FixtureRequest) -> Path:
    """Each document of the project in turn."""
    path: Path = request.param
    return path


def anchors(document: Path) -> set[str]:
    """The headings of a Markdown file, as they are linked to."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@cache
def sources() -> set[str]:
    """The bare names of all files but those that are built or other people's."""
    found: set[str] = set()
    for _, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("node_modules", "build") and name[0] != "."]
        found |= set(files)
    return found


def links(document: Path) -> Iterator[tuple[Path, str]]:
    """Path and heading of every link that stays in the project; code is left out."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            path, _, heading = target.partition("#")
            yield (document.parent / path).resolve() if path else document, heading


def commands(document: Path, pattern: str) -> set[str]:
    """Return a pattern's matches in a document's code."""
    code = re.findall(r"```.*?```|`[^`\n]+`", document.read_text(encoding="utf-8"), re.DOTALL)
    return {found for piece in code for found in re.findall(pattern, piece)}


def test_every_link_leads_somewhere(document: Path) -> None:
    """To a file of the project and, where it names one, to a heading in it."""
    dead = [
        f"{path.name}#{heading}"
        for path, heading in links(document)
        if not path.exists() or (heading and path.suffix == ".md" and heading not in anchors(path))
    ]
    assert dead == []


def test_every_make_target_is_there(document: Path) -> None:
    """The targets are those of the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert commands(document, r"(?:^|[`\s|])make ([a-z][a-z-]*)") <= targets


def test_every_source_file_is_there(document: Path) -> None:
    """By its path from the project, the core, the tests or the site's tests, or by its bare name."""
    bases = [ROOT, ROOT / "layers/core/python/bookbound", ROOT / "tests", ROOT / "site/e2e", document.parent]
    missing = [
        name
        for name in commands(document, r"^`([\w./-]+\.(?:py|ts|tsx|mjs|asl\.json))`$")
        if not any((base / name).is_file() for base in bases) and name not in sources()
    ]
    assert missing == []


def test_every_module_is_there(document: Path) -> None:
    """A module or a package that can be run."""
    missing = [
        name
        for name in commands(document, r"(?:python -m |^`(?=(?:benchmarks|evaluation)\.))([\w.]+)")
        if not any(
            (base / f"{name.replace('.', '/')}{end}").is_file()
            for base in (ROOT, ROOT / "layers/core/python")
            for end in (".py", "/__main__.py")
        )
    ]
    assert missing == []


def test_every_command_is_there(document: Path) -> None:
    """With its group: `bookbound books rollback`."""
    known = get_command(app).commands  # type: ignore[attr-defined]
    named = commands(document, r"(?:^|[`\s/])bookbound (?:--data \S+ )?([a-z]+(?: [a-z-]+)?)")
    unknown = [
        name
        for name in named
        if (command := known.get(name.split()[0])) is None
        or (hasattr(command, "commands") and name.split()[1:] and name.split()[1] not in command.commands)
    ]
    assert unknown == []


def test_the_readme_has_the_sums_of_the_bill() -> None:
    """Those of docs/deploy.md, which `python -m infra.costs --check` holds to the templates."""
    (asked, idle), _, (small, large) = bill("all")
    assert f"| {asked:.2f} | {idle:.2f} | {small} | {large:.2f} |\n" in README.read_text(encoding="utf-8")


def test_the_readme_says_what_measuring_with_keys_costs() -> None:
    """It sums each labelled question's drafts (1 or 2), its search, the vectors, a stage's day."""
    questions = len((ROOT / "sample_book/questions.jsonl").read_text(encoding="utf-8").splitlines())
    ((drafts, _),) = bill("Claude, .+ in, .+ out")
    ((searches, _),) = bill(r"Cohere, \d+ tokens")
    ((pages, _),) = bill("Cohere, pages")
    (_, idle), _, (ingest, _) = bill("all")
    once, twice = (questions / 1000 * (times * drafts + searches) + pages for times in (1, 2))
    readme = README.read_text(encoding="utf-8")
    assert f"all {questions} labelled questions | {once:.2f}; {twice:.2f} if every draft" in readme
    assert f"| {ingest:.2f}, and at most {idle / 30:.2f} for each day" in readme


def bill(line: str) -> list[tuple[float, float]]:
    """Both sums of each line of that kind in docs/deploy.md, US dollars; a dash is 0."""
    deploy = (ROOT / "docs/deploy.md").read_text(encoding="utf-8")
    found = re.findall(rf"^\| (?:\*\*)?{line}(?:\*\*)? \| (\S+) \| (\S+) \|$", deploy, re.MULTILINE)
    return [(_dollars(first), _dollars(second)) for first, second in found]


def _dollars(sum_: str) -> float:
    return 0.0 if sum_ == "–" else float(sum_)
