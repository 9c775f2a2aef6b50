from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.model import Image, UnitKind
from bookbound.source.markdown import ParsedPage, parse_page
from bookbound.text.sentences import sentence_spans


def parse(source: str, title: str | None = "Page") -> ParsedPage:
    return parse_page(dedent(source), title=title, fallback_title="file-name")


def texts(source: str) -> list[str]:
    return [piece.text for piece in parse(source).pieces]


# --- sections -------------------------------------------------------------------------------------


def test_the_title_is_the_front_matters_else_the_first_h1_else_the_fallback() -> None:
    """A page is named by what its author says first."""
    assert parse("# Heading", title="Given").title == "Given"
    assert parse("Text.\n\n# A *new* `start`", title=None).title == "A new start"
    assert parse("## Second level only", title=None).title == "file-name"


@pytest.mark.rule("I2")
def test_every_heading_is_a_section_with_its_path() -> None:
    """A section knows the title and every heading above it."""
    page = parse("# Page\n## One\n#### Deep\n## Two\n### Under two")
    assert [section.path for section in page.sections] == [
        ("Page",),
        ("Page", "One"),
        ("Page", "One", "Deep"),
        ("Page", "Two"),
        ("Page", "Two", "Under two"),
    ]


def test_a_heading_without_end_is_cut() -> None:
    """It stands above all that is embedded of its section, and would make a library of a page."""
    page = parse(f"# {'a' * 400}\n\n## {'b' * 400}\n\nText.", title=None)
    assert [len(section.title) for section in page.sections] == [300, 300]


def test_an_h1_that_differs_from_the_title_is_a_section_without_an_anchor() -> None:
    """Docusaurus gives an H1 no id."""
    page = parse("# Another name\n## Below", title="Page")
    assert [(section.path, section.anchor) for section in page.sections[1:]] == [
        (("Page", "Another name"), None),
        (("Page", "Another name", "Below"), "below"),
    ]


@pytest.mark.rule("C3")
def test_anchors_are_the_ones_that_docusaurus_gives() -> None:
    """Repeated headings are numbered, the H1 counts, an explicit id wins and does not."""
    page = parse(
        "# Setup\n## Setup\n## Own {#my_own-id}\n## Old {/* #new */}\n## `code` & *more*", title="Setup"
    )
    assert [(section.title, section.anchor) for section in page.sections] == [
        ("Setup", None),
        ("Setup", "setup-1"),
        ("Own", "my_own-id"),
        ("Old", "new"),
        ("code & more", "code--more"),
    ]
    assert page.stripped == ()


def test_pieces_point_to_the_section_that_they_stand_under() -> None:
    """Text before any heading belongs to the page itself."""
    page = parse("Intro.\n\n## One\n\nFirst.\n\n## Two\n\nSecond.")
    assert [(piece.text, piece.section) for piece in page.pieces] == [
        ("Intro.", 0),
        ("First.", 1),
        ("Second.", 2),
    ]


# --- text -----------------------------------------------------------------------------------------


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("Some **bold**, *thin* and ~~old~~ text.", "Some bold, thin and old text."),
        ("A [link](https://example.org/a_b) and <https://example.org>.", "A link and https://example.org."),
        ("Set `max_vel_x * 2` to 1.", "Set max_vel_x * 2 to 1."),
        ("Soft\nbreak   here", "Soft break here"),
        ("5 &lt; 6 &amp; snake_case_name", "5 < 6 & snake_case_name"),
        (r"Not \*bold\*, a \{brace\}", "Not *bold*, a {brace}"),
        ("Price $5 and $6, formula $a_1 * b_{2}$", "Price $5 and $6, formula $a_1 * b_{2}$"),
        ("Press <kbd>Ctrl</kbd>+<kbd>C</kbd>{' '}now", "Press Ctrl+C now"),
        ("Today{/* a comment */} it is<!-- another --> {props.value}warm", "Today it is warm"),
        ("a < b and c > d, 3 <4", "a < b and c > d, 3 <4"),
        ("An open { brace", "An open { brace"),
        ("import the package before you start", "import the package before you start"),
    ],
)
def test_text_is_what_a_reader_sees(source: str, seen: str) -> None:
    """Marks are gone, the words are literal."""
    assert texts(source) == [seen]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Sensors, e.g. lidar, help.", "Cameras do too."],
        ["Fig. 3 and Eq. 2 show approx. 3.5 kg.", "It is light."],
        ["The course uses ROS 2.", "It runs on Ubuntu 22.04."],
        ["The step is 0.04 m.", "The mass is 24 kg.", "Done in 5 s.", "Next."],
        ["See https://example.org/a.B?c=d.e for more.", "Then go on."],
        ["1. This starts with a number.", "So it goes."],
        ["Really?", "It works! ✅"],
    ],
)
def test_sentences_end_where_a_reader_ends_them(sentences: list[str]) -> None:
    """Abbreviations, numbers, units and addresses do not end a sentence."""
    text = " ".join(sentences)
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences


def test_code_within_a_sentence_does_not_end_it() -> None:
    """Inline code is one literal thing."""
    assert texts("Call `a.b(). Then c` first. Go on.") == ["Call a.b(). Then c first.", "Go on."]


@given(st.text())
def test_sentences_cover_every_letter_and_digit_in_order(text: str) -> None:
    """No readable character is lost between sentences."""
    spans = sentence_spans(text)
    kept = "".join(text[start:end] for start, end in spans)
    assert [char for char in kept if char.isalnum()] == [char for char in text if char.isalnum()]
    assert spans == sorted(spans)


def test_a_hard_break_ends_a_sentence() -> None:
    """Lines that a reader sees apart are pieces apart, of one block."""
    page = parse("Duration: 45 min  \nLevel: beginner<br/>Tools: none")
    assert [(piece.text, piece.block) for piece in page.pieces] == [
        ("Duration: 45 min", 1),
        ("Level: beginner", 1),
        ("Tools: none", 1),
    ]


def test_quotes_and_admonitions_are_ordinary_text() -> None:
    """Their marks go, their titles stay."""
    source = """
        > Quoted once.
        > Quoted twice.

        ::::note[The `title`]
        Body text.
        :::tip A subtitle
        - an item
        :::
        ::::
        After.
        """
    assert texts(source) == [
        "Quoted once.",
        "Quoted twice.",
        "The title",
        "Body text.",
        "A subtitle",
        "an item",
        "After.",
    ]


def test_footnotes_lose_their_marks_and_stand_last_under_the_page_itself() -> None:
    """A footnote's text is read at the foot of the page."""
    page = parse("## Part\n\nA claim[^1]. More.\n\n[^1]: The source.")
    assert [(piece.text, piece.section) for piece in page.pieces] == [
        ("A claim.", 1),
        ("More.", 1),
        ("The source.", 0),
    ]


# --- lists and code -------------------------------------------------------------------------------


def test_a_list_is_one_block_with_the_sentence_that_introduces_it() -> None:
    """Steps stay together, nested items, code and further paragraphs of an item included."""
    source = """
        Some background. Do this:

        1. First step. With a remark.
           - a detail
        2. Second step

           ```bash
           run it
           ```

           A closing word.

        After the list.
        """
    kinds = [(piece.text, piece.kind) for piece in parse(source).pieces]
    assert kinds == [
        ("Some background.", UnitKind.SENTENCE),
        ("Do this:", UnitKind.SENTENCE),
        ("1. First step. With a remark.", UnitKind.ITEM),
        ("a detail", UnitKind.ITEM),
        ("2. Second step", UnitKind.ITEM),
        ("run it", UnitKind.CODE),
        ("A closing word.", UnitKind.SENTENCE),
        ("After the list.", UnitKind.SENTENCE),
    ]
    blocks = [piece.block for piece in parse(source).pieces]
    assert len(set(blocks[1:7])) == 1
    assert len({blocks[0], blocks[1], blocks[7]}) == 3


