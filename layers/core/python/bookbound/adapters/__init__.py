"""Adapters: each makes one outside thing fit one port; `wiring` alone picks them."""
