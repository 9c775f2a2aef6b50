"""A book's terms: acronyms, aliases, names and words, gathered at ingest (R4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from bookbound.index.glossary_builder import definitions, gather
from bookbound.model import Section, UnitKind
from bookbound.policy.book_policy import Policy
from bookbound.source.pages import Page, Piece, Table
from bookbound.text.glossary import Glossary, phrase_key


def policy(**settings: Any) -> Policy:
    return Policy(title="A book", covered_subjects=(), out_of_scope=(), **settings)


def page(*texts: str, kind: UnitKind = UnitKind.SENTENCE, headings: tuple[str, ...] = ()) -> Page:
    """A page of these pieces, under these headings."""
    sections = tuple(Section(title, (title,), None) for title in ("Power", *headings))
    return Page(
        document=f"{texts!r}.md",
        document_id=uuid5(NAMESPACE_URL, repr(texts)),
        title="Power",
        page=1,
        url="/docs/power",
        revision="r1",
        last_update=None,
        sections=sections,
        pieces=tuple(Piece(text, kind, 0, 1) for text in texts),
        tables=(),
    )


@pytest.mark.rule("R4")
@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("It runs on the Robot Operating System (ROS) here.", "ROS", "Robot Operating System"),
        ("Choose a QoS (quality of service) first.", "QoS", "quality of service"),
        ("All inertial measurement units (IMUs) drift.", "IMU", "inertial measurement units"),
        ("RGB-D (red, green, blue and depth): a camera.", "RGB-D", "red, green, blue and depth"),
        ("ASR (automatic speech recognition, by Whisper) is slow.", "ASR", "automatic speech recognition"),
        ("Lidar (light detection and ranging): a sensor.", "Lidar", "light detection and ranging"),
        ("The word error rate, or WER, is low.", "WER", "word error rate"),
        ("IMU: inertial measurement unit, in the pelvis", "IMU", "inertial measurement unit"),
        ("DoF – degree of freedom", "DoF", "degree of freedom"),
        ("URDF stands for Unified Robot Description Format.", "URDF", "Unified Robot Description Format"),
    ],
)
def test_a_definition_is_found_in_either_order(text: str, short: str, long: str) -> None:
    """Brackets, entries of a list and plain words define acronyms."""
    assert list(definitions(text)) == [(short, long)]


@pytest.mark.parametrize(
    "text",
    [
        "Install it on Linux (Ubuntu).",
        "Install ROS 2 (covered in Chapter 2).",
        "GPU: a card with RTX cores",
        "CPU: Modern multi-core processors can handle it",
        "Use a GPU or CPU for it.",
        "The logic is Architecture-First Logic (AI).",
        "RELIABLE (Reliability: Guarantees delivery)",
        "The camera is fast (30 FPS).",
        "The ROS ROS system (ROS)",
    ],
)
def test_what_merely_stands_in_brackets_defines_nothing(text: str) -> None:
    """Letters that do not agree, or an acronym explained with its letters, are left out."""
    assert list(definitions(text)) == []


@pytest.mark.rule("R4")
def test_acronym_and_long_form_mean_each_other() -> None:
    """Keys are in lower case and singular, values as the book writes them most often."""
    pages = [page("The robot operating system (ROS).", *["A Robot Operating System (ROS)."] * 2)]
    assert gather(pages, policy()).equivalents == {
        "ros": ("Robot Operating System",),
        "robot operating system": ("ROS",),
    }


@pytest.mark.rule("R4")
def test_headings_items_and_table_cells_define_too() -> None:
    """A definition counts wherever a reader sees it, but not in code."""
    rows = (("BT", "behaviour tree", "x"), ("a", "b", "Voice Activity Detection (VAD)"))
    table = Table("Truncated signed distance function (TSDF)", ("Short", "Long", ""), rows, 0, 2)
    seen = replace(page(headings=("Quality of Service (QoS)",)), tables=(table,))
    code = page("# Robot Operating System (ROS)", kind=UnitKind.CODE)
    assert {"qos", "bt", "vad", "tsdf"} <= gather([seen, code], policy()).equivalents.keys()
    assert "ros" not in gather([seen, code], policy()).equivalents


@pytest.mark.rule("R4")
def test_the_authors_words_come_first_and_all_aliases_mean_each_other() -> None:
    """Policy glossary and aliases stand before what is mined."""
    authored = policy(
        glossary={"SDF": "Simulation Description Format"},
        aliases={"emergency stop": ("E-stop", "kill switch")},
    )
    found = gather([page("The signed distance field (SDF).")], authored).equivalents
    assert found["sdf"] == ("Simulation Description Format", "signed distance field")
    assert found["emergency stop"] == ("E-stop", "kill switch")
    assert found["e stop"] == ("emergency stop", "kill switch")
    assert found["kill switch"] == ("emergency stop", "E-stop")


def test_an_acronym_that_is_a_word_keeps_its_case() -> None:
    """Function words always; others where the book uses them as words."""
    authored = policy(
        glossary={"CAN": "controller area network", "mAP": "mean average precision", "USB": "bus"}
    )
    assert gather([page("Save the map. Plug in USB.")], authored).everyday == {"can": "CAN", "map": "mAP"}
    assert gather([page("Nothing.")], authored).everyday == {"can": "CAN"}


@pytest.mark.rule("R4")
def test_the_books_names_are_headings_terms_files_and_identifiers() -> None:
    """Names have two telling words or more; headings lose numbers, plain words of code are none."""
    pages = [
        page("Local costmap: a grid of costs", "See how it goes, and do: this", kind=UnitKind.ITEM),
        page(
            "Edit joint_limits.yaml, not 3.5 or node.spin().",
            headings=("2.1 Spare Batteries", "Chapter 3: How to Walk"),
        ),
        page("for joint_state in spin_all():", kind=UnitKind.CODE),
    ]
    names = {"local costmap", "joint limit yaml", "spare battery", "joint state"}
    assert gather(pages, policy()).names == names


def test_words_are_counted_in_prose_headings_and_code() -> None:
    """Lower case, letters only, at least three of them."""
    pages = [page("The robot's gait, the ROS2 gait."), page("gait_x = 12", kind=UnitKind.CODE)]
    assert gather(pages, policy()).words == {"gait": 3, "power": 2, "robot": 1, "ros": 1, "the": 2}


@pytest.mark.parametrize(
    ("one", "other"),
    [("IMUs", "imu"), ("degrees of freedom", "degree of freedom"), ("E-stop", "e stop"), ("ROS2", "ROS 2")],
)
def test_spellings_of_one_phrase_share_their_key(one: str, other: str) -> None:
    """Case, plural, hyphens and the space before a number don't part them."""
    assert phrase_key(one) == phrase_key(other)