def test_a_number_that_the_author_did_not_write_is_not_text() -> None:
    """Items keep the number that both the source and the reader have; boxes of task lists go."""
    assert texts("3. three\n4. four\n4. five\n\n- [x] done\n- [ ] open") == [
        "3. three",
        "4. four",
        "five",
        "done",
        "open",
    ]


def test_code_stays_as_it_stands_with_the_line_that_announces_it() -> None:
    """A code block is one piece, in one block with a sentence that ends in a colon."""
    page = parse(
        'Like this:\n\n```python title="a.py"\n\nx = {\n    **y,  # *z*\n}\n```\n\nDone.\n\n```\nother\n```'
    )
    assert [(piece.text, piece.block) for piece in page.pieces[:3]] == [
        ("Like this:", page.pieces[0].block),
        ("a.py", page.pieces[0].block),
        ("x = {\n    **y,  # *z*\n}", page.pieces[0].block),
    ]
    assert page.pieces[3].block != page.pieces[4].block


def test_a_mermaid_diagram_is_no_text() -> None:
    """A reader sees a picture there; the note says that it was left out."""
    page = parse("```mermaid\ngraph LR\n```")
    assert (page.pieces, page.stripped) == ((), ("mermaid diagram ×1",))


def test_a_definition_list_is_a_list_of_what_terms_mean() -> None:
    """Each definition is an item that begins with its term; the sentence before it leads in."""
    page = parse("The states:\n\nIdle\n:   Nothing moves. It waits.\n\n*Busy*\n: It moves.\n: It may stop.\n")
    assert [(piece.text, piece.kind, piece.block) for piece in page.pieces] == [
        ("The states:", UnitKind.SENTENCE, 2),
        ("Idle: Nothing moves. It waits.", UnitKind.ITEM, 2),
        ("Busy: It moves.", UnitKind.ITEM, 2),
        ("It may stop.", UnitKind.ITEM, 2),
    ]


def test_a_definition_without_a_paragraph_keeps_its_term() -> None:
    """A list or code may stand in it alone."""
    page = parse("Steps\n: - one\n  - two\n")
    assert [piece.text for piece in page.pieces] == ["Steps", "one", "two"]


# --- MDX ------------------------------------------------------------------------------------------


def test_mdx_leaves_what_a_reader_sees() -> None:
    """Imports, exports, tags, comments and expressions go; inner Markdown and visible props stay."""
    page = parse(
        """
        import Tabs from '@theme/Tabs';
        import {
          One,
          Two,
        } from "./parts";
        export const data = [

          {a: 1},
        ];

        <Tabs groupId="os">
          <TabItem value="l" label="Linux">

            Text with *marks*.

            ```jsx
            import React from 'react';
            <b>{value}</b> <!-- kept -->
            ```

          </TabItem>
        </Tabs>

        <details>
        <summary>Open **me**</summary>
        Hidden text.
        </details>

        {/* a comment

        over lines */}

        <Chart title={"The *chart*"} data={{a: {b: 1}}} caption='Its &amp; caption' />

        <style>{`.a { color: red }`}</style>
        """
    )
    assert [piece.text for piece in page.pieces] == [
        "Linux",
        "Text with marks.",
        "import React from 'react';\n<b>{value}</b> <!-- kept -->",
        "Open me",
        "Hidden text.",
        "The *chart*",
        "Its & caption",
    ]
    assert page.stripped == (
        "import ×2",
        "export ×1",
        "<Tabs> tag ×1",
        "<TabItem> tag ×1",
        "<details> tag ×1",
        "<summary> tag ×1",
        "comment ×1",
        "<Chart> tag ×1",
        "<style> tag ×1",
    )


def test_props_of_html_elements_are_no_text() -> None:
    """A tooltip is not read in the running text."""
    assert texts('An <abbr title="Robot Operating System">ROS</abbr> node.') == ["An ROS node."]


def test_a_dropped_expression_is_noted() -> None:
    """The author can see what was left out, and how often."""
    assert parse("{a} and {b.map(x => {return x})}").stripped == ("expression ×2",)


# --- images and tables ----------------------------------------------------------------------------

A, B, C = (Image(f"{name}.png", name) for name in "abc")


