"""Doubles for tests, trials and benchmarks: fakes, loopback vendors, Lambda's runtime, a stage."""
