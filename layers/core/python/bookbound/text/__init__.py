"""Words, sentences, languages and measures: the parts of any text."""
