"""Attacks on the whole service, before a model that obeys whoever attacks, and one that invents."""
