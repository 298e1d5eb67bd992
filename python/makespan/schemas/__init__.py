# SPDX-License-Identifier: Apache-2.0
"""JSON Schemas of the documents that makespan writes and reads; docs/reference/json.md lists them.

The schema of `makespan price record` is `makespan-price-record.schema.json` in this folder.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from makespan.base.errors import InputError

_SUFFIX = ".schema.json"


def formats() -> tuple[str, ...]:
    """What documents say as their `format`, where a schema of it is here, in order."""
    names = (file.name for file in resources.files(__name__).iterdir())
    found = (name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))
    return tuple(sorted(name.replace("-", " ") for name in found))


def schema(document_format: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of documents of this `format`, as `makespan price`.

    Raises `InputError`, which names the formats that have one.
    """
    known = formats()
    if document_format not in known:
        raise InputError(
            f"no schema of {document_format!r} (no document has that format): "
            f"use one of {', '.join(known)}"
        )
    name = document_format.replace(" ", "-") + _SUFFIX
    text = resources.files(__name__).joinpath(name).read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
