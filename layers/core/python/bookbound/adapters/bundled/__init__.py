"""Parts that come with the package: embedding model, tokenizer, extractive generator."""
