"""Fuzzing of everything that takes text or bytes from strangers: `python -m tests.fuzz`.

A target is a law over bytes (`target.Target`). Each runs in a separate process, guided by the branches that
an input reaches (libFuzzer through atheris). An input that broke a law is shrunk, kept under `corpus/`, and
replayed by the tests without the fuzzer.
"""
