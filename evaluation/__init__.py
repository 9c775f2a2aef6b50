"""Fits, gates and measurements of this repository; `bookbound evaluate` is `bookbound.evaluation`."""
