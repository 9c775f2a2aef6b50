"""Ids under which network addresses are counted."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bookbound.access.credentials import address_id

KEY, OTHER_KEY = "1" * 32, "2" * 32

networks = st.ip_addresses(v=6).map(lambda found: found.exploded[:19])
hosts = st.from_regex(r"\A[0-9a-f]{4}(:[0-9a-f]{4}){3}\Z")


@pytest.mark.rule("S4")
@given(st.ip_addresses(v=4), st.ip_addresses(v=4))
def test_each_ipv4_address_counts_by_itself(one: object, other: object) -> None:
    """However the socket tells of it."""
    assume(one != other)
    assert address_id(f"::ffff:{one}", KEY) == address_id(f"::FFFF:{one}", KEY) == address_id(str(one), KEY)
    assert address_id(f"::ffff:{one}", KEY) != address_id(f"::ffff:{other}", KEY)


@pytest.mark.rule("S4")
@given(networks, networks, hosts, hosts)
def test_an_ipv6_network_counts_as_one(network: str, elsewhere: str, one: str, other: str) -> None:
    """Its customer can draw as many addresses as they like."""
    assume(network != elsewhere)
    assert address_id(f"{network}:{one}", KEY) == address_id(f"{network}:{other}", KEY)
    assert address_id(f"{network}:{one}", KEY) != address_id(f"{elsewhere}:{one}", KEY)


@pytest.mark.rule("S4")
@given(st.text() | st.ip_addresses().map(str))
def test_an_address_is_not_told(address: str) -> None:
    """Any address gives 16 hex digits, and another stage's key gives other digits."""
    assert address_id(address, KEY) != address_id(address, OTHER_KEY)
    assert len(bytes.fromhex(address_id(address, KEY))) == 8
