"""The author's page of the local server: who sees it, what it shows, and what it writes."""

from __future__ import annotations

import asyncio
import base64
import re
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from bookbound import ingest_wiring, wiring
from bookbound.authoring.mends import Alias
from bookbound.errors import PolicyError
from bookbound.local.author import AuthorPage, beside, policy_file
from bookbound.local.author.policy_file import ChangedMeanwhileError
from bookbound.settings import Settings
from testing.small_book import PAGES
from tests.local.audit_lines import refused, verdict, write

KEY = "a-key-of-the-author-that-is-long"
HOSTILE = "<script>alert(1)</script> What does Kestrel cost?"
POLICY = "# Ours.\ntitle: Kestrel\nout_of_scope: []\ncovered_subjects: []\n"
HERE = "http://127.0.0.1:8000"
MEND = {"kind": "alias", "first": "emergency stop", "second": "panic button"}


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site's folder with an index of it below `data`."""
    root = tmp_path_factory.mktemp("kestrel")
    (root / "docs").mkdir()
    for name, text in PAGES.items():
        (root / "docs" / name).write_text(text)
    (root / "bookbound.yaml").write_text(POLICY)
    ingest_wiring.ingest(Settings(data=root / "data"), root / "docs", "kestrel", None, lambda *_: None)
    records = [
        refused(1, HOSTILE, personal_data=False, citations=[], book_id="kestrel"),
        refused(2, "How much is Kestrel?", personal_data=False, citations=[], book_id="kestrel"),
        refused(3, "I am Ada Byron. Is it heavy?", personal_data=True, citations=[], book_id="kestrel"),
        refused(4, "Another book's question?", personal_data=False, citations=[], book_id="other"),
    ]
    write(root / "data" / "audit", records, [verdict(1, "incorrect", "wrong")])
    return root


@pytest.fixture(autouse=True)
def as_ingested(ingested: Path) -> None:
    """Each test finds the file as the ingest did."""
    (ingested / "bookbound.yaml").write_text(POLICY)


async def api(scope: Any, receive: Any, send: Any) -> None:
    """Stands for the API."""
    await httpx_response(send)


async def httpx_response(send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"the API"})


@asynccontextmanager
async def served(
    root: Path, *, key: str | None = None, guarded: bool = False, client: str = "127.0.0.1", at: str = HERE
) -> AsyncIterator[httpx.AsyncClient]:
    """A browser before the page."""
    settings = Settings(data=root / "data", author_key=key)  # type: ignore[arg-type]
    async with wiring.local(settings) as system:
        page = AuthorPage(settings, system, guarded=guarded)
        transport = httpx.ASGITransport(beside(api, page), client=(client, 5000))
        async with httpx.AsyncClient(transport=transport, base_url=at) as browser:
            yield browser
        await page.aclose()


def page_of(at: str = HERE) -> dict[str, str]:
    """Headers that a browser sends from the page itself."""
    return {"Origin": at, "Sec-Fetch-Site": "same-origin"}


async def done(browser: httpx.AsyncClient, path: str, body: dict[str, Any]) -> str:
    """The HTML that a job comes to."""
    begun = await browser.post(path, json=body, headers=page_of())
    assert begun.status_code == 202, begun.text
    while True:
        job = (await browser.get(f"/author/jobs/{begun.json()['id']}")).json()
        assert job["error"] is None
        if job["html"] is not None:
            return str(job["html"])
        await asyncio.sleep(0.02)


# --- who sees it ----------------------------------------------------------------------------------


@pytest.mark.rule("A4", "S1")
@pytest.mark.parametrize(
    ("client", "at", "headers", "status"),
    [
        ("127.0.0.1", HERE, {}, 200),
        ("127.0.0.1", "http://localhost:8000", {}, 200),
        ("::1", "http://[::1]:8000", {}, 200),
        ("192.0.2.7", HERE, {}, 403),
        ("127.0.0.1", "http://evil.example", {}, 403),
        ("127.0.0.1", HERE, {"X-Forwarded-For": "192.0.2.7"}, 403),
        ("127.0.0.1", HERE, {"Via": "1.1 proxy"}, 403),
    ],
)
async def test_without_a_key_this_machine_alone_sees_it(
    ingested: Path, client: str, at: str, headers: dict[str, str], status: int
) -> None:
    """By its own name: no proxy's caller, and no page of a site that names itself after this machine."""
    async with served(ingested, client=client, at=at) as browser:
        assert (await browser.get("/author", headers=headers)).status_code == status


