"""The bill of a stage: each price counts, and the document shows what the command reckons."""

import json

import pytest

from infra.costs import DOC, PRICES, Resources, bill, measured, prices, put_in, table
from infra.stages import PROD
from tests.infra.conftest import synthesised


@pytest.fixture(scope="session")
def prod(assembly):
    """What prod consists of."""
    return Resources(tuple(synthesised(PROD, assembly).templates.values()))


def test_the_document_shows_the_bill_as_it_is_now(prod):
    """`python -m infra.costs --write` puts it there."""
    text = DOC.read_text("utf-8")
    assert put_in(text, table(bill(PROD, prod, PRICES))) == text


@pytest.mark.parametrize("name", PRICES)
def test_every_price_is_in_the_bill(prod, name):
    """None that nothing reads."""
    before = bill(PROD, prod, PRICES)
    after = bill(PROD, prod, {**PRICES, name: PRICES[name] + 1})
    higher = [
        one.what
        for one, other in zip(after, before, strict=True)
        if (one.questions, one.month) > (other.questions, other.month)
    ]
    assert higher


def test_prices_of_a_file_take_the_place_of_the_list(tmp_path):
    """Those that it does not name stay; one that is not known is told."""
    file = tmp_path / "prices.json"
    file.write_text('{"log_gb": 0.63}')
    assert prices(file) == {**PRICES, "log_gb": 0.63}
    file.write_text('{"logs": 0.63}')
    with pytest.raises(ValueError, match="unknown price logs; there are gateway_request"):
        prices(file)


def test_audit_records_are_weighed_by_their_means(tmp_path):
    """Questions that failed have no part in it, and neither have prompts that were never sent."""
    records = [
        {"success": True, "llm_prompt": "x" * 100, "retrieval_query": "xy"},
        {"success": True, "llm_prompt": None, "retrieval_query": "wxyz"},
        {"success": False, "llm_prompt": "x" * 999, "retrieval_query": None},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    size = sum(len(json.dumps(record)) for record in records[:2]) / 2
    assert measured(tmp_path) == (
        f"2 questions: record {size:.0f} bytes, prompt 100 characters, search 3 characters"
    )
