"""Questions whose outcome is known before they are asked: one that a book answers, and one that none can."""

from __future__ import annotations

from bookbound.index.manifest import Manifest

OUT_OF_BOOK = "What will the weather be like in Lisbon tomorrow?"


def known_question(manifest: Manifest) -> str | None:
    """Return one that the book answers: a canary that it did answer, else one after a word it defines."""
    answered = (one.question for one in manifest.canaries if one.wish == "answer" and one.answered)
    terms = (f"What is {term}?" for term in (*manifest.policy.glossary, *manifest.glossary.equivalents))
    return next(answered, None) or next(terms, None)
