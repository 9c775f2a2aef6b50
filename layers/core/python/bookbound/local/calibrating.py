"""Refit of a book's score map on labelled questions, and a new publication of the index with it (X1)."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bookbound import wiring
from bookbound.adapters.files.version_folder import read_manifest
from bookbound.evaluation import questions
from bookbound.evaluation.fitting import score_map_knots
from bookbound.evaluation.records import InputError
from bookbound.evaluation.retrieved import Pairs, cosine_pairs, provenance, retrieve_all
from bookbound.index.manifest import Manifest
from bookbound.ingesting import verified
from bookbound.settings import Settings
from bookbound.text.scoring import FittedOn, ScoreMap

MINIMUM = 20
"""Questions whose evidence was retrieved; a curve through fewer would follow chance."""


async def calibrate(settings: Settings, path: Path, book_id: str | None) -> Manifest:
    """Return the version with the map fitted on the questions at `path`, already live.

    Another map changes what the canary questions meet, so they are asked again.

    Raises InputError when the questions cannot carry a fit, BookNotFound, OSError.
    """
    labelled = questions.load(path)
    async with wiring.local(settings) as app:
        book = await app.deps.library.open(book_id)
        found = cosine_pairs(await retrieve_all(labelled, book, app.deps.embedder))
        fitted = fit(book.score_map, found, provenance(path, labelled))
        index = wiring.index_folder(settings)
        with index.copying(book.ref.id) as fresh:
            before = read_manifest(fresh.path)
            ref = replace(before.book, version=_version(before.book.version, fitted))
            after = replace(before, book=ref, score_map=fitted)
            live = await verified(after, fresh, app.deps.embedder, app.deps.reader, app.deps.sufficiency)
            fresh.publish(live)
    index.keep_map(book.ref.id, fitted)
    return live


def fit(before: ScoreMap, found: Pairs, source: FittedOn) -> ScoreMap:
    """A map for the same embedder. Raises InputError when evidence does not stand out, or is too little."""
    count = len(found.positives)
    if count < MINIMUM or not found.negatives:
        raise InputError(
            f"{source.name}: the evidence of {count} questions was among the passages found; "
            f"a fit takes at least {MINIMUM}, and other passages beside them"
        )
    try:
        return replace(
            before,
            knots=score_map_knots(found.positives, found.negatives),
            method=f"Platt over {count} evidence windows and {len(found.negatives)} other candidates",
            fitted_on=(source,),
            command="bookbound calibrate",
            date=datetime.now(UTC).date().isoformat(),
        )
    except ValueError as error:
        raise InputError(f"{source.name}: evidence passages are no nearer than others ({error})") from error


def _version(before: str, fitted: ScoreMap) -> str:
    return hashlib.sha256(f"{before} {fitted.knots}".encode()).hexdigest()[:12]
