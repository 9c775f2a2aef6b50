"""Common ground of all adapters to AWS: its errors as ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from botocore.exceptions import BotoCoreError, ClientError

from bookbound.errors import Unavailable


@contextmanager
def failing_as(what: str) -> Iterator[None]:
    """AWS' errors raise Unavailable with their kind; never their message, which may quote what was sent."""
    try:
        yield
    except ClientError as error:
        raise Unavailable(f"{what} failed ({error.response['Error']['Code']})") from None
    except BotoCoreError as error:
        raise Unavailable(f"{what} failed ({type(error).__name__})") from None


def item_of(error: ClientError) -> Any:
    """The item of a table that did not meet a write's condition, where the write asked for it."""
    return cast(Mapping[str, Any], error.response)["Item"]
