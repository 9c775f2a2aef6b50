"""Measurements, never tests: machines are shared and noisy, so figures are compared within one run."""
