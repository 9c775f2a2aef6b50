"""The same service as one writes it in an afternoon: all that it may ever need is imported and made at once.

It embeds, searches, asks Claude and records, or refuses, as the real one does, without any of its gates.
"""

from __future__ import annotations

import json
import os
from typing import Any

import boto3
from anthropic import AsyncAnthropic
from cohere import AsyncClientV2
from fastapi import FastAPI
from mangum import Mangum
from pydantic import BaseModel, Field
from qdrant_client import AsyncQdrantClient

FOUND = 0.3
"""Cosine from which on a passage counts."""

s3 = boto3.client("s3")
firehose = boto3.client("firehose")
keys = json.loads(
    boto3.client("secretsmanager").get_secret_value(SecretId=os.environ["BOOKBOUND_VENDORS_SECRET"])[
        "SecretString"
    ]
)
cohere = AsyncClientV2(keys["cohere_api_key"], base_url=os.environ["BOOKBOUND_COHERE_URL"])
claude = AsyncAnthropic(api_key=keys["claude_api_key"], base_url=os.environ["BOOKBOUND_CLAUDE_URL"])
qdrant = AsyncQdrantClient(url=keys["qdrant_url"], api_key=keys["qdrant_api_key"], check_compatibility=False)
app = FastAPI()


class Chat(BaseModel):
    """A question."""

    question: str = Field(min_length=1, max_length=1000)


def text_of(key: str) -> str:
    """A small object of the books' bucket."""
    found = s3.get_object(Bucket=os.environ["BOOKBOUND_BOOKS_BUCKET"], Key=key)
    return str(found["Body"].read().decode().strip())


@app.post("/v1/chat")
async def chat(body: Chat) -> dict[str, Any]:
    """An answer, or a refusal when nothing is near."""
    embedded = await cohere.embed(
        model="embed-v5.0-fast",
        input_type="search_query",
        texts=[body.question],
        output_dimension=1024,
        embedding_types=["float"],
    )
    book = os.environ["BOOKBOUND_BOOK"]
    live = text_of(f"books/{book}/current").split()[0]
    collection = text_of(f"books/{book}/versions/{live}/collection")
    [vector] = embedded.embeddings.float_ or []
    found = await qdrant.query_points(collection, query=vector, using="dense", limit=5)
    passages = [str(point.payload) for point in found.points if point.score > FOUND]
    answer = await written(body.question, passages) if passages else None
    record = {"question": body.question, "answer": answer}
    firehose.put_record(
        DeliveryStreamName=os.environ["BOOKBOUND_AUDIT_STREAM_PERSONAL"],
        Record={"Data": json.dumps(record).encode()},
    )
    return {"answer": answer, "was_refusal": answer is None}


async def written(question: str, passages: list[str]) -> str:
    """Claude's text."""
    message = await claude.messages.create(
        model="claude-haiku-5-5",
        max_tokens=700,
        system="Answer only from these passages:\n\n" + "\n\n".join(passages),
        messages=[{"role": "user", "content": question}],
    )
    return "".join(block.text for block in message.content if block.type == "text")


handler = Mangum(app, lifespan="off")
