"""Models over HTTP: Claude, Cohere, Ollama, and what their calls share."""
