"""Drafts that a language model wrote from the product's own prompts, replayed behind Claude's wire format."""
