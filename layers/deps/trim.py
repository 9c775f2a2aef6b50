"""Removal of parts of an installed package that no function ever reads."""

from __future__ import annotations

import shutil
from pathlib import Path

UNUSED_PACKAGES = ("hf-xet", "huggingface-hub", "fsspec", "filelock", "tqdm", "types-requests", "pycparser")
"""The downloader of models that tokenizers names and only its `from_pretrained` imports; type stubs; and what
parses C where a binding to it is made."""

VENDORS_CLIENTS = ("anthropic", "cohere", "ollama", "qdrant-client", "grpcio")
"""Clients that a function which asks no vendor is deployed without."""

AWS_SERVICES = frozenset(
    {"codedeploy", "dynamodb", "firehose", "kms", "lambda", "s3", "secretsmanager", "sns", "sqs", "sts"}
)
"""Services that the functions call; boto3 describes some 400 more."""

_FOLDERS = frozenset({"tests", "test", "sboms", "include"})
_SUFFIXES = frozenset(
    {".pyi", ".pyx", ".pxd", ".c", ".h", ".hpp", ".cpp", ".a", ".f", ".f90", ".pyf", ".proto"}
)
_INSTALLERS_NOTES = frozenset({"RECORD", "WHEEL", "INSTALLER", "REQUESTED", "direct_url.json"})
_UNUSED = (
    "bin",
    # Both fall back to Python, in parts of an SDK that nobody calls: files of Avro, pages of a router.
    "fastavro/*.so",
    "aws_lambda_powertools/event_handler/openapi/swagger_ui/*.min.*",
    # What the makers of documentation read.
    "botocore/data/*/*/examples-1.json",
    # qdrant-client imports numpy and grpc, and over REST uses neither; this even the imports do without.
    "numpy/_core/_simd.*.so",
    "numpy/f2py",
    "numpy/random",
    # The same code once more, for newer processors: it falls back to the plain one.
    "rapidfuzz/*_avx2.*.so",
    "rapidfuzz/distance/*_avx2.*.so",
    "grpc/_cython/_credentials",
    # Python's binding holds the runtime itself; this is the same for C, and tools for makers of models.
    "onnxruntime/capi/libonnxruntime.so*",
    "onnxruntime/transformers",
    "onnxruntime/quantization",
    "onnxruntime/tools",
    "onnxruntime/datasets",
)


def trim(packages: Path) -> None:
    """Delete what is not needed from a folder of installed packages.

    Licences stay, and so do names, versions and entry points, which packages look up at run time.
    """
    for pattern in _UNUSED:
        _delete(*packages.glob(pattern))
    for service in ("botocore/data", "boto3/data"):
        _delete(*(path for path in (packages / service).iterdir() if path.is_dir() and _is_foreign(path)))
    _delete(*(path for path in packages.rglob("*") if _is_unused(path)))


def _is_foreign(service: Path) -> bool:
    return service.name not in AWS_SERVICES


def _is_unused(path: Path) -> bool:
    if path.is_dir():
        return path.name in _FOLDERS
    notes = path.parent.suffix == ".dist-info" and path.name in _INSTALLERS_NOTES
    return notes or path.suffix in _SUFFIXES


def _delete(*paths: Path) -> None:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
