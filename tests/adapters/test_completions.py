"""Which completion of a follow-up is meant, as the bundled reader tells it (X18)."""

from __future__ import annotations

import pytest

from bookbound.adapters.bundled.reader import BundledReader
from bookbound.question.follow_up import readings
from bookbound.question.meant import as_claims, shipped


@pytest.mark.parametrize(
    ("previous", "question", "meant"),
    [
        ("What does the lidar cost?", "and the camera?", "What does the camera cost?"),
        ("How long does the battery last?", "and the charger?", "How long does the charger last?"),
        ("How small is the Kinetis KL03?", "and the price?", "What is the price of the Kinetis KL03?"),
        ("Who was Ada Lovelace, and what is Babbage's engine?", "where did she live?", "Ada Lovelace"),
        ("What are keys in a list?", "where do they come from?", "Where do keys come from?"),
        ("What is a usury law?", "What is the Laffer curve?", "What is the Laffer curve?"),
        ("Which gripper does the arm use?", "how far does it open?", "gripper"),
    ],
)
async def test_of_readings_that_the_book_answers_alike_the_one_is_meant_that_people_mean(
    previous: str, question: str, meant: str
) -> None:
    """An attribute and another thing of the same kind are told apart, and a pronoun finds its noun."""
    found = readings(question, previous)
    borne_out = await BundledReader().judge(as_claims(found))
    assert meant in shipped().meant(found, borne_out, [0.5] * len(found.all)).text
