"""A secret of AWS Secrets Manager: kept, refreshed aside, and served stale rather than not at all."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from bookbound.adapters.aws.errors import failing_as
from bookbound.errors import Unavailable

if TYPE_CHECKING:
    from types_boto3_secretsmanager import SecretsManagerClient

FRESH_SECONDS = 300.0
"""Seconds that a secret is taken as current, unless a key in it is refused."""

PAUSE_SECONDS = 3.0
"""Between two fetches of which the first one brought nothing that helps."""

log = logging.getLogger("bookbound")


class Secrets:
    """The texts by name of one secret that is a JSON object. For threads; an event loop asks from one.

    `needed` are the names without which the secret is of no use: texts of visible ASCII, since they go into
    headers. `clock` tells seconds since the epoch: a process that was frozen has to notice it.
    """

    def __init__(
        self,
        client: SecretsManagerClient,
        secret_id: str,
        needed: Sequence[str] = (),
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._id = secret_id
        self._needed = needed
        self._clock = clock
        self._held: Mapping[str, str] | None = None
        self._due = 0.0
        self._paused_until = 0.0
        self._failing = False
        self._fetching = threading.Lock()

    def get(self) -> Mapping[str, str]:
        """Return the last fetched secret at once; an old one is refreshed aside. The first call waits.

        Raises Unavailable while there is none.
        """
        if self._held is None:
            return self.refetch(lambda held: False)
        if self._is_old() and self._fetching.acquire(blocking=False):
            threading.Thread(target=self._refresh, daemon=True).start()
        return self._held

    def refetch(self, outdated: Callable[[Mapping[str, str]], bool] = lambda held: True) -> Mapping[str, str]:
        """Return what is held, after one fetch for all who ask at once where it is `outdated`.

        Where a fetch did not help, the next one waits for PAUSE_SECONDS. Raises Unavailable while there is
        none.
        """
        with self._fetching:
            if (self._held is None or outdated(self._held)) and not self._is_paused():
                self._fetch()
                if self._held is None or outdated(self._held):
                    self._paused_until = self._clock() + PAUSE_SECONDS
            if self._held is None:
                raise Unavailable(f"the secret {self._id} cannot be used")
            return self._held

    def refresh(self) -> None:
        """Fetch an old one now, and wait for it. Raises Unavailable while there is none."""
        self.refetch(lambda held: self._is_old())

    def _is_old(self) -> bool:
        return not 0 < self._due - self._clock() <= FRESH_SECONDS

    def _is_paused(self) -> bool:
        return 0 < self._paused_until - self._clock() <= PAUSE_SECONDS

    def _refresh(self) -> None:
        try:
            self._fetch()
        finally:
            self._fetching.release()

    def _fetch(self) -> None:
        """Replace what is held; what cannot be used leaves it, and is logged once."""
        try:
            with failing_as("fetching it"):
                answer = self._client.get_secret_value(SecretId=self._id)
            self._held = _texts(answer.get("SecretString", ""), self._needed)
        except Unavailable as error:
            self._due = self._clock() + PAUSE_SECONDS
            if not self._failing:
                log.error("the secret %s cannot be used: %s", self._id, error)
            self._failing = True
        else:
            self._due = self._clock() + FRESH_SECONDS
            self._failing = False


def _texts(content: str, needed: Sequence[str]) -> Mapping[str, str]:
    """The texts of a JSON object. Raises Unavailable, which names what is wrong, never a value (S5)."""
    try:
        found = json.loads(content)
    except ValueError:
        raise Unavailable("it is no JSON") from None
    if not isinstance(found, dict):
        raise Unavailable("it is no JSON object")
    texts = {name: value for name, value in found.items() if isinstance(value, str)}
    for name in needed:
        if not texts.get(name):
            raise Unavailable(f"it has no {name}")
        if not fits_a_header(texts[name]):
            raise Unavailable(f"its {name} holds a space, a line break or what is no ASCII")
    return texts


def fits_a_header(text: str) -> bool:
    """Return whether it is visible ASCII only, as a key in a header has to be."""
    return all("!" <= character <= "~" for character in text)
