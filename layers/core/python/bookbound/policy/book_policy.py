"""A book's own policy: scope, thresholds, wording of its subjects; defaults for what it leaves out (X13)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class ScopeRule:
    """A topic that the book leaves out, and the patterns by which a question on it is known (G4)."""

    topic: str
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Locked defaults (G1–G7, R1); all in [0, 1] but min_chunks."""

    empty: float = 0.5
    sufficient: float = 0.7
    blend: float = 0.60
    semantic_weight: float = 0.85
    lexical_weight: float = 0.15
    min_chunks: int = 2
    max_chunks: int = 5


@dataclass(frozen=True, slots=True)
class Policy:
    """Content of `bookbound.yaml`, or the defaults (X13)."""

    title: str
    covered_subjects: tuple[str, ...]
    out_of_scope: tuple[ScopeRule, ...]
    language: str = "en"
    thresholds: Thresholds = field(default_factory=Thresholds)
    weak_evidence: Literal["answer", "refuse"] = "answer"
    related: Literal["show", "hide"] = "show"
    starters: tuple[str, ...] = ()
    glossary: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    answered_in: dict[str, tuple[str, ...]] = field(default_factory=dict)
    canary_answer: tuple[str, ...] = ()
    canary_refuse: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    site: Literal["docusaurus", "mkdocs", "markdown"] = "docusaurus"
    base_url: str = "/"
    route_base_path: str = "docs"


_DETERMINER = r"(?:an?|the|my|your|our|its|one's)"
_KIND_OF_MODEL = (
    r"(?:own|custom|new|large|small|deep|base|entire|whole|foundation|language|vision|multimodal|generative"
    r"|vision[- ]language(?:[- ]action)?|machine[- ]learning|AI)"
)
_MODEL = r"(?:models?|LLMs?|VLMs?|neural(?:[- ]?(?:net|network)s?)?)"
_TUNABLE_MODEL = r"(?:models?|LLMs?|VLMs?|VLAs?|GPT|Llama|BERT|Whisper|transformers?|neural|networks?)"

DEFAULT_OUT_OF_SCOPE = (
    ScopeRule(
        "advanced control theory",
        (
            r"\badvanced[- ]control\b",
            r"\bPID(?:[- ](?:controller|loop|gain|parameter)s?)?[- ](?:auto[- ]?)?tun(?:e|es|ed|ers?|ing)\b",
            r"\b(?:auto[- ]?)?tun(?:e|es|ed|ing)\s+(?:of\s+)?(?:[\w'-]+\s+){0,3}PIDs?\b",
            r"\bPIDs?\s+(?:[\w'-]+\s+){0,4}tuned\b",
            r"\bP,?\s+I,?\s+(?:and|&)\s+D[- ](?:gain|term|parameter|value)s?\b",
            r"\b(?:optimal[- ]control(?:lers?)?|MPCs?|model[- ]predictive)\b",
            r"\b(?:Kalman[- ]filter(?:s|ing)?|LQRs?|linear[- ]quadratic[- ]regulators?|sliding[- ]modes?)\b",
        ),
    ),
    ScopeRule(
        "low-level motor control",
        (
            r"\blow[- ]level[- ](?:motor|actuator)[- ](?:control(?:lers?)?|driv(?:ers?|ing))\b",
            r"\b(?:PWMs?|pulse[- ]?widths?|current[- ]control|motor[- ]?drivers?)\b",
            r"\b(?:motor|phase)[- ]current[- ]controllers?\b",
            r"\bdriver[- ]implementations?\b",
            r"\bimplement(?:s|ed|ing|ation\s+of)?\s+(?:(?:an?|the|my|own|our|your|custom|low[- ]level|gate"
            r"|servo|joint|actuator|device|hardware)\s+)*drivers?\b",
            r"\b(?:H[- ]?bridges?|MOSFETs?|brushless[- ]DC|BLDC)\b",
        ),
    ),
    ScopeRule(
        "custom hardware design",
        (
            r"\bcustom[- ]hardware\b",
            r"\bdesign(?:s|ed|ing)?\s+(?:(?:an?|my|our|your|own|custom|new)\s+)+(?:hardware|circuit|sensor)s?\b",
            r"\b(?:PCBs?|printed[- ]circuits?|mechanical[- ](?:CAD|computer[- ]aided)|Solid[- ]?Works)\b",
            r"\b(?:fabrications?|fabricat(?:e|es|ed|ing)|3[- ]?D[- ]?print(?:s|ed|ers?|ing)?|machining)\b",
        ),
    ),
    ScopeRule(
        "training foundation models",
        (
            rf"\b(?:pre-?|re-?)?train(?:ing)?\s+(?:of\s+)?(?:{_DETERMINER}\s+)?(?:{_KIND_OF_MODEL}\s+)*{_MODEL}\b",
            rf"\bfine[- ]?tun(?:e|es|ed|ing)\s+(?:of\s+)?(?:{_DETERMINER}\s+)?"
            rf"(?:[\w-]+\s+){{0,2}}{_TUNABLE_MODEL}\b",
            r"\bfine[- ]?tuning(?:\s+(?:for|on|with|and|or|vs|is|works?)\b|\s*(?:[^\w\s]|$))",
            r"\b(?:back[- ]?propagat(?:ion|es?|ing)|gradient[- ]descent|loss[- ]functions?)\b",
        ),
    ),
    ScopeRule(
        "ROS 1",
        (
            r"\bROS[\s_-]*1(?:\b|_)",
            r"\bROS[\s-]+(?:v|version)[\s.]*1\b",
            r"\bROS[\s-]+(?:Noetic|Melodic|Kinetic|Indigo)\b",
            r"\b(?:catkin|rosbuild)(?:\b|_)",
            r"\broslaunch\b",
        ),
    ),
    ScopeRule(
        "other simulation platforms",
        (r"\b(?:Webots|Coppelia[- ]?Sim|V[- ]?REP|Py[- ]?Bullet)\b",),
    ),
)
"""The six groups of G4. Every required pattern is in here, widened to plurals, hyphens and the
phrasings of its example questions. What could as well ask about the book itself is left to other gates."""

DEFAULT = Policy(
    title="Physical AI & Humanoid Robotics",
    covered_subjects=(
        "Physical AI Foundations",
        "ROS 2 Fundamentals",
        "Simulation & Digital Twin",
        "NVIDIA Isaac Ecosystem",
        "Vision-Language-Action Systems",
        "Integrated Humanoid Capstone",
    ),
    out_of_scope=DEFAULT_OUT_OF_SCOPE,
)
"""The policy of a book that brings none (X13)."""
