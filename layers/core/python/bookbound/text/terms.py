"""Words as the lexical side sees them: tokens, stems, weights; the same at ingest and for a question."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

from bookbound.model import SparseVector

K1 = 1.2
B = 0.75
AVERAGE_TERMS = 110
"""BM25's usual constants (Robertson & Zaragoza 2009). The average length is fixed, not the book's own, so
that a page's weights do not change when another page does (I4)."""

# A number keeps its decimals; letters and digits part, so that "ROS2" and "ROS 2", "50ms" and "50 ms" agree.
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")

STOP_WORDS = frozenset(
    """a about above after again all also am an and any are aren as at be because been before being below
    between both but by can cannot could did do does doing don down during each few for from further had has
    have having he her here hers herself him himself his how i if in into is isn it its itself just let ll
    me might mine more most much must my myself no nor not now of off on once only or other our ours
    ourselves out over own please re s same shall she should so some such t than that the their theirs them
    themselves then there these they this those through to too under until up upon us use used uses using
    ve very was we were what when where whether which while who whom whose why will with would you your
    yours yourself
    book textbook chapter course lesson section page passage according say says said tell explain describe
    give name list mention mentioned""".split()  # noqa: SIM905 -- a list of words reads best as words
)
"""Function words, and the words by which readers speak of the book rather than of its subject."""

_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a lower-case word; numbers and short words as they are."""
    if len(word) <= 3 or word[0].isdigit():
        return word
    return str(_stemmer.stemWord(word.replace("’", "'").removesuffix("'s")))


def tokens(text: str) -> list[str]:
    """Lower-case tokens in order, stop words included."""
    return [token.lower() for token in _TOKEN.findall(text)]


def content_stems(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order, repeats kept."""
    return [stem(token) for token in tokens(text) if token not in STOP_WORDS]


def query_stems(text: str) -> tuple[str, ...]:
    """The distinct content stems of a question; all its words when it has stop words only."""
    return tuple(dict.fromkeys(content_stems(text) or [stem(token) for token in tokens(text)]))


@lru_cache(maxsize=65_536)
def term_index(term: str) -> int:
    """A stem's place in a sparse vector: unsigned 32 bits."""
    return zlib.crc32(term.encode())


def passage_weights(stems: Iterable[str]) -> dict[str, float]:
    """BM25's term-frequency part for a text, a stem each, in (0, K1 + 1)."""
    counts = Counter(stems)
    length = 1 - B + B * sum(counts.values()) / AVERAGE_TERMS
    return {term: count * (K1 + 1) / (count + K1 * length) for term, count in counts.items()}


def sparse(weights: dict[str, float]) -> SparseVector:
    """The weights as the store keeps them."""
    return {term_index(term): weight for term, weight in weights.items()}
