"""The application as a Lambda function behind API Gateway."""

from __future__ import annotations

from fastapi import FastAPI
from mangum import Mangum

from functions.api.problems import MEDIA_TYPE


def behind_gateway(app: FastAPI) -> Mangum:
    """Lifespan off, since the adapter would run it on every call; problems leave as text, not as base64."""
    return Mangum(
        app, lifespan="off", text_mime_types=["text/", "application/json", "image/svg+xml", MEDIA_TYPE]
    )
