import json

import pytest

from bookbound.evaluation.claims import Checked, Claim, measure
from bookbound.evaluation.claims import load as load_claims
from bookbound.evaluation.questions import load
from bookbound.evaluation.records import InputError

GOOD = {"id": "q1", "kind": "fact", "question": "How tall?", "expect": "answer"}


def write(tmp_path, *lines):
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_reads_every_field_and_ignores_unknown_ones(tmp_path):
    """A label may carry more than the evaluation knows of."""
    quote = {"file": "a.md", "quote": "1.2 m"}
    [label] = load(
        write(tmp_path, GOOD | {"evidence": [quote], "also_in": [quote | {"file": "b.md"}], "note": "x"})
    )
    assert [quote.file for quote in label.quotes] == ["a.md", "b.md"]
    assert label.selected_text is None


def test_blank_lines_and_a_byte_order_mark_are_no_questions(tmp_path):
    """Files that came through an editor still load."""
    path = tmp_path / "q.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\n\n")
    assert len(load(path)) == 1


def test_a_line_separator_within_a_question_does_not_end_its_line(tmp_path):
    """JSON strings may hold U+2028 unescaped."""
    [label] = load(write(tmp_path, json.dumps(GOOD | {"question": "a\u2028b"}, ensure_ascii=False)))
    assert label.question == "a\u2028b"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "expected a JSON object"),
        (GOOD | {"expect": "maybe"}, "expect"),
        ({key: GOOD[key] for key in ("id", "kind", "expect")}, "question"),
        (GOOD | {"refusal_reasons": ["bored"]}, "refusal_reasons.0"),
        (GOOD | {"evidence": [{"file": "a.md"}]}, "evidence.0.quote"),
    ],
)
def test_a_bad_line_is_named_with_its_number_and_field(tmp_path, line, reason):
    """The author of the file can go straight to the mistake."""
    path = write(tmp_path, GOOD, "", line)
    with pytest.raises(InputError) as raised:
        load(path)
    assert f"{path}:3: " in str(raised.value)
    assert reason in str(raised.value)


def test_a_repeated_id_is_refused(tmp_path):
    """Answers are joined to questions by id."""
    with pytest.raises(InputError, match="'q1' occurs 2 times"):
        load(write(tmp_path, GOOD, GOOD))


@pytest.mark.parametrize(("content", "reason"), [(b"", "holds no records"), (b"\xff\xfe", "not UTF-8")])
def test_a_file_without_questions_is_refused(tmp_path, content, reason):
    """Empty and non-UTF-8 files give a reason, not an empty evaluation."""
    path = tmp_path / "q.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason):
        load(path)


def test_claims_load_with_and_without_a_label(tmp_path):
    """The label is only there to measure the verifier."""
    claim = {"id": "c", "claim": "It is.", "evidence": ["It is."]}
    assert [one.label for one in load_claims(write(tmp_path, claim, claim | {"label": False}))] == [
        None,
        False,
    ]


def test_labelled_claims_measure_the_verifier():
    """Balanced accuracy is the mean of both recalls; AUROC reads the scores alone."""
    rows = [(True, True, 0.9), (True, False, 0.7), (False, False, 0.2), (False, False, 0.1)]
    checked = [Checked(Claim("c", "x", (), label), supported, score) for label, supported, score in rows]
    figures = measure(checked)
    assert figures is not None
    assert figures["balanced_accuracy"] == 0.75
    assert figures["auroc"] == 1.0
    assert (figures["supported_recall"]["hits"], figures["supported_recall"]["n"]) == (1, 2)


def test_unlabelled_claims_measure_nothing():
    """Without the truth there is no accuracy."""
    assert measure([Checked(Claim("c", "x", ()), True, 1.0)]) is None
