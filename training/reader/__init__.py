"""How the reader that judges evidence is trained, measured and exported."""
