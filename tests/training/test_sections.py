"""A model card that several commands write."""

from __future__ import annotations

from pathlib import Path

from training.reader.sections import hash_of, with_file, with_section

CARD = "# The reader\n\n| file | `old` |\n\n## Data\n\nrows\n\n## Tables\n\nfound\n"


def test_a_section_is_put_in_the_place_of_its_heading_or_at_the_end() -> None:
    """The others stay as they are, also when it is put twice."""
    made = with_section(CARD, "## Data", "## Data\n\nmore rows\n")
    assert made == CARD.replace("rows", "more rows")
    claims = "## Claims\n\npairs\n"
    twice = with_section(with_section(CARD, "## Claims", claims), "## Claims", claims)
    assert twice == CARD + "\n" + claims


def test_a_file_that_was_written_anew_is_named_by_its_hash(tmp_path: Path) -> None:
    """With its size."""
    model = tmp_path / "model.onnx"
    model.write_bytes(bytes(2_000_000))
    row = f"| file | `model.onnx`, 2.0 MB, SHA-256 `{hash_of(model)[:16]}…` |"
    assert row in with_file(CARD, model).split("\n")


def test_a_table_of_files_keeps_its_heading(tmp_path: Path) -> None:
    """Only the row of the model's own file is another one."""
    model = tmp_path / "model.onnx"
    model.write_bytes(b"weights")
    heading = "| file | examples |"
    assert heading in with_file(CARD.replace("rows", heading), model).split("\n")
