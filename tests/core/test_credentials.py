"""Keys, headers and grants as plain values: what gets in, and with what."""

import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookbound.access import credentials
from bookbound.access.credentials import BrowserToken, Client, ClientKey, Denied, Grant
from bookbound.errors import Forbidden

NOW = 1_800_000_000.0
KEY = credentials.key_text("campus", "s" * 43)
CAMPUS = Client("campus", credentials.key_hash(KEY))
TOKEN = f"{'h' * 20}.{'c' * 60}.{'s' * 43}"

book_ids = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
grants = st.builds(
    Grant,
    client_id=st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,31}\Z"),
    books=st.lists(book_ids, unique=True).map(tuple),
    origins=st.lists(st.sampled_from(["https://book.example", "http://localhost:3000"]), unique=True).map(
        tuple
    ),
    limit=st.integers(1, 10_000),
    address=st.none() | st.from_regex(r"\A[0-9a-f]{16}\Z"),
)


def presented(key: str) -> ClientKey:
    found = credentials.credential([f"Bearer {key}"])
    assert isinstance(found, ClientKey)
    return found


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    "header", [f"Bearer {KEY}", f"bearer {KEY}", f"BEARER  {KEY}", f"Bearer {KEY} ", f"\tBearer {KEY}\t"]
)
def test_a_key_is_read_from_its_header(header: str) -> None:
    """A scheme is case-insensitive (RFC 9110, 11.1), white space around the value no part of it (5.5)."""
    assert credentials.credential([header]) == ClientKey("campus", KEY)


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    "headers",
    [
        pytest.param([], id="no header"),
        pytest.param([""], id="empty"),
        pytest.param(["Bearer"], id="scheme alone"),
        pytest.param(["Bearer "], id="nothing after the scheme"),
        pytest.param([KEY], id="no scheme"),
        pytest.param([f"Basic {KEY}"], id="wrong scheme"),
        pytest.param([f"Bearer{KEY}"], id="no space"),
        pytest.param([f"Bearer {KEY}", f"Bearer {KEY}"], id="two headers"),
        pytest.param([f"Bearer {KEY}, Bearer {KEY}"], id="two in one"),
        pytest.param([f"Bearer {KEY} {KEY}"], id="two keys"),
        pytest.param([f"Bearer {KEY}\n"], id="line break"),
        pytest.param([f"Bearer bb_campus_{'٣' * 43}"], id="unicode digits"),
        pytest.param([f"Bearer bb_ｃampus_{'s' * 43}"], id="full-width letter"),
        pytest.param([f"Bearer {KEY[:-1]}"], id="truncated key"),
        pytest.param([f"Bearer {KEY}s"], id="longer key"),
        pytest.param([f"Bearer bb_Campus_{'s' * 43}"], id="upper-case client"),
        pytest.param([f"Bearer bb__{'s' * 43}"], id="no client"),
        pytest.param([f"Bearer {'x' * 10_000}"], id="10 kB header"),
        pytest.param([f"Bearer {TOKEN}{' ' * 10_000}"], id="10 kB of spaces"),
        pytest.param(["Bearer a.b.c"], id="no signature of ours"),
        pytest.param([f"Bearer {'h' * 20}.{'c' * 60}."], id="unsigned token"),
    ],
)
def test_what_is_no_bearer_credential_is_none(headers: list[str]) -> None:
    """One header with one key or token, or nothing at all."""
    assert credentials.credential(headers) is None


def test_a_token_is_told_from_a_key() -> None:
    """By its form alone; nothing in it is believed yet."""
    assert credentials.credential([f"Bearer {TOKEN}"]) == BrowserToken(TOKEN)


@given(st.lists(st.text(max_size=200), max_size=3))
def test_no_header_breaks_the_reader(headers: list[str]) -> None:
    """Any input is a credential or none."""
    assert credentials.credential(headers) is None or len(headers) == 1


