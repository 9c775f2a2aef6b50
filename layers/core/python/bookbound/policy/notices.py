"""Notices with an outcome, when needed."""

WEAK_EVIDENCE = "Only one passage of the book supports this answer; check it against the source."
"""G7."""

LOW_CONFIDENCE = "This answer has low confidence; check it against the sources."
"""F2."""

LEFT_OUT = "Sentences that the book does not bear out were left out of this answer."
"""P4, X15."""

NOT_IN_BOOK = "The selected text was not found in the book, so it can't be used as a source."
"""S6."""

_QUOTED = "so this answer is made of the book's own sentences."

BUDGET_SPENT = f"Today's budget for written answers is spent, {_QUOTED}"

MODEL_BUSY = f"The writing model takes no more right now, {_QUOTED}"


def other_language(asked: str, book: str) -> str:
    """The question is in another language than the book; both named in English."""
    return f"The question seems to be in {asked}; this book can only be asked in {book}."
