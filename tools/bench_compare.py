#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare two results of a bench program: ``tools/bench_compare.py BEFORE.json AFTER.json``.

Each row of both files is printed with after/before of what its target speaks of (its ratio to a
contestant of the same run if it has one, else its value). A difference is called a change only if
the quartile ranges in the `.run.json` files beside the results do not overlap. The exit code is 1
if a target that was reached before is not reached any more.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Measured:
    """What a row measured: the figure, its quartiles where known, and whether it sufficed."""

    figure: float | None
    lower: float | None
    upper: float | None
    reached: bool | None


@dataclass(frozen=True)
class Difference:
    """One row of both results. `verdict` is a word for the last column."""

    name: str
    before: float | None
    after: float | None
    quotient: float | None
    verdict: str

    @property
    def lost(self) -> bool:
        """Whether a target was reached before and is not now."""
        return self.verdict == "lost"


def speaks_of(row: dict[str, Any]) -> str:
    """Return which figure of a row counts."""
    return "ratio" if row["ratio"] is not None else "value"


def read_result(path: Path) -> dict[str, Measured]:
    """Read a result and, if it is there, the spreads beside it; rows by name."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    run_path = path.with_suffix(".run.json")
    spreads = {}
    if run_path.is_file():
        spreads = json.loads(run_path.read_text(encoding="utf-8"))["spreads"]
    result = {}
    for row in rows:
        which = speaks_of(row)
        width = spreads.get(row["name"], {}).get(which, {})
        quartiles = width.get("lower_quartile"), width.get("upper_quartile")
        result[row["name"]] = Measured(row[which], *quartiles, row["reached"])
    return result


def verdict_of(before: Measured, after: Measured) -> str:
    """Return what to say of a row's difference."""
    if before.reached and after.reached is False:
        return "lost"
    if after.reached and before.reached is False:
        return "gained"
    if before.lower is None or before.upper is None or after.lower is None or after.upper is None:
        return "spread unknown"
    overlap = before.lower <= after.upper and after.lower <= before.upper
    return "same within spread" if overlap else "changed"


def compare(before: dict[str, Measured], after: dict[str, Measured]) -> list[Difference]:
    """Return the differences of all rows, in the order of the newer result, then of the older."""
    differences = []
    for name in [*after, *(name for name in before if name not in after)]:
        old, new = before.get(name), after.get(name)
        if old is None or new is None or old.figure is None or new.figure is None:
            figures = (old.figure if old else None, new.figure if new else None)
            differences.append(Difference(name, *figures, None, "not in both"))
            continue
        quotient = new.figure / old.figure if old.figure else None
        verdict = verdict_of(old, new)
        differences.append(Difference(name, old.figure, new.figure, quotient, verdict))
    return differences


def shown(figure: float | None) -> str:
    """Return a figure with four significant digits, or a dash."""
    return "-" if figure is None else f"{figure:.4g}"


def main(words: Sequence[str] | None = None) -> int:
    """Print the comparison and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    arguments = parser.parse_args(words)
    differences = compare(read_result(arguments.before), read_result(arguments.after))
    print(f"{'row':30} {'before':>10} {'after':>10} {'after/before':>12}  verdict")
    for row in differences:
        figures = f"{shown(row.before):>10} {shown(row.after):>10} {shown(row.quotient):>12}"
        print(f"{row.name:30} {figures}  {row.verdict}")
    return 1 if any(row.lost for row in differences) else 0


if __name__ == "__main__":
    sys.exit(main())
