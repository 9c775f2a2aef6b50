"""Our function as SnapStart restores it: what its hooks do is done before an event comes."""

from __future__ import annotations

from awslambdaric.lambda_runtime_hooks_runner import run_after_restore, run_before_snapshot

from functions.api.handler import handler

__all__ = ["handler"]

run_before_snapshot()
run_after_restore()
