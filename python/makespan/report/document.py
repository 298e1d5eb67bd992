# SPDX-License-Identifier: Apache-2.0
"""The JSON documents of `--json`: one for a run, one for a failure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.errors import BookError, MakespanError

if TYPE_CHECKING:
    import polars as pl


def run_document(prices: pl.DataFrame, record: Mapping[str, Any]) -> str:
    """`{"options": [one object per row], "record": {...}}`; numbers keep all their digits."""
    from makespan.record import plain

    document = {"options": prices.to_dicts(), "record": plain(record)}
    return json.dumps(document, allow_nan=False) + "\n"


def error_document(error: MakespanError) -> str:
    """`{"error": text, "exit_code": n, "problems": [{row, id, column, message}]}`."""
    problems = error.problems if isinstance(error, BookError) else ()
    document = {
        "error": str(error).partition("\n")[0],
        "exit_code": int(error.exit_code),
        "problems": [
            {"row": p.row, "id": p.id, "column": p.column, "message": p.text} for p in problems
        ],
    }
    return json.dumps(document, ensure_ascii=False) + "\n"