def test_words_that_end_in_s_by_themselves_stay() -> None:
    """Only plurals are taken back."""
    assert phrase_key("ROS bus axis class") == "ros bus axis class"
    assert phrase_key("switches batteries boxes classes robots") == "switch battery box class robot"


SENTENCES = (
    "A ROS (Robot Operating System).",
    "The robot operating system (ROS).",
    "ROS (robot or sim).",
    "An arm.",
)


@given(st.permutations([page(text) for text in SENTENCES * 2]))
def test_the_order_of_pages_does_not_matter(pages: list[Page]) -> None:
    """The same pages give the same glossary, so the same index version."""
    assert gather(pages, policy()) == gather(sorted(pages, key=lambda found: found.document), policy())


@given(st.lists(st.text()), st.dictionaries(st.text(), st.text()))
def test_any_book_gives_a_glossary_that_survives_storing(texts: list[str], glossary: dict[str, str]) -> None:
    """No book raises an error, and JSON gives back the stored glossary."""
    found = gather([page(*texts)], policy(glossary=glossary))
    stored = TypeAdapter(Glossary)
    assert stored.validate_json(stored.dump_json(found)) == found


@given(st.lists(st.text(alphabet="RrOoSs (),:-."), max_size=4))
def test_equivalents_are_mutual(texts: list[str]) -> None:
    """If one text means another, the other means it too."""
    found = gather([page(*texts, "Robot Operating System (ROS)")], policy()).equivalents
    assert all(key in map(phrase_key, found[phrase_key(other)]) for key in found for other in found[key])