@pytest.mark.rule("A4", "S1")
async def test_a_guarded_server_shows_it_to_nobody_without_a_key(ingested: Path) -> None:
    """A proxy may stand before it that tells nothing of its callers."""
    async with served(ingested, guarded=True) as browser:
        told = await browser.get("/author")
    assert told.status_code == 403
    assert "BOOKBOUND_AUTHOR_KEY" in told.text


@pytest.mark.rule("A4", "S1")
async def test_with_a_key_it_is_asked_for_everywhere(ingested: Path) -> None:
    """As the password of any name; nothing else opens the page, its files or its work."""
    async with served(ingested, key=KEY, guarded=True, client="192.0.2.7") as browser:
        assert (await browser.get("/author")).headers["www-authenticate"].startswith("Basic ")
        for given in (
            "Basic",
            "Basic !",
            "Bearer " + KEY,
            "Basic " + coded("x:wrong"),
            "Basic " + coded(KEY),
        ):
            for path in ("/author", "/author/author.js", "/author/jobs/1"):
                refused_ = await browser.get(path, headers={"Authorization": given})
                assert refused_.status_code == 401
        let_in = await browser.get("/author", headers={"Authorization": "Basic " + coded("me:" + KEY)})
        assert let_in.status_code == 200


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    "headers", [{}, {"Origin": "http://evil.example"}, page_of() | {"Sec-Fetch-Site": "cross-site"}]
)
async def test_only_the_page_itself_asks_for_work(ingested: Path, headers: dict[str, str]) -> None:
    """No page of another site makes this machine's browser write a file."""
    async with served(ingested) as browser:
        for path in ("gaps", "proposals", "trials", "saves"):
            assert (await browser.post(f"/author/{path}", json=MEND, headers=headers)).status_code == 403


async def test_the_api_gets_all_else(ingested: Path) -> None:
    """A page of the book may begin with the same letters."""
    async with served(ingested) as browser:
        for path in ("/", "/authors", "/v1/chat", "/docs/author"):
            assert (await browser.get(path)).text == "the API"
        assert (await browser.get("/author/nothing")).status_code == 404


# --- what it shows --------------------------------------------------------------------------------


@pytest.mark.rule("A4", "V4")
async def test_the_page_shows_no_personal_data_and_runs_nothing(ingested: Path) -> None:
    """Nor another book's questions; what readers write is text."""
    async with served(ingested) as browser:
        page = await browser.get("/author?days=all")
        gaps = await done(browser, "/author/gaps", {"days": "all"})
    for shown in (page.text, gaps):
        assert "Ada" not in shown
        assert "Another book" not in shown
        assert "<script>alert" not in shown
    assert "1 of these questions may tell who somebody is" in page.text
    assert "&lt;script&gt;alert(1)" in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r'style="|onclick|https?://(?!127)', page.text)


@pytest.mark.rule("E2")
async def test_what_is_asked_in_vain_is_grouped_with_what_to_do(ingested: Path) -> None:
    """Questions of one meaning as one gap, with the nearest section."""
    async with served(ingested) as browser:
        gaps = await done(browser, "/author/gaps", {"days": "all"})
        found = await done(browser, "/author/proposals", {"questions": ["Who dreamt of Kestrel's colour?"]})
    assert "2 questions in 1 group of one meaning" in gaps
    assert "Nearest:" in found
    assert "Does the book answer it here?" in found
    assert "It is answered in" in found
    assert "<blockquote>" in found
    assert "Then write about it." in found


