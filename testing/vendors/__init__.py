"""Loopback servers that speak our vendors' wire formats, well or with one named misbehaviour."""
