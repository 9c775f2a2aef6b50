"""The steps of a trial. Each can be repeated, and raises Refused where it does not go as it must."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bookbound.index.known_questions import OUT_OF_BOOK
from bookbound.local.live_index import live_index
from bookbound.local.smoke import question_of
from bookbound.local.stage import outputs, settings_for
from infra.broken import Broken
from infra.stage import Stage
from trials.whole_stage import account
from trials.whole_stage.account import BOOK, CLIENT, Refused
from trials.whole_stage.commands import BOOKBOUND, Commands, Traffic
from trials.whole_stage.progress import Progress

SMOKED = 2
CHECKED = 2
"""Questions of a smoke test, and of the check before traffic, of the kind that a model answers or refuses."""

PAUSE = 2.0
"""Seconds between questions while a tenth of them go to the new version."""

DELIVERY = 20
"""Minutes in which a record must have come to the bucket; a stream gathers them for some."""

SHIFTED = "AWS::Lambda::Alias"
"""What fails in the stack where the traffic is not shifted, or is shifted back."""


@dataclass
class Trial:
    """A trial at work; `wait` passes seconds, and `tell` shows a line to a person."""

    stage: Stage
    keys: Mapping[str, str]
    done: Progress
    commands: Commands
    tell: Callable[[str], None]
    wait: Callable[[float], None] = time.sleep

    @property
    def steps(self) -> Mapping[str, Callable[[], None]]:
        """All steps by name, in order."""
        return {
            "deploy": self.deploy,
            "keys": self.fill,
            "ingest": self.ingest,
            "doctor": self.doctor,
            "smoke": self.smoke,
            "a version that fails everyone": lambda: self.release(Broken.ALWAYS),
            "a version that fails readers": lambda: self.release(Broken.READERS),
            "smoke after both": self.smoke,
            "a day's audit query": self.query,
            "erase": self.erase,
        }

    def deploy(self) -> None:
        """All five stacks."""
        self._must("make", "deploy", f"STAGE={self.stage.name}", "APPROVAL=never")

    def fill(self) -> None:
        """The vendors' keys into the stage's secret."""
        account.fill(self.stage.name, self.keys)

    def ingest(self) -> None:
        """The sample book, by the stage's own job."""
        self._must("make", "ingest", f"STAGE={self.stage.name}", f"BOOK={BOOK}")

    def doctor(self) -> None:
        """Keys, limits, index, trail."""
        self._must("make", "doctor", f"STAGE={self.stage.name}")

    def smoke(self) -> None:
        """A question in the book, and one outside."""
        self._must(BOOKBOUND, "smoke", "--stage", self.stage.name, env={"BOOKBOUND_KEY": self._key})
        self.done.questions += SMOKED

    def release(self, how: Broken) -> None:
        """Deploy a version that fails: it must not go out, and readers must keep the one that they have."""
        before, event = account.live_version(self.stage.name), account.newest_event(self.stage.name)
        traffic = self._traffic()
        with traffic.flowing():
            status = self.commands.run(
                *("make", "deploy", f"STAGE={self.stage.name}", "APPROVAL=never"),
                env={"BOOKBOUND_BROKEN": how},
            )
        self.done.questions += CHECKED + traffic.asked
        if status == 0:
            raise Refused(f"a version that fails {how} went out; nothing took it back")
        if (now := account.live_version(self.stage.name)) != before:
            raise Refused(f"readers get version {now}, though version {before} should have stayed")
        if SHIFTED not in (found := account.failed_since(self.stage.name, event)):
            what = ", ".join(sorted(found)) or "nothing"
            raise Refused(f"the release was not taken back: of the stack {what} failed, and not {SHIFTED}")
        self.tell(f"version {before} answers as before; {traffic.asked} questions were asked meanwhile")

    def query(self) -> None:
        """The trial's records of the day, as soon as they are in the bucket."""
        for _ in range(DELIVERY):
            if found := self._records():
                self.tell(f"{found} records of client {CLIENT} since {self.done.day}")
                return
            self.tell("no record has come to the bucket yet; a stream gathers them for some minutes")
            self.wait(60)
        raise Refused(f"no record came in {DELIVERY} minutes; see docs/operations.md#auditfallback")

    def erase(self) -> None:
        """What the trial's client asked and was answered, until nothing is left of it."""
        self._must(BOOKBOUND, "audit", "erase", "--client", CLIENT, "--stage", self.stage.name, "--yes")
        if left := self._records():
            raise Refused(f"{left} records of client {CLIENT} are left; some came late: run this again")

    @cached_property
    def _key(self) -> str:
        return account.key(self.stage.name)

    def _traffic(self) -> Traffic:
        found = outputs(self.stage.name)
        live = live_index(settings_for(found))
        question = question_of(live.manifest()) if live else OUT_OF_BOOK
        return Traffic(found.url, self._key, question, PAUSE)

    def _records(self) -> int:
        said = self.commands.output(
            *(BOOKBOUND, "audit", "query", "--client", CLIENT, "--since", self.done.day),
            *("--stage", self.stage.name, "--json"),
        )
        return len(json.loads(said)) if said.strip() else 0

    def _must(self, *command: str, env: Mapping[str, str] = {}) -> None:
        if status := self.commands.run(*command, env=env):
            raise Refused(f"{' '.join(command)} ended with {status}")
