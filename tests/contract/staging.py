"""Each generator as `wiring` builds it, its vendor on loopback, behind the whole story of a question."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from bookbound import wiring
from bookbound.adapters.bundled.extractive import ExtractiveGenerator
from bookbound.adapters.vendors.claude import ClaudeGenerator
from bookbound.adapters.vendors.ollama import OllamaGenerator
from bookbound.answering import answer
from bookbound.book import Book
from bookbound.deadline import Deadline
from bookbound.evidence.sufficiency import SufficiencyModel
from bookbound.model import Result
from bookbound.ports import Generator
from bookbound.settings import Settings
from testing.builders import book, hit, passage, question
from testing.fakes import FakeAudit
from testing.vendors import bedrock
from testing.vendors.bedrock import Bedrock
from testing.vendors.claude import Claude
from testing.vendors.misbehaviours import Misbehaviour
from testing.vendors.models import Model
from testing.vendors.ollama import Ollama
from tests.core.asking import SUFFICIENT, deps

BUILT_IN = "extractive"
VENDORS: Mapping[str, Callable[..., Claude | Ollama]] = {
    "claude": Claude,
    "bedrock": Bedrock,
    "ollama": Ollama,
}
GENERATORS = (BUILT_IN, *VENDORS)

QUESTION = "How long does the battery last?"
PACK = passage(
    "The battery lasts for 90 minutes of walking.",
    "The battery lasts for 4 hours of standing.",
    "The battery lasts longer when it is warm.",
    "The battery holds 9 Ah.",
    "The battery is charged at 54.6 V.",
)
CARE = passage(
    "Store the battery at half charge.",
    "The battery must stay dry.",
    "A battery that swells must not be charged.",
    "The battery is changed after 500 cycles.",
    "The battery sits in the torso.",
    section="Care",
    document="power/care.md",
    page=4,
)
BOOK = book(hit(PACK, 0.9), hit(CARE, 0.8))
PASSAGES = {PACK.chunk_id: PACK, CARE.chunk_id: CARE}


@dataclass
class Stage:
    """A generator at work; `vendor` is None for the built-in one, which has none."""

    generator: Generator
    vendor: Claude | Ollama | None
    audit: FakeAudit = field(default_factory=FakeAudit)

    async def ask(
        self,
        text: str = QUESTION,
        live: Book = BOOK,
        *,
        selected: str | None = None,
        sufficiency: SufficiencyModel = SUFFICIENT,
        seconds: float = 5.0,
    ) -> Result:
        """The result of a question, audited."""
        built = deps(live, generator=self.generator, audit=self.audit, sufficiency=sufficiency)
        return await answer(question(text, selected), None, Deadline(seconds), built)

    @property
    def record(self) -> Mapping[str, Any]:
        """The audit record; there is one."""
        [record] = self.audit.records
        return record

    @property
    def told(self) -> list[tuple[str, str]]:
        """System prompt and question of each request that the vendor got."""
        return [] if self.vendor is None else [_told(request.json) for request in self.vendor.requests]

    @property
    def connections(self) -> int:
        """Return the number of connections open at the vendor."""
        return 0 if self.vendor is None else self.vendor.connections


def _told(body: Mapping[str, Any]) -> tuple[str, str]:
    *system, asked = body["messages"]
    return body.get("system") or system[0]["content"], asked["content"]


def generator(vendor: Claude | Ollama) -> ClaudeGenerator | OllamaGenerator:
    """The generator that the settings for this vendor give."""
    at = {"claude_url": vendor.url, "claude_api_key": vendor.api_key, "ollama_url": vendor.url}
    if vendor.name == "bedrock":
        at = {
            "bedrock_url": vendor.url,
            "bedrock_model": bedrock.MODEL,
            "bedrock_region": bedrock.REGION,
        }
    built = wiring.build_generator(Settings.model_validate({"generator": vendor.name, **at}))
    assert isinstance(built, ClaudeGenerator | OllamaGenerator)
    return built


@asynccontextmanager
async def staged(
    name: str, model: Model | None = None, misbehaviour: Misbehaviour | None = None
) -> AsyncIterator[Stage]:
    """The generator of this name; where it has a vendor, this model speaks there."""
    if name == BUILT_IN:
        yield Stage(ExtractiveGenerator(), None)
        return
    async with (
        VENDORS[name](model, misbehaviour=misbehaviour) as vendor,
        aclosing(generator(vendor)) as built,
    ):
        yield Stage(built, vendor)
