"""Pages → passages: the unit of context and of citation (I1, I2)."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, pairwise
from uuid import UUID, uuid5

from bookbound.evidence.windowing import windows
from bookbound.model import Image, Passage, PassageKind, Unit, UnitKind
from bookbound.source.pages import Page, Piece, Table

__all__ = ["ChunkSizes", "chunk_page", "windows"]

CountTokens = Callable[[str], int]

_NAMESPACE = UUID("6f0c0a52-6d0e-4c4b-9a57-0d6f4f6b1f0e")


@dataclass(frozen=True, slots=True)
class ChunkSizes:
    """Sizes in tokens of the embedder's tokenizer (I1, X8).

    Attributes:
        target: the most that a passage holds, unless a single unit is larger.
        overlap: share of `target` that neighbouring passages have in common, in whole units; in [0, 0.5).
        minimum: the least that a passage holds, unless its page is shorter; below `target`.
        window: the most that is embedded as one; None → a passage is embedded whole.
    """

    target: int = 512
    overlap: float = 0.2
    minimum: int = 256
    window: int | None = 220

    def __post_init__(self) -> None:
        if not 0 < self.minimum < self.target:
            raise ValueError("a passage's minimum must be positive and below its target")
        if not 0 <= self.overlap < 0.5:
            raise ValueError("the overlap must be at least 0 and below 0.5")
        if self.window is not None and self.window < 1:
            raise ValueError("a window must hold at least one token")


@dataclass(frozen=True, slots=True)
class _Atom:
    """A unit to be: a piece or a part of one, its number within the page, and its size."""

    text: str
    kind: UnitKind
    section: int
    block: int
    number: int
    tokens: int
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A passage to be; `table_rows` as of a Passage."""

    atoms: Sequence[_Atom]
    table_rows: tuple[int, int] | None = None

    @property
    def kind(self) -> PassageKind:
        return PassageKind.PROSE if self.table_rows is None else PassageKind.TABLE


def chunk_page(
    page: Page, *, sizes: ChunkSizes, count_tokens: CountTokens, book_id: str
) -> tuple[Passage, ...]:
    """The passages of a page in reading order, prose first, then its tables (I1, I2, T1).

    Each piece and each row is counted once. Code that is larger than a window, or than `target - minimum`
    (so that a passage can always reach its minimum), becomes several units, cut at line ends; they stay in
    one passage where they fit. An oversized sentence stays whole.
    A table too large for one passage repeats its caption and its header (unless these alone take more than
    half of it), and each part knows the numbers of all its rows (T2).
    """
    prose = _prose_atoms(page.pieces, sizes, count_tokens)
    parts = [_Part(prose[start:end]) for start, end in _Cutter(prose, sizes).ranges()]
    number = len(page.pieces) + 1
    for table in page.tables:
        head, rows = _table_atoms(table, number, count_tokens)
        first = number + len(head)
        number = first + len(rows)
        parts.extend(_Part(part, (first, number)) for part in _table_parts(head, rows, sizes.target))
    passages: list[Passage] = []
    occurrences: Counter[tuple[str, str]] = Counter()
    for part in parts:
        text = _text(part.atoms)
        occurrences[part.kind, text] += 1
        name = json.dumps([book_id, page.document, part.kind, text, occurrences[part.kind, text]])
        passages.append(_passage(page, part, len(passages), uuid5(_NAMESPACE, name)))
    return tuple(passages)


# --- atoms ----------------------------------------------------------------------------------------


def _prose_atoms(pieces: Iterable[Piece], sizes: ChunkSizes, count_tokens: CountTokens) -> list[_Atom]:
    limit = min(sizes.target - sizes.minimum, sizes.window or sizes.target)
    return [
        _Atom(text, piece.kind, piece.section, piece.block, number, tokens, piece.images if last else ())
        for number, piece in enumerate(pieces, 1)
        for text, tokens, last in _parts(piece, limit, count_tokens)
    ]


def _parts(piece: Piece, limit: int, count_tokens: CountTokens) -> Iterator[tuple[str, int, bool]]:
    """The piece, or code of more than `limit` tokens in smaller parts; and if it is the last."""
    tokens = count_tokens(piece.text)
    if piece.kind is not UnitKind.CODE or tokens <= limit:
        yield piece.text, tokens, True
        return
    part: list[str] = []
    size = 0
    for line in piece.text.split("\n"):
        added = count_tokens(line)
        if size and added and size + added > 2 * limit // 5:
            yield "\n".join(part), size, False
            part, size = [], 0
        part.append(line)
        size += added
    yield "\n".join(part), size, True


def _table_atoms(
    table: Table, number: int, count_tokens: CountTokens
) -> tuple[Sequence[_Atom], Sequence[_Atom]]:
    """Return what stands above the rows (caption, header), and the rows; the empty ones are left out."""
    lines = [(table.caption or "", UnitKind.SENTENCE)]
    lines += [(_row(cells), UnitKind.ROW) for cells in (table.header, *table.rows)]
    filled = [any(map(str.isalnum, text)) for text, _ in lines]
    atoms = [
        _Atom(text, kind, table.section, table.block, line, count_tokens(text))
        for line, (text, kind) in enumerate(compress(lines, filled), number)
    ]
    above = sum(filled[:2])
    return atoms[:above], atoms[above:]


