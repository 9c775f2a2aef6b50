"""Answers and refusals next to LlamaIndex, LangChain, Haystack: same books, questions, embedder."""
