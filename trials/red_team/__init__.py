"""Attacks on the whole service, before a model that obeys every attacker, and one that invents."""
