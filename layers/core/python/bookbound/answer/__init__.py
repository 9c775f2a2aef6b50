"""From evidence to an outcome: prompt, draft, verification, citations, confidence, refusals."""