def _row(cells: Iterable[str]) -> str:
    return " | ".join(" ".join(cell.split()) for cell in cells)


def _table_parts(head: Sequence[_Atom], rows: Sequence[_Atom], target: int) -> Iterator[Sequence[_Atom]]:
    """Yield the table, or as many rows of it at a time as fit below its caption and header.

    What takes more than half a passage is told once: repeated, it would outgrow the rows by far.
    """
    tokens = sum(atom.tokens for atom in head)
    above, room = head, target - tokens
    part: list[_Atom] = []
    size = 0
    for atom in rows:
        if part and size + atom.tokens > room:
            yield [*above, *part]
            part, size = [], 0
            above, room = (head, room) if 2 * tokens <= target else ([], target)
        part.append(atom)
        size += atom.tokens
    if above or part:
        yield [*above, *part]


# --- cutting --------------------------------------------------------------------------------------


class _Cutter:
    """Starts and ends of passages. Greedy; a block is cut only when it does not fit."""

    def __init__(self, atoms: Sequence[_Atom], sizes: ChunkSizes) -> None:
        self._blocks = [atom.block for atom in atoms]
        self._sums = [0, *accumulate(atom.tokens for atom in atoms)]
        self._sizes = sizes
        self._overlap = sizes.overlap * sizes.target

    def ranges(self) -> Iterator[tuple[int, int]]:
        """(start, end) of each passage, end exclusive."""
        start = end = 0
        while end < len(self._blocks):
            start = self._restart(start, end) if end else 0
            end = self._end(start, covered=end)
            start = self._filled_up(start, end)
            yield start, end

    def _size(self, start: int, end: int) -> int:
        return self._sums[end] - self._sums[start]

    def _end(self, start: int, covered: int) -> int:
        """Return the end: as far as the target allows, at least one atom further; best at a block's end."""
        last = len(self._blocks)
        full = max(covered + 1, bisect_right(self._sums, self._sums[start] + self._sizes.target) - 1)
        if full == last:
            return last
        if self._size(full, last) + self._overlap < self._sizes.minimum:
            # What is left would make a passage too short: share it out between the two.
            half = (self._size(start, last) + self._overlap) / 2
            full = max(covered + 1, min(full, bisect_left(self._sums, self._sums[start] + half)))
        for end in range(full, covered, -1):
            if self._size(start, end) < self._sizes.minimum:
                break
            if self._blocks[end] != self._blocks[end - 1]:
                return end
        return full

    def _restart(self, start: int, end: int) -> int:
        """Return the start of the passage after `start`–`end`, by the overlap nearest to the target.

        A block that was cut starts again, to be whole once, unless that more than doubles the overlap.
        """
        first, after = self._block_around(end)
        fits = self._size(first, after) <= self._sizes.target
        if start < first < end and fits and self._size(first, end) <= 2 * self._overlap:
            return first
        best = end
        for back in range(end, start, -1):
            if self._size(back, end + 1) > self._sizes.target:
                break
            if self._miss(back, end) < self._miss(best, end):
                best = back
            elif self._size(back, end) > self._overlap:
                break
        return best

    def _miss(self, start: int, end: int) -> float:
        return abs(self._size(start, end) - self._overlap)

    def _block_around(self, index: int) -> tuple[int, int]:
        start = end = index
        while start and self._blocks[start - 1] == self._blocks[index]:
            start -= 1
        while end < len(self._blocks) and self._blocks[end] == self._blocks[index]:
            end += 1
        return start, end

    def _filled_up(self, start: int, end: int) -> int:
        """The start, moved back as far as the minimum asks for and the target allows."""
        while (
            start
            and self._size(start, end) < self._sizes.minimum
            and self._size(start - 1, end) <= self._sizes.target
        ):
            start -= 1
        return start


# --- passages -------------------------------------------------------------------------------------


def _passage(page: Page, part: _Part, index: int, chunk_id: UUID) -> Passage:
    used = list(dict.fromkeys(atom.section for atom in part.atoms))
    return Passage(
        chunk_id=chunk_id,
        document_id=page.document_id,
        document=page.document,
        title=page.title,
        page=page.page,
        end_page=page.page,
        url=page.url,
        kind=part.kind,
        text=_text(part.atoms),
        sections=tuple(page.sections[section] for section in used),
        units=tuple(_units(part.atoms, used)),
        chunk_index=index,
        revision=page.revision,
        last_update=page.last_update,
        table_rows=part.table_rows,
    )


def _text(atoms: Sequence[_Atom]) -> str:
    return "".join(glue + atom.text for glue, atom in zip(_glue(atoms), atoms, strict=True))


def _units(atoms: Sequence[_Atom], sections: list[int]) -> Iterator[Unit]:
    end = 0
    for glue, atom in zip(_glue(atoms), atoms, strict=True):
        start = end + len(glue)
        end = start + len(atom.text)
        section = sections.index(atom.section)
        yield Unit(start, end, atom.kind, section, atom.number, atom.block, atom.images)


def _glue(atoms: Sequence[_Atom]) -> Iterator[str]:
    """Yield what stands before each: a space between the sentences of a paragraph, else a line end."""
    yield ""
    for before, after in pairwise(atoms):
        paragraph = before.kind is after.kind is UnitKind.SENTENCE and before.block == after.block
        yield " " if paragraph else "\n"
