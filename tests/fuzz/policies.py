"""The policy file: any bytes give a policy, or one line that names file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bookbound.adapters.files.docs_folder import parse_policy
from bookbound.errors import PolicyError
from bookbound.policy.book_policy import Policy
from bookbound.policy.policy_file import _KEYS
from tests.fuzz.target import Target

NAME = "book/bookbound.yaml"
LONGEST_MESSAGE = 600
_MESSAGE = re.compile(rf"{NAME}:([1-9][0-9]*): \S.*")


def law(content: bytes) -> None:
    try:
        policy = parse_policy(content, NAME)
    except PolicyError as error:
        message = _MESSAGE.fullmatch(str(error))
        assert message, f"not one line with file and line: {error}"
        assert int(message[1]) <= len(re.split(rb"\r\n|[\r\n]|\xc2\x85|\xe2\x80[\xa8\xa9]", content)), (
            "a line beyond the file"
        )
        assert len(str(error)) <= LONGEST_MESSAGE, "a message that nobody reads"
        return
    assert isinstance(policy, Policy)
    repr(policy).encode()


def seeds() -> Iterator[bytes]:
    sample = Path("sample_book/bookbound.yaml").read_bytes()
    yield sample
    yield from sample.split(b"\n\n")
    yield b"thresholds: {empty: 0.2, sufficient: .5, min_chunks: 1, max_chunks: 4}\n"
    yield b"thresholds: {semantic_weight: 0.7, lexical_weight: 0.3}\nweak_evidence: refuse\n"
    yield b'out_of_scope:\n  - topic: Prices\n    patterns: ["\\\\bprices?\\\\b", "(?i)cost(s|ing)?"]\n'
    yield b"glossary:\n  IMU: inertial measurement unit\naliases: {ROS 2: [ros2, ROS2]}\n"
    yield b"canary_questions:\n  answer: [What?]\ntitle: |\n  A book\nlanguage: pt-BR\n"
    yield b"base_url: /book/\nroute_base_path: docs\nexclude: ['a/**']\n"
    yield b"a: &a [1, 2]\nb: [*a, *a]\n"
    yield b"%YAML 1.2\n---\n? {a: b}\n: !!binary Zm9v\n...\n---\n"
    yield b'title: "\\U0001F600 \\ud800 \\x00"\n'


TARGET = Target(
    law,
    seeds,
    words=(
        *_KEYS, "topic", "patterns", "answer", "refuse", "empty", "sufficient", "blend", "min_chunks",
        "max_chunks", "semantic_weight", "lexical_weight", ": ", "- ", "|\n", ">-\n", "&a", "*a", "<<: ",
        "!!str", "!!int", "? ", "---\n", "...\n", "%YAML", "\\U0010FFFF", "\\uD800", "{", "}", "[", "]",
        "'", '"', "# ", "1e400", ".inf", ".nan",
    ),
)  # fmt: skip
