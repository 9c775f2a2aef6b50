"""Refusal texts: the templates of G10, word for word."""

from __future__ import annotations

import re

from bookbound.model import RefusalReason
from bookbound.policy.book_policy import Policy

TOPIC_LENGTH = 60
"""Most characters of a reader's own words that a message repeats."""

_NOTHING_FOUND = (
    "I can only answer questions from the textbook content. "
    "This topic doesn't appear to be covered in the course materials."
)

_NOT_ENOUGH = """\
I found some related content, but not enough to provide a confident answer.

You can try:
1. Rephrasing your question with more specific terms
2. Selecting specific text from the chapter for targeted explanation
3. Asking about a narrower aspect of the topic"""

_SELECTION_NOT_ENOUGH = """\
The selected text doesn't contain enough information to answer your question.

You can:
1. Select a different section that covers this topic
2. Remove the selection to search the full textbook
3. Rephrase your question based on what's in the selected text"""

_LEAD = re.compile(
    r"(?:please\s+)?(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?"
    r"(?:what(?:'s|\s+is|\s+are|\s+was|\s+were)|who(?:'s|\s+is|\s+was|\s+were)"
    r"|(?:tell\s+me|teach\s+me|talk)\s+(?:something\s+|more\s+)?about|explain(?:\s+to\s+me)?|define|describe)\s+",
    re.IGNORECASE,
)
# A dot only before a digit: "ROS 2.1" is a name, "example.com" would become a link somewhere.
_PHRASE = re.compile(r"[^\W_](?:[\w '+#&-]|\.(?=\d)|/(?=[^\W_]))*")
# With one of these in it, the rest is a clause rather than the name of something.
_CLAUSE_WORD = re.compile(
    r"\b(?:about|after|again|are|as|be|because|been|before|being|but|by|can|could|did|do|does|doing|done"
    r"|during|each|ever|had|has|have|he|her|here|him|his|how|i|if|is|it|its|like|may|me|might|must|my"
    r"|not|now|or|our|please|shall|she|should|so|such|than|that|their|them|then|there|these|they|this"
    r"|those|to|until|us|use|used|using|very|was|we|were|what|when|where|whether|which|while|who|whom"
    r"|whose|why|will|would|you|your)\b",
    re.IGNORECASE,
)
_MOST_WORDS = 7


def message(reason: RefusalReason, policy: Policy, topic: str | None) -> str:
    """The refusal's text; without a topic the paragraph that needs it is left out (G10).

    Args:
        topic: the policy's topic for `out_of_scope`, `detected_topic` for `empty_retrieval`; else unused.
    """
    match reason:
        case RefusalReason.EMPTY_RETRIEVAL:
            return _nothing_found(policy, topic)
        case RefusalReason.INSUFFICIENT_CONTEXT:
            return _NOT_ENOUGH
        case RefusalReason.OUT_OF_SCOPE:
            return _out_of_scope(policy, topic)
        case RefusalReason.SELECTED_TEXT_INSUFFICIENT:
            return _SELECTION_NOT_ENOUGH


def detected_topic(question: str) -> str | None:
    """Return the topic of a question such as "What is …?", in the reader's words; None when unsure.

    One line of plain words, at most 60 characters, so that it can be repeated as data (V4).
    """
    text = " ".join(question.replace("’", "'").split()).rstrip(" ?!.")
    lead = _LEAD.match(text)
    if lead is None:
        return None
    topic = text[lead.end() :]
    return topic if _names_something(topic) else None


def _names_something(topic: str) -> bool:
    words = topic.lower().split()
    return (
        len(topic) <= TOPIC_LENGTH
        and len(words) <= _MOST_WORDS
        and _PHRASE.fullmatch(topic) is not None
        and _CLAUSE_WORD.search(topic) is None
        and words[-1] not in {"a", "an", "the", "of", "in", "on", "for", "with", "and"}
    )


def _nothing_found(policy: Policy, topic: str | None) -> str:
    if topic is None:
        return _NOTHING_FOUND
    return (
        f"{_NOTHING_FOUND}\n\nIf you're looking for information on {topic}, "
        f"this may be outside the scope of the {policy.title} course."
    )


def _out_of_scope(policy: Policy, topic: str | None) -> str:
    paragraphs = ["This topic is outside the scope of this course."]
    if policy.covered_subjects:
        subjects = "\n".join(f"- {subject}" for subject in policy.covered_subjects)
        paragraphs.append(f"The {policy.title} textbook covers:\n{subjects}")
    if topic is not None:
        paragraphs.append(f"For {topic}, please refer to specialized resources.")
    return "\n\n".join(paragraphs)
