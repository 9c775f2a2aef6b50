"""The book's evidence on a question, and its sufficiency: retrieval, ladder, gates, sufficiency."""
