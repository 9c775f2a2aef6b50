"""From a reader's words to a question plan: validation, wordings, parts, what kind of answer is wanted."""