async def test_a_book_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With what to do."""
    async with served(tmp_path) as browser:
        told = await browser.get("/author")
    assert told.status_code == 404
    assert "bookbound ingest DOCS" in told.text


# --- what it writes -------------------------------------------------------------------------------


async def test_a_mend_is_tried_and_saved(ingested: Path) -> None:
    """What is saved is what was shown, and the rest of the file is as it was."""
    async with served(ingested) as browser:
        shown = await done(browser, "/author/trials", MEND)
        assert "+  emergency stop: [panic button]" in shown
        digest = re.search(r'data-digest="(\w+)"', shown)
        assert digest
        saved = await browser.post("/author/saves", json=MEND | {"digest": digest[1]}, headers=page_of())
        again = await browser.post("/author/saves", json=MEND | {"digest": digest[1]}, headers=page_of())
    assert "Saved" in saved.json()["html"]
    assert (
        ingested / "bookbound.yaml"
    ).read_text() == POLICY + "aliases:\n  emergency stop: [panic button]\n"
    assert again.status_code == 409
    assert "try the mend again" in again.json()["error"]


async def test_wordings_are_saved_under_their_place(ingested: Path) -> None:
    """A line each, in the field as in the file."""
    stated = {
        "kind": "answered_in",
        "first": "safety.md",
        "second": "Is it safe?\n\n Is it  safe? \nAnd legal?",
    }
    async with served(ingested) as browser:
        shown = await done(browser, "/author/trials", stated)
    assert "+answered_in:" in shown
    assert "+    - Is it safe?\n" in re.sub("<[^>]+>", "", shown)
    assert shown.count("Is it safe?") == 1 + 1
    assert "+    - And legal?" in shown


async def test_what_a_trial_says_is_what_an_ingest_does(ingested: Path) -> None:
    """The same questions end in the same way once the mend is live."""
    question = "Where is the panic button of Kestrel?"
    from bookbound.local import asking
    from bookbound.local.author.desk import Desk

    settings = Settings(data=ingested / "data")
    async with wiring.local(settings) as system:
        desk = Desk(settings, system)
        bench = await (await desk.bench()).mended(Alias("emergency stop", "panic button"))
        told, before = await bench.ask(question), await desk.book()
    change = policy_file.edit(ingested / "bookbound.yaml", Alias("emergency stop", "panic button"))
    policy_file.save(change, change.digest)
    await asyncio.to_thread(
        ingest_wiring.ingest, settings, ingested / "docs", "kestrel", None, lambda *_: None
    )
    async with wiring.local(settings) as system:
        after = await system.deps.library.open(None)
        result = await asking.ask(system.answer, question, pace=20)
    assert after.ref.version != before.ref.version
    assert after.glossary == bench.book.glossary
    assert (asking.response(result)["was_refusal"], told.answered) in ((False, True), (True, False))


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "alias", "first": "a"},
        {"kind": "answered_in", "first": "a.md"},
        {"kind": "other", "first": "a"},
        {"kind": "answer", "first": ""},
    ],
)
async def test_half_a_mend_is_refused(ingested: Path, body: dict[str, str]) -> None:
    """Nothing is begun."""
    async with served(ingested) as browser:
        assert (await browser.post("/author/trials", json=body, headers=page_of())).status_code in (409, 422)


async def test_a_book_from_elsewhere_gets_lines_to_copy(ingested: Path) -> None:
    """Its file is not on this machine, so nothing can be saved."""
    kept = ingested / "data" / "books" / "kestrel" / "policy_path"
    where = kept.read_text()
    kept.write_text("/nowhere/bookbound.yaml")
    try:
        async with served(ingested) as browser:
            shown = await done(browser, "/author/trials", MEND)
    finally:
        kept.write_text(where)
    assert "not on this machine" in shown
    assert "emergency stop: [panic button]" in shown
    assert 'class="save"' not in shown


def test_a_file_is_written_whole_with_its_rights(tmp_path: Path) -> None:
    """Behind a link too; one that changed meanwhile is left alone."""
    path, link = tmp_path / "bookbound.yaml", tmp_path / "link.yaml"
    path.write_text("title: T\n")
    path.chmod(0o640)
    link.symlink_to(path)
    change = policy_file.edit(link, Alias("a", "b"))
    policy_file.save(change, change.digest)
    assert path.read_text() == "title: T\naliases:\n  a: [b]\n"
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with pytest.raises(ChangedMeanwhileError):
        policy_file.save(change, change.digest)
    assert sorted(tmp_path.iterdir()) == [path, link]


def test_a_file_that_is_wrong_is_left_alone(tmp_path: Path) -> None:
    """The author is told where."""
    path = tmp_path / "bookbound.yaml"
    path.write_text("titel: T\n")
    with pytest.raises(PolicyError, match=r"bookbound\.yaml:1: unknown key 'titel'"):
        policy_file.edit(path, Alias("a", "b"))


def test_a_first_mend_makes_the_file(tmp_path: Path) -> None:
    """Where a book had no policy of its own."""
    path = tmp_path / "bookbound.yaml"
    change = policy_file.edit(path, Alias("a", "b"))
    policy_file.save(change, change.digest)
    assert path.read_text() == "aliases:\n  a: [b]\n"
