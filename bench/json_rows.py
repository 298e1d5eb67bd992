# SPDX-License-Identifier: Apache-2.0
"""Programs that print a line of JSON for each contestant and round, and the rows of their case."""

from __future__ import annotations

import json
from typing import Any

from bench.ratio import spread
from bench.result import Outcome, Row

Replies = dict[str, list[dict[str, float]]]
"""Contestant → its figures, round by round."""


def replies_in(printed: str) -> Replies:
    """Read what a program printed; lines that are no JSON are for people."""
    found: Replies = {}
    for line in printed.splitlines():
        if line.startswith("{"):
            reply = json.loads(line)
            found.setdefault(reply.pop("contestant"), []).append(reply)
    return found


def add_rows(rows: list[dict[str, Any]], found: Replies, outcome: Outcome) -> None:
    """Append the rows of a case: medians, and ratios of medians where two are compared.

    ``inverted`` turns a ratio round: theirs over ours. Rows of a contestant that did not run are
    left out.
    """
    for row in rows:
        other = row.get("compared_to")
        if row["of"] not in found or (other and other not in found):
            continue
        value = spread([reply[row["figure"]] for reply in found[row["of"]]])
        ratio = None
        if other:
            basis = spread([reply[row["figure"]] for reply in found[other]]).median
            ratio = basis / value.median if row.get("inverted") else value.median / basis
        filled = Row(row["name"], value.median, row["unit"], other, ratio, row.get("target"))
        outcome.add(filled, value)
    outcome.series |= found
