"""The tokenizer by which chunks are measured: the bundled model's, which needs nothing else of it."""

from __future__ import annotations

from importlib import resources

from tokenizers import Tokenizer


def load_tokenizer() -> Tokenizer:
    """The model's own tokenizer, without its presets of truncation and padding."""
    path = resources.files("bookbound") / "data" / "all-MiniLM-L6-v2" / "tokenizer.json"
    tokenizer = Tokenizer.from_str(path.read_text("utf-8"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class TokenCounter:
    """Counts a text's word pieces, special tokens left out (I1)."""

    def __init__(self) -> None:
        self._tokenizer = load_tokenizer()

    def __call__(self, text: str) -> int:
        """The number of word pieces."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)