@pytest.mark.rule("S1")
def test_a_client_is_known_by_the_hash_of_its_key() -> None:
    """The key is nowhere in what is kept."""
    assert credentials.admit(presented(KEY), CAMPUS, NOW) == Grant("campus")
    assert "s" * 43 not in repr(CAMPUS)


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    ("client", "reason"),
    [
        (None, "unknown client"),
        (Client("campus", credentials.key_hash(credentials.key_text("campus", "t" * 43))), "wrong key"),
        (Client("campus", credentials.key_hash(credentials.key_text("other", "s" * 43))), "wrong key"),
        (Client("campus", ""), "wrong key"),
        (Client("campus", credentials.key_hash(KEY), revoked=True), "revoked"),
        (Client("campus", "0" * 64, credentials.key_hash(KEY), int(NOW) + 9, revoked=True), "revoked"),
    ],
)
def test_any_other_key_is_denied(client: Client | None, reason: str) -> None:
    """Unknown, wrong, of another client, revoked; the reason is for the log."""
    assert credentials.admit(presented(KEY), client, NOW) == Denied(reason)


@pytest.mark.rule("S1")
@given(st.integers(0, len(KEY) - 1), st.characters(codec="utf-8"))
def test_a_key_altered_in_any_character_is_denied(place: int, letter: str) -> None:
    """It is no key any more, another client's, or one with another hash."""
    altered = KEY[:place] + letter + KEY[place + 1 :]
    found = credentials.credential([f"Bearer {altered}"])
    if altered != KEY and isinstance(found, ClientKey):
        client = CAMPUS if found.client_id == "campus" else None
        assert isinstance(credentials.admit(found, client, NOW), Denied)
    else:
        assert (found is None) == (altered != KEY)


@pytest.mark.rule("S1")
def test_two_keys_are_live_while_one_is_rotated() -> None:
    """The old one up to its end, the new one from the start."""
    new = credentials.key_text("campus", "n" * 43)
    client = Client("campus", credentials.key_hash(new), credentials.key_hash(KEY), previous_until=int(NOW))
    assert credentials.admit(presented(new), client, NOW) == Grant("campus")
    assert credentials.admit(presented(KEY), client, NOW - 0.1) == Grant("campus")
    assert credentials.admit(presented(KEY), client, NOW) == Denied("wrong key")


@pytest.mark.rule("S1")
def test_a_key_of_random_bytes_is_a_key() -> None:
    """32 bytes in URL-safe base64 fit the form, underscores and dashes included."""
    for _ in range(50):
        key = credentials.key_text("ros-course-2", secrets.token_urlsafe(32))
        assert presented(key) == ClientKey("ros-course-2", key)


@pytest.mark.rule("S5")
def test_a_credential_is_not_shown() -> None:
    """A credential that is logged by mistake opens nothing."""
    assert "sss" not in repr(presented(KEY))
    assert TOKEN not in repr(BrowserToken(TOKEN))


@pytest.mark.rule("S1", "S4")
@given(grants)
def test_a_grant_survives_the_gateway(grant: Grant) -> None:
    """The gateway carries strings; what the authorizer granted is what the API reads."""
    context = grant.context()
    assert all(isinstance(value, str) and value for value in context.values())
    assert Grant.from_context(context) == grant


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    "origins",
    [[], ["https://evil.example"], ["null"], ["https://book.example."], ["https://book.example"] * 2],
)
def test_a_browsers_grant_is_for_one_origin(origins: list[str]) -> None:
    """Exactly one Origin header, exactly that one; a server's grant does not ask for any."""
    browser = Grant("browser-1", ("ros2",), ("https://book.example",))
    browser.require_origin(["https://book.example"])
    Grant("campus").require_origin(origins)
    with pytest.raises(Forbidden):
        browser.require_origin(origins)


@pytest.mark.rule("S4")
@pytest.mark.parametrize("book_id", [None, "", "gazebo", "ROS2", "ros2,gazebo"])
def test_a_grant_is_for_its_books(book_id: str | None) -> None:
    """A book that it does not name is out, also an unset default; no books are all books."""
    limited = Grant("browser-1", ("ros2",))
    limited.require_book("ros2")
    Grant("campus").require_book(book_id)
    with pytest.raises(Forbidden):
        limited.require_book(book_id)


@pytest.mark.rule("S4")
def test_a_rotated_signing_secret_holds_the_key_before() -> None:
    """One key back, no further; other names are unknown."""
    first = {"kid": "first", "key": "a"}
    assert credentials.signing_key(first, "previous") is None
    second = credentials.rotated(first, "second", "b")
    third = credentials.rotated(second, "third", "c")
    assert [credentials.signing_key(second, kid) for kid in ("first", "second", "")] == ["a", "b", None]
    assert [credentials.signing_key(third, kid) for kid in ("first", "second", "third")] == [None, "b", "c"]
