# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan price --json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def run_document(
    prices: pl.DataFrame, record: Mapping[str, Any], sensitivities: pl.DataFrame | None = None
) -> str:
    """`{"options": [one object per row], "record": {...}}`; numbers keep all their digits.

    With sensitivities those as well, one object each.
    """
    from makespan.report.run_record import plain

    document = {
        "format": "makespan price",
        "version": 1,
        "options": prices.to_dicts(),
        "record": plain(record),
    }
    if sensitivities is not None:
        document["sensitivities"] = sensitivities.to_dicts()
    return json.dumps(document, allow_nan=False) + "\n"
