"""Days without harm, verified at the end of each, then tamperings with what they left, one at a time.

`python -m trials.tampering [--days 100] [--each 4]`; exit code 1 when a clean day alarms or a tampering
is not found. The digests' bucket has no lock here: the digests alone have to find the tamperings.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from trials.tampering.tamperings import TAMPERINGS, Intruder
from trials.tampering.trail import AuditTrail, account, lived, trail


def clean(of: AuditTrail, days: int) -> int:
    """Return how many days alarmed though nothing had happened."""
    verdicts = [of.verify() for _ in lived(of, days, seed=7)]
    alarms = [number for number, verdict in enumerate(verdicts, 1) if verdict.faults]
    last = verdicts[-1]
    print(
        f"{days} clean days, {len(of.erased)} erasures among them: {len(alarms)} false alarms {alarms or ''}"
    )
    print(
        f"the last: {last.objects} objects, {last.erased} erased from or gone by an erasure, "
        f"{last.expired} gone by age, {len(last.late)} came late"
    )
    return len(alarms)


def tampered(of: AuditTrail, each: int) -> int:
    """Return how many tamperings were not found."""
    missed = total = 0
    for what, ways in TAMPERINGS.items():
        kinds: Counter[str] = Counter()
        found = 0
        for way in ways:
            for seed in range(each):
                by = Intruder(of, random.Random(f"{way.__name__} {seed}"))
                way(by)
                faults = of.verify().faults
                found += bool(faults)
                kinds.update({fault.kind for fault in faults})
                if not faults:
                    print(f"not found: {way.__name__} {seed}")
                by.undo()
        tried = len(ways) * each
        print(f"{what}: {found} of {tried} found ({', '.join(sorted(kinds))})")
        missed, total = missed + tried - found, total + tried
    print(f"{total - missed} of {total} tamperings found")
    return missed


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m trials.tampering", description=__doc__)
    parser.add_argument("--days", type=int, default=100)
    parser.add_argument("--each", type=int, default=4, help="how often each way is tried")
    given = parser.parse_args()
    begin = time.perf_counter()
    with account():
        of = trail("benchmark", locked=False)
        failed = clean(of, given.days) + tampered(of, given.each)
        left = of.verify().faults
    print(f"{time.perf_counter() - begin:.0f} s")
    if left:
        print(f"a tampering was not undone: {left[0]}", file=sys.stderr)
    return 1 if failed or left else 0


if __name__ == "__main__":
    sys.exit(main())
