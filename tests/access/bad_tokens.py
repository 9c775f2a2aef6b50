"""Every way in which a browser token may be wrong; all of them come from the right page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bookbound.access import credentials
from tests.access.credentials import BAD_TOKEN, EVIL, UNREADABLE, WRONG, Keyring, Make, page
from tests.access.doors import SITE
from tests.access.forging import PUBLIC_KEY, SIGNATURE, signed, signed_rsa, unsigned, without


def _leaving_out(name: str) -> Callable[[Keyring], str]:
    return lambda ring: ring.token(without(ring.claims(), name))


def _claiming(name: str, value: object) -> Callable[[Keyring], str]:
    return lambda ring: ring.token(ring.claims() | {name: value})


TOKENS: Mapping[str, tuple[Make, str]] = {
    "expired": (page(lambda ring: ring.token(ring.claims(ago=credentials.TOKEN_SECONDS))), BAD_TOKEN),
    "not yet valid": (page(lambda ring: ring.token(ring.claims(ago=-3600))), BAD_TOKEN),
    "alg none, no signature": (
        page(lambda ring: unsigned(ring.header(alg="none"), ring.claims()) + "."),
        UNREADABLE,
    ),
    "alg none, some signature": (
        page(lambda ring: f"{unsigned(ring.header(alg='none'), ring.claims())}.{SIGNATURE}"),
        BAD_TOKEN,
    ),
    "alg none, good signature": (page(lambda ring: ring.token(alg="none")), BAD_TOKEN),
    "alg None, good signature": (page(lambda ring: ring.token(alg="None")), BAD_TOKEN),
    "alg HS512": (page(lambda ring: ring.token(alg="HS512")), BAD_TOKEN),
    "alg hs256": (page(lambda ring: ring.token(alg="hs256")), BAD_TOKEN),
    "no alg": (page(lambda ring: signed({"kid": "first"}, ring.claims(), "1" * 32)), BAD_TOKEN),
    "RS256, signed with RSA": (
        page(lambda ring: signed_rsa(ring.header(alg="RS256"), ring.claims())),
        UNREADABLE,
    ),
    "RS256 in the header alone": (page(lambda ring: ring.token(alg="RS256")), BAD_TOKEN),
    "a public key as HMAC secret": (page(lambda ring: ring.token(key=PUBLIC_KEY)), BAD_TOKEN),
    "a public key in the header": (
        page(lambda ring: ring.token(key=PUBLIC_KEY, jwk={"kty": "oct", "k": "a"}, jku=EVIL, x5u=EVIL)),
        BAD_TOKEN,
    ),
    "the empty key": (page(lambda ring: ring.token(key="")), BAD_TOKEN),
    "a client's key as HMAC secret": (page(lambda ring: ring.token(key=ring.keys["campus"])), BAD_TOKEN),
    "wrong audience": (page(lambda ring: ring.token(ring.claims() | {"aud": "prod"})), BAD_TOKEN),
    "several audiences, none ours": (
        page(lambda ring: ring.token(ring.claims() | {"aud": ["prod", "staging"]})),
        BAD_TOKEN,
    ),
    "wrong issuer": (page(lambda ring: ring.token(ring.claims() | {"iss": "somebody"})), BAD_TOKEN),
    "tampered payload": (page(lambda ring: _grafted(ring, {"book": "gazebo"})), BAD_TOKEN),
    "tampered signature": (page(lambda ring: ring.token()[:-43] + SIGNATURE), BAD_TOKEN),
    "tampered header": (
        page(lambda ring: unsigned(ring.header(typ="jwt"), ring.claims()) + "." + ring.token().split(".")[2]),
        BAD_TOKEN,
    ),
    "four parts": (page(lambda ring: ring.token() + ".a"), UNREADABLE),
    "as a key": (
        page(lambda ring: credentials.key_text("campus", ring.token().split(".")[2])),
        WRONG,
    ),
    "unknown kid": (page(lambda ring: ring.token(kid="second")), BAD_TOKEN),
    "no kid": (
        page(lambda ring: signed({"alg": "HS256"}, ring.claims(), ring.door.signing["key"])),
        BAD_TOKEN,
    ),
    "kid of a number": (page(lambda ring: ring.token(kid=7)), BAD_TOKEN),
    "kid of a list": (page(lambda ring: ring.token(kid=["first"])), BAD_TOKEN),
    "kid of null": (page(lambda ring: ring.token(kid=None)), BAD_TOKEN),
    "kid of a path": (page(lambda ring: ring.token(key="", kid="../../dev/null")), BAD_TOKEN),
    "kid of 1 kB": (page(lambda ring: ring.token(kid="k" * 1000)), BAD_TOKEN),
    "kid of 5 kB": (page(lambda ring: ring.token(kid="k" * 5000)), UNREADABLE),
    "kid with a lone surrogate": (page(lambda ring: ring.token(kid="\ud800")), BAD_TOKEN),
    "header that nests": (page(lambda ring: f"{_nested(1100)}.{_nested(10)}.{SIGNATURE}"), BAD_TOKEN),
    "header with a huge number": (
        page(lambda ring: signed('{"alg":"HS256","kid":' + "9" * 900 + "}", "{}", "a")),
        BAD_TOKEN,
    ),
    "header that is a list": (page(lambda ring: signed(["HS256"], ring.claims(), "a")), BAD_TOKEN),
    "header that is no JSON": (page(lambda ring: signed("HS256", ring.claims(), "a")), BAD_TOKEN),
    "payload that is a list": (page(lambda ring: ring.token([1])), BAD_TOKEN),
    "payload that is no JSON": (page(lambda ring: ring.token("no JSON")), BAD_TOKEN),
    "payload that nests": (page(lambda ring: ring.token("[" * 1000)), BAD_TOKEN),
    "payload apart": (page(lambda ring: ring.token(b64=False, crit=["b64"])), BAD_TOKEN),
    **{
        f"without {name}": (page(_leaving_out(name)), BAD_TOKEN)
        for name in ("iss", "aud", "sub", "origin", "book", "addr", "iat", "nbf", "exp")
    },
    **{
        f"{name} of the wrong type": (page(_claiming(name, value)), BAD_TOKEN)
        for name, value in {
            "iss": 7,
            "aud": 7,
            "sub": {"a": 1},
            "origin": [SITE],
            "book": None,
            "addr": 7,
            "nbf": "now",
            "exp": "later",
        }.items()
    },
    "an end that is no time": (
        page(lambda ring: ring.token(ring.claims() | {"exp": float("inf")})),
        BAD_TOKEN,
    ),
    "an empty book": (page(lambda ring: ring.token(ring.claims() | {"book": ""})), BAD_TOKEN),
}
"""401, for the reason in the log."""


def _grafted(ring: Keyring, changes: dict[str, object]) -> str:
    """Another payload under a good signature."""
    head, _, signature = ring.token().split(".")
    return f"{head}.{unsigned({}, ring.claims() | changes).split('.')[1]}.{signature}"


def _nested(depth: int) -> str:
    return unsigned("[" * depth, "").partition(".")[0]
