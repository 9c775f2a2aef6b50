"""Questions that reveal an identity: they are deleted after retention, the others are kept."""

from __future__ import annotations

from string import digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.audit.personal_data import MOST, Kind, found_in

pytestmark = pytest.mark.rule("A4")


@pytest.mark.parametrize(
    "text",
    [
        "Please write to jane.doe+ros@uni-example.ac.uk when it is mended.",
        "Jane <jane@example.org> asked how a joint is bent.",
        "Answer me at jane (at) example (dot) org, please.",
        "Answer me at jane[at]example.org, please.",
        "My mail is jane at example dot com",
        "grüße@bücher.example",
    ],
)
def test_an_address_of_mail_is_found(text: str) -> None:
    """Also where it is spelt out to be found by people alone."""
    assert found_in(text) == {Kind.EMAIL}


@pytest.mark.parametrize(
    "text",
    [
        "Call +49 170 1234567 about the arm.",
        "Call 0049 170 1234567 about the arm.",
        "Call (202) 555-0143 about the arm.",
        "Call 202.555.0143 about the arm.",
        "My number is 98765 43210.",
        "My number is 020 7946 0958 (home).",
        "Mine are 030 1234567 / 0170 7654321.",
        "06\u00a012\u00a034\u00a056\u00a078",
    ],
)
def test_a_telephone_number_is_found(text: str) -> None:
    """With its country's code anywhere; without one as in the countries that are known."""
    assert found_in(text) == {Kind.PHONE}


@pytest.mark.parametrize("number", ["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005"])
def test_a_cards_number_is_found_by_its_check_digit(number: str) -> None:
    """With one digit changed it is none."""
    assert Kind.CARD in found_in(f"Why was {number} refused?")
    assert Kind.CARD not in found_in(f"Why was {number[:-1]}{(int(number[-1]) + 1) % 10} refused?")


@given(st.text(digits, min_size=12, max_size=18), st.sampled_from("23456"))
def test_of_ten_last_digits_one_makes_a_card(number: str, first: str) -> None:
    """The check digit is defined that way."""
    made = [first + number[1:] + last for last in digits]
    assert len([one for one in made if Kind.CARD in found_in(one)]) == 1


@pytest.mark.parametrize("number", ["GB82 WEST 1234 5698 7654 32", "DE89370400440532013000"])
def test_an_accounts_number_is_found_by_its_check_digits(number: str) -> None:
    """With them changed it is none."""
    assert Kind.ACCOUNT in found_in(f"Is {number} right?")
    assert Kind.ACCOUNT not in found_in(f"Is {number[:2]}11{number[4:]} right?")


@pytest.mark.parametrize(
    "text",
    [
        "My name is jane. What is a joint?",
        "I'm Jane, and I'd like to know what a joint is.",
        "I am Jane Doe and I do not get joints.",
        "I am called jane; what is a joint?",
        "Just call me Jane.",
        "This is Jane Doe from Rome. What is a joint?",
        "What is a joint? Best regards, Jane Doe",
        "What is a joint?\nThanks in advance\nJane\n",
    ],
)
def test_who_gives_their_name_is_found(text: str) -> None:
    """By the words that people say around it."""
    assert found_in(text) == {Kind.NAME}


@pytest.mark.parametrize(
    "text",
    [
        "Why does 192.168.1.10 not answer on port 11311, and 192.168.10.20 does?",
        "Which joint of the UR10 turns by 0.5 rad, and which by 3.14159265358979?",
        "The serial number is 1234567890123456; what does it mean?",
        "Was ROS 2 Humble released on 2022-05-23, or on 23/05/2022 at 10:30:00?",
        "How far is it from 0.5 m, 0.25 m and 0.125 m to 1,000,000 m?",
        "Does (1, 0, 0) turn into [0.0 0.707 0.0 0.707]?",
        "What did Karel Čapek write, and who are Asimov's three laws for?",
        "What does self.create_publisher(String, 'topic', 10) return? @override says nothing.",
        "What is the name of my node? This is Gazebo in action.",
        "Look at the dot product: is numpy@1.26 needed for it?",
        "",
    ],
)
def test_a_question_about_robots_holds_nothing_personal(text: str) -> None:
    """Their numbers are no telephone's, their makers' names are the book's."""
    assert found_in(text) == frozenset()


def test_where_there_are_too_many_numbers_one_may_be_a_telephones() -> None:
    """No more than a few are looked up, so the others count as found."""
    numbers = [f"0000 {number}" for number in range(100_000, 100_000 + MOST + 1)]
    assert found_in("; ".join(numbers[:MOST])) == frozenset()
    assert found_in("; ".join(numbers)) == {Kind.PHONE}


@given(st.text(), st.sampled_from(["jane@example.org", "+49 170 1234567", "GB82 WEST 1234 5698 7654 32"]))
def test_what_stands_around_hides_nothing(text: str, planted: str) -> None:
    """Any other text may surround it, if it is a separate word."""
    assert found_in(f"{text}; {planted}; {text}")


@given(st.lists(st.sampled_from([*"0123456789+@ .-()/", "I'm ", "A", "at "]), max_size=300).map("".join))
def test_nothing_that_is_written_breaks_it(text: str) -> None:
    """Any text built from the marks that it looks for gives a result."""
    assert found_in(text) <= set(Kind)
