"""`bookbound audit query` and `bookbound audit report` as a user meets them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import boto3
import pytest

from bookbound.local.cli import run
from tests.local import deployed
from tests.local.audit_lines import answered, failed, refused, verdict, write

CASES = [answered(1), refused(2), refused(3, client_id="campus"), failed(4)]


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A data folder with four questions and two verdicts."""
    write(tmp_path / "audit", CASES, [verdict(1, "incorrect", "It has thirty."), verdict(2, "correct")])
    return str(tmp_path)


@pytest.mark.rule("A1", "E3")
def test_records_as_a_table_or_whole(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader gets one line per record, a program gets everything."""
    assert run(["audit", "query", "--data", data]) == 0
    printed = capsys.readouterr().out
    assert "4 records" in printed
    assert "Unavailable" in printed
    assert run(["audit", "query", "--client", "campus", "--json", "--data", data]) == 0
    [record] = json.loads(capsys.readouterr().out)
    assert (record["user_query_text"], record["verdict"]) == ("What does Wren cost?", None)


@pytest.mark.rule("E3")
def test_the_review_list_has_what_to_copy(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    """For a reader, and for a program; an empty one says so."""
    assert run(["audit", "query", "--feedback", "incorrect", "--data", data]) == 0
    printed = capsys.readouterr().out
    assert "It has thirty." in printed
    assert "canary_questions:" in printed
    assert run(["audit", "query", "--feedback", "incorrect", "--json", "--data", data]) == 0
    [record] = json.loads(capsys.readouterr().out)
    assert record["mend"].startswith("canary_questions:")
    assert run(["audit", "query", "--feedback", "incorrect", "--client", "nobody", "--data", data]) == 0
    assert capsys.readouterr().out == "no answer was called incorrect\n"


def test_any_sql(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Over records, feedback and verdicts."""
    sql = "SELECT refusal_reason, count(*) AS n FROM records GROUP BY ALL ORDER BY n DESC, 1"
    assert run(["audit", "query", "--sql", sql, "--json", "--data", data]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"refusal_reason": "insufficient_context", "n": 2} in rows
    assert run(["audit", "query", "--sql", "SELECT verdict FROM feedback", "--data", data]) == 0
    assert "2 rows" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--feedback", "wrong"],
        ["--session", "42"],
        ["--reason", "dislike"],
        ["--since", "yesterday"],
        ["--sql", "SELECT 1", "--client", "campus"],
        ["--sql", "SELEC 1"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_bad_input_is_one_line(data: str, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, with what is wrong."""
    assert run(["audit", "query", *arguments, "--data", data]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.rule("A2")
def test_a_torn_line_is_told(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error; the records are shown all the same."""
    [path] = Path(data).rglob("records/**/*.jsonl")
    path.write_text(path.read_text() + '{"log_id":')
    for command in (["query"], ["query", "--sql", "SELECT 1"], ["report"]):
        assert run(["audit", *command, "--data", data]) == 0
        assert "warning: 1 lines" in capsys.readouterr().err


@pytest.mark.rule("E2")
def test_the_report_as_html_beside_its_terminal_part(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a live book the open questions stand there without their nearest section."""
    page = Path(data) / "report.html"
    assert run(["audit", "report", "--html", str(page), "--data", data]) == 0
    assert capsys.readouterr().out.startswith("4 questions: 1 answered, 2 refused, 1 errors")
    text = page.read_text(encoding="utf-8")
    assert "What does Wren cost?" in text
    assert "Nearest" not in text
    assert run(["audit", "report", "--html", str(page), "--from", "2027-01-01", "--data", data]) == 0
    assert "No question is on record." in page.read_text(encoding="utf-8")


@pytest.mark.rule("A3", "E3")
def test_a_stages_records_are_asked_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are copied below the data folder first."""
    with deployed.account(monkeypatch):
        deployed.deploy("dev")
        place = {"LocationConstraint": deployed.REGION}
        boto3.client("s3").create_bucket(Bucket="audit", CreateBucketConfiguration=place)  # type: ignore[arg-type]
        key = "records/personal=true/year=2026/month=03/day=01/stream.gz"
        body = gzip.compress("".join(json.dumps(one) + "\n" for one in CASES).encode())
        boto3.client("s3").put_object(Bucket="audit", Key=key, Body=body)
        assert run(["audit", "query", "--stage", "dev", "--json", "--data", str(tmp_path)]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(CASES)
    assert (tmp_path / "stages" / "dev" / "audit" / "records").is_dir()
