# SPDX-License-Identifier: Apache-2.0
"""The result of a bench program: rows with targets, written as JSON, and the run behind them.

``build/bench/<room>.json`` is the list of rows; ``build/bench/<room>.run.json`` beside it has the
machine, the settings, every measurement and the spreads.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.ratio import Spread

TARGET_PATTERN = re.compile(r"(value|ratio) (<=|>=|<) ([0-9.eE+-]+)")


@dataclass(frozen=True)
class Row:
    """One figure. `target` is e.g. ``ratio >= 3.1`` or ``value < 10``; None: for information.

    A row of a price may have its `error` against the true price, and `own_error`, what the
    contestant says of it [price]; rows without these lack the fields in the file.
    """

    name: str
    value: float | None
    unit: str
    compared_to: str | None = None
    ratio: float | None = None
    target: str | None = None
    reached: bool | None = None
    error: float | None = None
    own_error: float | None = None

    @property
    def entry(self) -> dict[str, Any]:
        """The row as it stands in the file."""
        fields = asdict(self)
        for name in ("error", "own_error"):
            if fields[name] is None:
                del fields[name]
        return fields


@dataclass
class Outcome:
    """Everything that a run has found: rows, spreads by row name, series by contestant, gaps."""

    rows: list[Row] = field(default_factory=list)
    spreads: dict[str, dict[str, Spread]] = field(default_factory=dict)
    series: dict[str, list[dict[str, float]]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def add(self, row: Row, value: Spread | None = None, ratio: Spread | None = None) -> None:
        """Append a row judged against its target, with the spread of its value and ratio."""
        self.rows.append(judged(row))
        widths = {"value": value, "ratio": ratio}
        self.spreads[row.name] = {key: width for key, width in widths.items() if width is not None}

    def leave_out(self, row: Row, reason: str) -> None:
        """Append a row without figures, so that a gap is seen and not mistaken for a success."""
        self.rows.append(row)
        self.left_out[row.name] = reason


def is_reached(target: str, value: float | None, ratio: float | None) -> bool | None:
    """Say whether the figure that the target speaks of meets it; None without that figure."""
    match = TARGET_PATTERN.fullmatch(target)
    if match is None:
        msg = f"target {target!r} is not understood; write e.g. 'ratio >= 3.1' or 'value < 10'"
        raise ValueError(msg)
    which, relation, limit_text = match.groups()
    figure = value if which == "value" else ratio
    if figure is None:
        return None
    limit = float(limit_text)
    return {"<=": figure <= limit, ">=": figure >= limit, "<": figure < limit}[relation]


def judged(row: Row) -> Row:
    """Return the row with `reached` filled in from its target."""
    if row.target is None:
        return row
    reached = is_reached(row.target, row.value, row.ratio)
    return Row(**{**asdict(row), "reached": reached})


def write_text(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(path.suffix + ".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def write_json(path: Path, content: Any) -> None:
    """Write JSON, whole or not at all."""
    write_text(path, json.dumps(content, indent=2) + "\n")


def run_path(rows_path: Path) -> Path:
    """Return the file beside a list of rows that tells how they were measured."""
    return rows_path.with_suffix(".run.json")


def write_outcome(rows_path: Path, outcome: Outcome, circumstances: dict[str, Any]) -> None:
    """Write the rows and, beside them, the circumstances, spreads, series and gaps."""
    write_json(rows_path, [row.entry for row in outcome.rows])
    spreads = {
        name: {key: asdict(width) for key, width in widths.items()}
        for name, widths in outcome.spreads.items()
    }
    behind = {"spreads": spreads, "left_out": outcome.left_out, "series": outcome.series}
    write_json(run_path(rows_path), {**circumstances, **behind})


def read_rows(path: Path) -> list[Row]:
    """Read a list of rows; an entry with other fields than ours is an error."""
    return [Row(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))]
