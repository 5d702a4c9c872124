"""Canonical JSON and digests: identity is content."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel


def canonical_json(value: Any) -> str:  # noqa: ANN401 - any JSON value or model
    """JSON with sorted keys, no spaces and defaults left out, the same bytes everywhere.

    A new optional field with a default therefore changes no digest.

    Raises:
        ValueError: for NaN and infinities.
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_defaults=True, by_alias=True)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def sha256_hex(content: bytes) -> str:
    """Hexadecimal SHA-256 of the bytes."""
    return hashlib.sha256(content).hexdigest()


def digest_of(value: Any, files: Mapping[str, str]) -> str:  # noqa: ANN401 - any JSON value or model
    """SHA-256 over canonical JSON and the hashes of the files that belong to it (name -> sha256)."""
    return sha256_hex(f"{canonical_json(value)}\n{canonical_json(dict(files))}".encode())
