"""Answer or refuse, beside LlamaIndex, LangChain and Haystack: same books, same questions, same embedder."""
