"""The bill of a stage: each price counts, and the document shows what the command computes."""

import json

import pytest

from infra import ingest_costs
from infra.billing import PRICES, Resources, prices
from infra.costs import DOC, bill, measured, written
from infra.stages import PROD
from tests.infra.conftest import synthesised


@pytest.fixture(scope="session")
def prod(assembly):
    """Return the resources of prod."""
    return Resources(tuple(synthesised(PROD, assembly).templates.values()))


def test_the_document_shows_the_bills_as_they_are_now(prod):
    """`python -m infra.costs --write` puts them there."""
    text = DOC.read_text("utf-8")
    assert written(text, PRICES, prod) == text


@pytest.mark.parametrize("name", PRICES)
def test_every_price_is_in_a_bill(prod, name):
    """None that nothing reads."""

    def total(price):
        lines = [*bill(PROD, prod, price), *ingest_costs.bill(prod, price)]
        return sum(amount for line in lines for amount in line.amounts)

    assert total({**PRICES, name: PRICES[name] + 1}) > total(PRICES)


def test_a_larger_book_costs_more_in_all_that_grows_with_it(prod):
    """Only a run's own items cost the same for any book: its keys, its report."""
    same = {line.what for line in ingest_costs.bill(prod, PRICES) if line.amounts[0] == line.amounts[1]}
    assert same == {"Secrets Manager", "SNS, the report"}
    assert all(line.amounts[0] <= line.amounts[1] for line in ingest_costs.bill(prod, PRICES))


def test_prices_of_a_file_take_the_place_of_the_list(tmp_path):
    """Prices that it does not name stay; an unknown one is reported."""
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