@pytest.mark.rule("T4")
def test_images_belong_to_the_text_before_them() -> None:
    """Consecutive images belong together, also on separate lines and as HTML."""
    page = parse('First. Second.\n\n![a](a.png)\n\n<img src="b.png" alt="b" />\n![c](c.png)\n\nThird.')
    assert [piece.images for piece in page.pieces] == [(), (A, B, C), ()]


@pytest.mark.rule("T4")
def test_images_before_any_text_of_their_section_belong_to_what_follows() -> None:
    """The nearest text of the same section wins over that of the section before."""
    page = parse("Before.\n\n## Part\n\n![a](a.png) ![b](b.png)\n\nAfter one. ![c](c.png) After two.")
    assert [piece.images for piece in page.pieces] == [(), (A, B, C), ()]


@pytest.mark.rule("T4")
def test_an_image_inside_a_sentence_or_an_item_belongs_to_it() -> None:
    """Its own text is the nearest."""
    page = parse("One. Press ![a](a.png) now. Last.\n\n- ![b](b.png) item")
    assert [piece.images for piece in page.pieces] == [(), (A,), (), (B,)]


@pytest.mark.rule("T4")
def test_an_image_of_a_section_without_text_belongs_to_the_text_before_it() -> None:
    """No picture is lost while the page has any text; one on a page without text is noted."""
    page = parse("Before.\n\n## Empty\n\n![a](a.png)\n\n## Next\n\nAfter.")
    assert [piece.images for piece in page.pieces] == [(A,), ()]
    assert parse("![a](a.png)").stripped == ("image without text ×1",)


def test_an_image_path_is_read_from_a_component_and_from_require() -> None:
    """Docusaurus' ways to name a static file are understood."""
    page = parse(
        "Text.\n\n<img src={require('./a.png').default} alt='a' />\n<img src={useBaseUrl('b.png')} alt='b'/>"
    )
    assert page.pieces[0].images == (Image("./a.png", "a"), B)


@pytest.mark.rule("T1")
def test_a_markdown_table_is_a_table_and_no_piece() -> None:
    """Cells are text as a reader sees it; the section is known."""
    page = parse("## Part\n\nIntro.\n\n| **A** | B |\n|---|---|\n| `x_1` | a \\| b |\n| only one |\n")
    (table,) = page.tables
    assert (table.caption, table.header, table.section) == (None, ("A", "B"), 1)
    assert table.rows == (("x_1", "a | b"), ("only one", ""))
    assert [piece.text for piece in page.pieces] == ["Intro."]


@pytest.mark.rule("T1")
@pytest.mark.parametrize("line", ["**Sensors of the robot**", "Table 3: Sensors of the robot"])
def test_a_bold_or_numbered_line_above_a_table_is_its_caption(line: str) -> None:
    """The line names the table."""
    (table,) = parse(f"{line}\n\n| A |\n|---|\n| x |").tables
    assert table.caption == line.strip("*")


# --- robustness -----------------------------------------------------------------------------------

MARKS = (
    *("# ", "- ", "1. ", "> ", ":::note", ":::", "```", "|a|b|\n|-|-|\n", "<", "</", ">", "{", "}", "/>"),
    *(
        "{/*",
        "<!--",
        "-->",
        "import a from 'b'",
        "export const c = {",
        "![",
        "](",
        "[^1]",
        "$",
        "\n\n",
        "a. ",
    ),
)


@given(st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=10))).map("".join))
def test_any_text_gives_a_page(source: str) -> None:
    """Any source gives a page with pieces and tables that point to its sections."""
    page = parse_page(source, title="Page", fallback_title="x")
    assert all(piece.text.strip() for piece in page.pieces)
    assert {item.section for item in (*page.pieces, *page.tables)} <= set(range(len(page.sections)))


@given(st.lists(st.from_regex(r"[A-Za-z]{1,8}", fullmatch=True), min_size=1, max_size=30))
def test_plain_words_come_out_as_they_went_in(words: list[str]) -> None:
    """Text without marks is literal."""
    source = "Say " + " ".join(words)
    assert " ".join(texts(source)) == source
