"""`python -m trials.recorded_drafts.take PROMPTS DRAFTS`: what authors wrote becomes training/drafts.

PROMPTS holds `<book>.jsonl` as `trials.recorded_drafts.prompts` wrote them; DRAFTS `<book>-*.jsonl`, an
object per question: id, first, strict, altered, altered_sentence, kind. A question whose passages do not
answer it has `first` alone, the line that declines, and is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from testing.vendors.models import REFUSAL
from testing.vendors.passages import shown
from trials.recorded_drafts.recording import Recording, digest, write

RUN = 10
"""Words in a row that no draft may share with a passage: the books keep their text."""

_WORD = re.compile(r"[a-z0-9']+")
_MARK = re.compile(r"\[(S\d+)\]")


def main(
    prompts: Annotated[Path, typer.Argument(metavar="PROMPTS", exists=True, file_okay=False)],
    drafts: Annotated[Path, typer.Argument(metavar="DRAFTS", exists=True, file_okay=False)],
) -> None:
    """Check every draft, and keep those that are whole."""
    for path in sorted(prompts.glob("*.jsonl")):
        asked = {one["id"]: one for one in map(json.loads, path.read_text("utf-8").splitlines())}
        found: dict[str, Recording] = {}
        faults = declined = 0
        for file in sorted(drafts.glob(f"{path.stem}-*.jsonl")):
            for line in filter(str.strip, file.read_text("utf-8").splitlines()):
                draft = json.loads(line)
                if draft["first"].strip() == REFUSAL:
                    declined += 1
                elif fault := _fault(draft, asked[draft["id"]]):
                    typer.echo(f"{file.name}: {draft['id']}: {fault}", err=True)
                    faults += 1
                else:
                    found[draft["id"]] = _recording(draft, asked[draft["id"]])
        write(path.stem, list(found.values()))
        typer.echo(f"{path.stem}: {len(found)} kept, {declined} declined, {faults} faulty, of {len(asked)}")


def _fault(draft: Mapping[str, Any], asked: Mapping[str, Any]) -> str | None:
    passages = shown(asked["system"])
    words = _words(" ".join(f"{one.place} {one.text}" for one in passages))
    runs = {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}
    for name in ("first", "strict", "altered"):
        cited = set(_MARK.findall(draft[name]))
        if not cited or cited - {one.id for one in passages}:
            return f"{name} cites {cited or 'nothing'}"
        said = _words(_MARK.sub("", draft[name]))
        if any(tuple(said[at : at + RUN]) in runs for at in range(len(said) - RUN + 1)):
            return f"{name} shares {RUN} words in a row with a passage"
    if draft["altered_sentence"] not in draft["altered"] or draft["altered_sentence"] in draft["first"]:
        return "the altered sentence is not that of the altered draft alone"
    return None


def _recording(draft: Mapping[str, Any], asked: Mapping[str, Any]) -> Recording:
    return Recording(
        id=draft["id"],
        question=asked["question"],
        passages={one.id: digest(one.text) for one in shown(asked["system"])},
        **{name: draft[name] for name in ("first", "strict", "altered", "altered_sentence", "kind")},
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


if __name__ == "__main__":
    typer.run(main)
