"""Checks what a reader's question needs, before a reader asks: keys, models, the live index, the audit trail.

The vendors are asked through the adapters that questions go through, and once more for what they allow. That
costs two embeddings of a sentence and one of a word by Cohere, one short draft and one token by Claude.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

import boto3
from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from bookbound import wiring
from bookbound.adapters.aws.client_registry import ClientRegistry
from bookbound.adapters.files.version_folder import COLLECTION_FILE
from bookbound.adapters.qdrant.store import DENSE
from bookbound.deadline import GENERATION, Deadline
from bookbound.errors import BookboundError, Unavailable
from bookbound.evidence.reading import excerpts
from bookbound.generator_input import GeneratorInput
from bookbound.index.chunking import ChunkSizes, chunk_page
from bookbound.index.manifest import Manifest
from bookbound.local import vendor_limits
from bookbound.local.checks import Check
from bookbound.local.live_index import LiveIndex, live_index
from bookbound.local.snapshots import snapshot
from bookbound.local.stage import StageOutputs, explained, with_keys
from bookbound.local.vendor_limits import PATIENCE
from bookbound.model import Candidate, Evidence, Reading
from bookbound.policy import book_policy
from bookbound.ports import Embedder, Generator
from bookbound.question.inquiry import analyse
from bookbound.question.wordings import prepare
from bookbound.settings import Settings
from bookbound.source.book_reader import read_book
from bookbound.source.pages import SourceFile
from bookbound.text.glossary import Glossary
from bookbound.text.scoring import cosine

SENTENCE = "A costmap stores how costly it is for a robot to drive over each place."
QUESTION = "What does a costmap store?"

ONE_SPACE = 0.3
"""Cosine of a sentence as a passage and as a question: models of different vector spaces give about 0."""

SURE = 5.0
"""Logit of a reading that leaves no doubt."""

_BEDROCK_REMEDY = (
    "status 401 or 403: may your own role invoke the model, and has the account access to it; "
    "400 or 404: check BOOKBOUND_BEDROCK_MODEL and its region; 429: see the account's quotas (docs/deploy.md)"
)


def doctor(settings: Settings, stage: StageOutputs | None) -> Iterator[Check]:
    """Each thing that was looked at, in order; of a stage, or without one of this machine.

    Raises InputError where nothing can be looked at.
    """
    if stage is None:
        yield from _question(settings)
        return
    secret = settings.vendors_secret or ""
    try:
        filled = with_keys(settings)
    except Unavailable as error:
        fill = f"aws secretsmanager put-secret-value --secret-id {secret} --secret-string file://vendors.json"
        yield Check("secret", str(error), f"{fill} (see docs/deploy.md)")
    else:
        yield Check("secret", f"{secret} holds all that is needed")
        yield from _question(filled)
        if found := snapshot(stage):
            yield found
    yield _awake(stage)
    yield _streams(stage)
    yield _queue(stage)
    yield _readers(stage, settings)


def _question(settings: Settings) -> Iterator[Check]:
    """Check what a question goes through."""
    # Held here, so that their connections end with the loop, not in the middle of it.
    embedder, generator = wiring.build_embedder(settings), wiring.build_generator(settings)
    with asyncio.Runner() as runner:
        yield (embeds := runner.run(_embedder(embedder, settings)))
        if embeds.ok and settings.embedder == "cohere":
            yield vendor_limits.cohere(settings)
        yield (writes := runner.run(_generator(generator, settings)))
        if writes.ok and settings.generator == "claude":
            yield vendor_limits.claude(settings)
    yield from _index(settings, embedder)


# --- the models -----------------------------------------------------------------------------------


async def _embedder(embedder: Embedder, settings: Settings) -> Check:
    check = partial(Check, f"embedder {settings.embedder}")
    try:
        [passage] = await embedder.embed_passages([SENTENCE])
        [question] = await embedder.embed_questions([SENTENCE])
    except Unavailable as error:
        return check(str(error), _vendor_remedy(settings, "cohere_api_key", "BOOKBOUND_COHERE_…_MODEL"))
    if cosine(passage, question) < ONE_SPACE:
        found = "passages' and questions' model do not share a vector space"
        return check(found, "set both BOOKBOUND_COHERE_…_MODEL to models of one generation")
    return check(f"{embedder.model_id}, {len(question)} dimensions")


async def _generator(generator: Generator, settings: Settings) -> Check:
    check = partial(Check, f"generator {generator.name}")
    started = time.monotonic()
    try:
        draft = await generator.write(_brief(), Deadline(PATIENCE))
    except BookboundError as error:
        if settings.generator == "bedrock":
            return check(str(error), _BEDROCK_REMEDY)
        return check(str(error), _vendor_remedy(settings, "claude_api_key", "BOOKBOUND_CLAUDE_MODEL"))
    seconds = time.monotonic() - started
    found = f"{draft.model or generator.name} wrote {len(draft.sentences)} sentences in {seconds:.1f} s"
    if seconds > GENERATION:
        return check(found, f"an answer has {GENERATION} s for it: choose a quicker model")
    return check(found)


def _vendor_remedy(settings: Settings, key: str, model: str) -> str:
    where = _where(settings, key)
    return (
        f"status 401 or 403: check {where}; 404: check {model}; else try again, and see the vendor's status"
    )


def _where(settings: Settings, key: str) -> str:
    return f"{key} in {settings.vendors_secret}" if settings.vendors_secret else f"BOOKBOUND_{key.upper()}"


def _brief() -> GeneratorInput:
    """A question with the one sentence that answers it."""
    file = SourceFile("costmap.md", f"# Costmaps\n\n{SENTENCE}\n".encode())
    [page] = read_book([file], book_policy.DEFAULT, book_id="doctor").pages
    [passage] = chunk_page(page, sizes=ChunkSizes(), count_tokens=len, book_id="doctor")
    asked = analyse(prepare(QUESTION, Glossary()))
    [excerpt] = excerpts(passage, 0, len(passage.text))
    sure = Reading(asked.text, excerpt, SURE, (SURE,) * len(excerpt.units))
    candidate = Candidate(passage, 0, len(passage.text), 1.0, 1.0, 1.0, 1.0, (sure,))
    return GeneratorInput(QUESTION, (asked,), Evidence.of((candidate,)), book_policy.DEFAULT.title)


# --- the live index -------------------------------------------------------------------------------


def _index(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    publish = "bookbound publish DOCS --stage …" if settings.books_bucket else "bookbound ingest DOCS"
    again = f"publish the book again: {publish}"
    rebuild = f"build it anew: bookbound books rebuild {settings.book} --stage …"
    anew = rebuild if settings.books_bucket else again
    if settings.qdrant_url:
        yield from _store(settings)
    try:
        live = live_index(settings)
        if live is None:
            yield Check("live version", f"book {settings.book or 'any'} has none", publish)
            return
        manifest = live.manifest()
    except Unavailable as error:
        yield Check("live version", str(error), again)
        return
    yield Check("live version", f"{live.book} {live.version}, {len(manifest.documents)} pages")
    yield _same_embedder(manifest, embedder, anew)
    yield _points(live, manifest, settings, anew)


def _store(settings: Settings) -> Iterator[Check]:
    try:
        with _qdrant(settings) as client:
            yield Check("qdrant", f"{len(client.get_collections().collections)} collections")
            yield vendor_limits.qdrant(client, settings)
    except Unavailable as error:
        key = _where(settings, "qdrant_api_key")
        remedy = f"status 401 or 403: check {key}; else check qdrant_url, and that the cluster runs"
        yield Check("qdrant", str(error), remedy)


def _same_embedder(manifest: Manifest, embedder: Embedder, anew: str) -> Check:
    found = f"{manifest.embedder}, {manifest.dimensions} dimensions"
    if (manifest.embedder, manifest.dimensions) == (embedder.model_id, embedder.dimensions):
        return Check("index embedder", found)
    wanted = f"{embedder.model_id}, {embedder.dimensions} dimensions"
    return Check("index embedder", f"{found}, but questions go to {wanted}", anew)


def _points(live: LiveIndex, manifest: Manifest, settings: Settings, anew: str) -> Check:
    """Check that all windows are where they are searched, in vectors of the right size."""
    try:
        found, size = _remote(live, settings) if settings.qdrant_url else _embedded(live, manifest, settings)
    except Unavailable as error:
        return Check("index points", str(error), anew)
    told = f"{found} of {manifest.windows} windows, vectors of {size}"
    whole = (found, size) == (manifest.windows, manifest.dimensions)
    return Check("index points", told, None if whole else anew)


def _embedded(live: LiveIndex, manifest: Manifest, settings: Settings) -> tuple[int, int]:
    index = wiring.index_folder(settings)
    folder = index.live_version(live.book)
    assert folder is not None
    with closing(index.points.open(folder)) as points:
        return asyncio.run(points.count()), manifest.dimensions


def _remote(live: LiveIndex, settings: Settings) -> tuple[int, int]:
    """Return the window count of the version's collection, and the vectors' size. Raises Unavailable."""
    collection = (live.read(COLLECTION_FILE) or b"").decode()
    with _qdrant(settings) as client:
        vectors = client.get_collection(collection).config.params.vectors
        count = client.count(collection, exact=True).count
    dense = vectors.get(DENSE) if isinstance(vectors, dict) else None
    return count, dense.size if dense else 0


@contextmanager
def _qdrant(settings: Settings) -> Iterator[QdrantClient]:
    """Yield a client as an ingest uses it; anything that goes wrong with it raises Unavailable."""
    key = settings.qdrant_api_key
    client = QdrantClient(
        url=settings.qdrant_url,
        headers={"api-key": key.get_secret_value()} if key else {},
        timeout=PATIENCE,
        check_compatibility=False,
    )
    with closing(client):
        try:
            yield client
        except UnexpectedResponse as error:
            raise Unavailable(f"the Qdrant server answered with status {error.status_code}") from error
        # Beside its own errors the client lets whatever an unexpected reply leads to through.
        except Exception as error:
            cause = error.source if isinstance(error, ResponseHandlingException) else error
            raise Unavailable(f"the Qdrant server failed ({type(cause).__name__})") from error


# --- what is beside a stage's questions -----------------------------------------------------------


def _awake(stage: StageOutputs) -> Check:
    """Check that the stage asks its index by itself, which keeps a free cluster from being suspended."""
    check = partial(Check, "index awake")
    try:
        with explained(f"the rule {stage.heartbeat} and the alarm {stage.index_asleep} cannot be read"):
            rule = boto3.client("events").describe_rule(Name=stage.heartbeat)
            found = boto3.client("cloudwatch").describe_alarms(AlarmNames=[stage.index_asleep])
    except Unavailable as error:
        return check(str(error), f"make deploy STAGE={stage.stage}")
    alarms = found["MetricAlarms"]
    state = alarms[0]["StateValue"] if alarms else "missing"
    told = f"a question by itself, {rule['ScheduleExpression']}, is {rule['State']}; IndexAsleep is {state}"
    if rule["State"] != "ENABLED" or not alarms:
        return check(told, f"make deploy STAGE={stage.stage}")
    return check(told, "see docs/operations.md#indexasleep" if state == "ALARM" else None)


def _streams(stage: StageOutputs) -> Check:
    names = (stage.audit_stream_personal, stage.audit_stream_other)
    try:
        statuses = [_status(name) for name in names]
    except Unavailable as error:
        return Check("audit streams", str(error), f"make deploy STAGE={stage.stage}")
    wait = "records go to the queue until both are ACTIVE; see docs/operations.md"
    found = ", ".join(f"{name} is {status}" for name, status in zip(names, statuses, strict=True))
    return Check("audit streams", found, None if set(statuses) == {"ACTIVE"} else wait)


def _status(stream: str) -> str:
    with explained(f"the stream {stream} cannot be read"):
        described = boto3.client("firehose").describe_delivery_stream(DeliveryStreamName=stream)
    return described["DeliveryStreamDescription"]["DeliveryStreamStatus"]


def _queue(stage: StageOutputs) -> Check:
    """Records in the queue are safe, so they are no fault; their alarm is another's."""
    try:
        with explained("the queue cannot be read"):
            found = boto3.client("sqs").get_queue_attributes(
                QueueUrl=stage.audit_queue_url, AttributeNames=["ApproximateNumberOfMessages"]
            )
    except Unavailable as error:
        return Check("audit queue", str(error), f"make deploy STAGE={stage.stage}")
    return Check("audit queue", f"{found['Attributes']['ApproximateNumberOfMessages']} records wait in it")


def _readers(stage: StageOutputs, settings: Settings) -> Check:
    add = f"bookbound clients add NAME --stage {stage.stage}, or name the site's origin in infra/stages.py"
    try:
        clients = ClientRegistry(boto3.client("dynamodb"), stage.table).all()
    except Unavailable as error:
        return Check("readers", str(error), f"make deploy STAGE={stage.stage}")
    active = sum(not client.revoked for client in clients)
    found = f"{active} clients with a key, {len(settings.origins)} origins"
    return Check("readers", found, None if active or settings.origins else add)
