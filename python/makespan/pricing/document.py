# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan price --json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def run_document(prices: pl.DataFrame, record: Mapping[str, Any]) -> str:
    """`{"options": [one object per row], "record": {...}}`; numbers keep all their digits."""
    from makespan.report.run_record import plain

    document = {
        "format": "makespan price",
        "version": 1,
        "options": prices.to_dicts(),
        "record": plain(record),
    }
    return json.dumps(document, allow_nan=False) + "\n"
