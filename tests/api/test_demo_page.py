"""The demo page: it offers the questions of the book that is live, as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape

import httpx
from fastapi import FastAPI

from bookbound.api.demo import MOST_STARTERS, demo_routes


@dataclass
class Book:
    """A book whose starter questions may change."""

    questions: list[str] = field(default_factory=list)

    async def starters(self) -> Sequence[str]:
        return self.questions


async def page(book: Book) -> str:
    """The demo page as it is served."""
    app = FastAPI()
    app.include_router(demo_routes(book.starters))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://book.test") as client:
        return (await client.get("/")).text


def starters(page: str) -> list[str]:
    """The questions that the page gives to the panel, one a line."""
    [given] = re.findall(r'data-starters="([^"]*)"', page)
    return unescape(given).splitlines()


async def test_the_page_begins_with_the_books_own_questions() -> None:
    """The first few, and those of the version that is live when it is opened."""
    book = Book([f"What is part {n}?" for n in range(9)])
    shown = await page(book)
    assert starters(shown) == [f"What is part {n}?" for n in range(MOST_STARTERS)]
    book.questions = ["What is new?"]
    assert starters(await page(book)) == ["What is new?"]


async def test_a_question_is_text_and_no_markup() -> None:
    """A policy's question cannot put an element into the page."""
    assert "<script>alert" not in await page(Book(["<script>alert(1)</script>?"]))


async def test_a_book_without_questions_begins_with_none() -> None:
    """Nothing of another book stands in."""
    assert starters(await page(Book())) == []
