"""What authors write: compact lines with quotes, and the lines with pointers that they become."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from training.pointers import Book, Pointer, PointerError, digest, point_to, resolve

ANSWERED = (
    "fact",
    "concept",
    "list",
    "comparison",
    "procedure",
    "table",
    "code",
    "paraphrase",
    "two_part",
    "selected_answer",
)
REFUSED: Mapping[str, tuple[str, ...]] = {
    "near_miss": ("empty_retrieval", "insufficient_context"),
    "selected_refuse": ("selected_text_insufficient",),
    "far": ("empty_retrieval", "insufficient_context", "out_of_scope"),
    "injection": ("empty_retrieval", "insufficient_context", "out_of_scope"),
}
"""Kinds to refuse, with the reasons that are right."""

SELECTED = ("selected_answer", "selected_refuse")

TRUE_CLAIMS = ("paraphrase", "shortened", "merged", "partial_list")
FALSE_CLAIMS = (
    "noun",
    "modifier",
    "roles",
    "number",
    "count",
    "name",
    "negation",
    "order",
    "quantifier",
    "addition",
)

LONGEST_EVIDENCE = 1600
"""Characters: evidence is the shortest run that answers."""

CLAIM_WORDS = range(7, 35)
COPIED_FROM_EVIDENCE = 6
COPIED_BY_A_CLAIM = 8
"""So many words in a row, the same as in the book, are a copy."""

Line = dict[str, Any]


class DraftError(Exception):
    """A draft's line cannot become a line of the set; says what is wrong with it."""


def question(draft: Line, book: Book) -> Line:
    """A question with pointers, from `{"k": kind, "q": question, "e": [[file, quote]], …}`.

    Raises DraftError.
    """
    kind, text = str(draft.get("k")), str(draft.get("q", "")).strip()
    if kind not in ANSWERED and kind not in REFUSED:
        raise DraftError(f"no kind {kind!r}")
    if not 2 <= len(text) <= 400:
        raise DraftError("a question has 2 to 400 characters")
    evidence = _pointers(draft.get("e", ()), book)
    if (kind in ANSWERED) != bool(evidence):
        raise DraftError(f"{kind} {'needs' if kind in ANSWERED else 'takes no'} evidence (e)")
    if kind in ANSWERED and not draft.get("p"):
        raise DraftError("what is answered needs answer points (p)")
    if (kind in SELECTED) != ("s" in draft):
        raise DraftError(f"{kind} {'needs' if kind in SELECTED else 'takes no'} selected text (s)")
    if kind == "near_miss" and (len(draft.get("c", ())) < 2 or not draft.get("w")):
        raise DraftError("a near miss needs two searched wordings (c) and why it is absent (w)")
    if kind not in SELECTED and kind not in ("table", "code", "paraphrase"):
        for pointer in evidence:
            _no_copy(text, resolve(book, pointer), COPIED_FROM_EVIDENCE)
    made: Line = {
        "id": digest(text + str(draft.get("s", "")))[:10],
        "kind": kind,
        "question": text,
        "expect": "answer" if kind in ANSWERED else "refuse",
        "refusal_reasons": list(REFUSED.get(kind, ())),
        "evidence": [asdict(pointer) for pointer in evidence],
        "also_in": [asdict(pointer) for pointer in _pointers(draft.get("a", ()), book)],
        "answer_points": [str(point) for point in draft.get("p", ())],
    }
    if "s" in draft:
        [made["selected_text"]] = [asdict(pointer) for pointer in _pointers([draft["s"]], book)]
    if draft.get("t"):
        made["typos"] = True
    if kind == "near_miss":
        made["checked"] = {"searched": list(draft["c"]), "why": draft["w"]}
    return made


def claims(draft: Line, book: Book) -> Iterator[Line]:
    """Claims on one passage, from `{"e": [file, quote], "t": [[claim, kind], …]}`; raises DraftError."""
    [passage] = _pointers([draft.get("e", ("", ""))], book)
    text = resolve(book, passage)
    for claim, kind in draft.get("t", ()):
        if kind not in TRUE_CLAIMS and kind not in FALSE_CLAIMS:
            raise DraftError(f"no kind of claim {kind!r}")
        if len(claim.split()) not in CLAIM_WORDS:
            raise DraftError(f"a claim has 8 to 30 words or a few more, not {len(claim.split())}: {claim}")
        _no_copy(claim, text, COPIED_BY_A_CLAIM)
        yield {
            "id": digest(claim + text)[:10],
            "claim": claim,
            "evidence": [asdict(passage)],
            "label": kind in TRUE_CLAIMS,
            "kind": kind,
        }


def shared_run(text: str, other: str) -> int:
    """The most words in a row that two texts share, whatever their case and marks."""
    words, theirs = _words(text), " " + " ".join(_words(other)) + " "
    longest = 0
    for start in range(len(words)):
        while start + longest < len(words) and f" {' '.join(words[start : start + longest + 1])} " in theirs:
            longest += 1
    return longest


def _no_copy(text: str, book_text: str, bound: int) -> None:
    run = shared_run(text, book_text)
    if run >= bound:
        raise DraftError(f"{run} words in a row stand in the book: {text}")


def _pointers(quotes: Any, book: Book) -> list[Pointer]:
    pointers = []
    for quote in quotes:
        try:
            file, text = quote
            pointer = point_to(book, file, text)
        except (TypeError, ValueError):
            raise DraftError(f"not a pair of file and quote: {quote!r}") from None
        except PointerError as error:
            raise DraftError(str(error)) from None
        if pointer.length > LONGEST_EVIDENCE:
            raise DraftError(f"{pointer.length} characters, at most {LONGEST_EVIDENCE}: {text[:60]}")
        pointers.append(pointer)
    return pointers


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
