"""Which reading of a follow-up is meant: a fitted choice among those that code wrote (X18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bookbound.question.everyday import asks_for_attribute
from bookbound.question.follow_up import INDEFINITE, MANY, Form, Reading, Readings, Thing
from bookbound.question.question_forms import AUX, EXPLAIN, pattern
from bookbound.text.scoring import FittedOn, shipped_fit

FEATURES = (
    "behind",
    "typed_leaning",
    "typed_alone",
    "pronoun",
    "anew",
    "both",
    "place",
    "subject",
    "kind",
    "another_number",
    "no_person",
    "like_for_like",
    "what_about",
    "later_for_it",
    "known_attribute",
    "plural_attribute",
    "a_thing",
    "about_defined",
    "about_yes_no",
    "about_words",
)
"""See `features`."""

_ONE = pattern(r"\b(?:it|its|he|she|his|her|him|that|this)\b")
_PERSON = pattern(r"\b(?:he|she|his|her|him|who)\b")
_DEFINES = pattern(
    rf"^(?:what|who)(?:['’]s|['’]re|\s+(?:is|are|was|were))\s+(?:the|an?)?\b|^what\s+do(?:es)?\b.*\bmean$|^{EXPLAIN}\b"
)
_YES_NO = pattern(rf"^{AUX}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A conditional logit model over FEATURES: the reading of the highest sum is what is meant.

    Source: D. McFadden, Conditional logit analysis of qualitative choice behavior (1974).
    """

    weights: dict[str, float]
    fitted_on: tuple[FittedOn, ...] = ()
    command: str = ""

    def meant(self, found: Readings, likely: Sequence[float]) -> Reading:
        """Return the reading that is meant; `likely` has the probability that the book answers each."""
        each = features(found, likely)
        sums = [sum(self.weights[name] * value for name, value in one.items()) for one in each]
        return found.all[sums.index(max(sums))]


def features(found: Readings, likely: Sequence[float]) -> list[dict[str, float]]:
    """Return FEATURES of each reading.

    behind: how much less likely the book answers it than the likeliest one, in [-1, 0].
    typed_leaning, typed_alone: the words as typed, where they leave out something for certain, and where not.
    pronoun, anew, both: the form.
    place, subject, kind: of the thing that is taken over, its place among all (from 0), whether it is the
        subject for certain, and whether "which" or "how many" asks for it.
    another_number, no_person: a pronoun that does not fit its thing.
    like_for_like, what_about, later_for_it: of another thing in the place of one, whether both have names or
        neither, whether "what about" opens, and the place.
    known_attribute, plural_attribute, a_thing: of "the … of …", whether it is an everyday attribute, whether
        it is plural, and whether an "a" makes it a thing, not an attribute.
    about_defined, about_yes_no, about_words: of a question with a thing behind it, whether it asks what
        something named is, whether yes or no answers it, and how many words it has.
    """
    best = max(likely)
    return [_features(found, one, figure - best) for one, figure in zip(found.all, likely, strict=True)]


def _features(found: Readings, one: Reading, behind: float) -> dict[str, float]:
    asked, form, thing = found.asked, one.form, one.thing
    many, single = bool(MANY.search(asked)), bool(_ONE.search(asked))
    other = Thing(asked, 0)
    swap, attribute, about = (form is kind for kind in (Form.SWAP, Form.ATTRIBUTE, Form.ABOUT))
    pronoun = thing if form is Form.PRONOUN else None
    place = thing.place if thing else 0
    return {
        "behind": behind,
        "typed_leaning": float(form is Form.TYPED and found.leans),
        "typed_alone": float(form is Form.TYPED and not found.leans),
        "pronoun": float(form is Form.PRONOUN),
        "anew": float(form is Form.ANEW),
        "both": float(form is Form.BOTH),
        "place": float(place),
        "subject": float(thing is not None and thing.certain),
        "kind": float(thing is not None and thing.asked),
        "another_number": float(pronoun is not None and pronoun.plural is not many and (many or single)),
        "no_person": float(pronoun is not None and bool(_PERSON.search(asked)) and not pronoun.named),
        "like_for_like": float(swap and thing is not None and thing.named == other.named),
        "what_about": float(swap and found.about),
        "later_for_it": float(swap and place),
        "known_attribute": float(attribute and asks_for_attribute(asked)),
        "plural_attribute": float(attribute and other.plural),
        "a_thing": float(attribute and INDEFINITE.match(asked) is not None),
        "about_defined": float(about and _DEFINES.match(asked) is not None),
        "about_yes_no": float(about and _YES_NO.match(asked) is not None),
        "about_words": float(len(asked.split()) if about else 0),
    }


@cache
def shipped() -> Choice:
    """The choice that ships, as `python -m training.reader.follow_ups` wrote it."""
    return Choice(**shipped_fit("follow_ups.json"))
