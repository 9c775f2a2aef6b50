"""Windows of code: what is taken of a book, and how twins about them find what they are read with."""

from __future__ import annotations

from pathlib import Path

from bookbound.model import UnitKind
from training.pointers import resolve
from training.reader import twins
from training.windows import of_code_or_lists

CODE = """import rclpy

def main():
    node = rclpy.create_node("heart")
    node.create_timer(0.5, lambda: print("beat"))  # twice per second
    rclpy.spin(node)"""
PROSE = "A node spins until it is told to stop, and meanwhile it handles what comes in. " * 8
PAGE = f"# Nodes\n\n{PROSE}\n\n## A timer\n\nThis node beats:\n\n```python\n{CODE}\n```\n\n```sh\nls\n```\n"


FIRST = "**Battery**: charged to more than half, and its strap is closed"
PARTS = ("neck", "hip", "knee")
ITEMS = "".join(f"- The {part} moves freely through its whole range, without a sound\n" for part in PARTS)
CHECKS = f"# Before it walks\n\n{PROSE}\n\n## Checks\n\nLook at these:\n\n- {FIRST}\n{ITEMS}"


def book(root: Path, page: str = PAGE) -> Path:
    """A book of one page, in the folder of books that it returns."""
    docs = root / "robots" / "docs"
    docs.mkdir(parents=True)
    (docs / "nodes.md").write_text(page, "utf-8")
    return root


def test_a_window_of_code_has_its_headings_and_points_at_its_first_block(tmp_path: Path) -> None:
    """Prose is none, and neither is what is too short to ask about."""
    [found] = of_code_or_lists(book(tmp_path), "robots")
    assert found.above == "Nodes > A timer"
    assert found.texts[:2] == ("This node beats:", CODE)
    assert resolve({"nodes.md": PAGE}, found.place) == CODE


def test_a_window_of_a_list_points_at_its_first_item(tmp_path: Path) -> None:
    """By the item's words, whatever marks of Markdown stand between them."""
    [found] = of_code_or_lists(book(tmp_path, CHECKS), "robots")
    assert (found.kind, found.above) == (UnitKind.ITEM, "Before it walks > Checks")
    assert found.texts[1] == FIRST.replace("*", "")
    assert resolve({"nodes.md": CHECKS}, found.place) == FIRST.removeprefix("**")


def test_twins_about_code_are_read_as_the_product_reads_it(tmp_path: Path) -> None:
    """With headings, what leads up to it, and every mark; twins about prose have their passage alone."""
    [window] = of_code_or_lists(book(tmp_path), "robots")
    place = window.place
    pointer = {"file": place.file, "offset": place.offset, "length": place.length, "sha256": place.sha256}
    line = {
        "answered": "How often does the node beat?",
        "near": "How often does the node fail?",
        "kind": "thing",
    }
    one, other = twins.examples(tmp_path, tmp_path, [line | {"book": "robots", "evidence": [pointer]}])
    for found, answered in ((one, 1), (other, 0)):
        read = found["above"], found["texts"], found["supported"]
        assert read == ("Nodes > A timer", [*window.texts], answered)
