"""The local server under load: rising, past what it can do, and back."""
