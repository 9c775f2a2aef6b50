"""From pages to an index version: chunks, glossary, manifest, canary questions, kept versions."""
