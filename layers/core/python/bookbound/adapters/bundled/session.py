"""The sessions in which bundled models run: one for each file and process."""

from __future__ import annotations

from functools import cache

import onnxruntime


@cache
def session(path: str) -> onnxruntime.InferenceSession:
    """Return the session of a file of weights, which is loaded once (0.4 s, 110 MB for the reader).

    It serves all threads. A text is one thread's: several texts are several threads', and none waits for
    another's part.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, sess_options=options, providers=["CPUExecutionProvider"])
