#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a bench result into a page, so that no figure there is typed by hand.

``tools/bench_table.py build/bench/price.json docs/performance/pricing.md`` replaces what stands
between the page's lines ``<!-- bench:price -->`` and ``<!-- /bench:price -->``, the name being that
of the result file. A quick run (``--smoke``) is refused: its figures are too inexact to publish.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def shown(figure: float | None) -> str:
    """Return a figure with three significant digits and no exponent."""
    if figure is None:
        return ""
    if abs(figure) >= 100:
        return f"{figure:,.0f}"
    return f"{figure:#.3g}".rstrip(".")


def ratio_cell(row: dict[str, Any], spreads: dict[str, Any]) -> str:
    """Return the ratio with its quartiles."""
    if row["ratio"] is None:
        return ""
    width = spreads.get(row["name"], {}).get("ratio")
    if not width:
        return shown(row["ratio"])
    quartiles = f"{shown(width['lower_quartile'])}-{shown(width['upper_quartile'])}"
    return f"{shown(row['ratio'])} ({quartiles})"


def error_cells(row: dict[str, Any]) -> list[str]:
    """Return a row's error against the true price, and what the contestant says of it."""
    errors = (row.get("error"), row.get("own_error"))
    return ["" if error is None else f"{error:.1e}" for error in errors]


def table_lines(rows: list[dict[str, Any]], run: dict[str, Any]) -> list[str]:
    """Return the rows as a Markdown table; with their errors where any row has one."""
    have_errors = any("error" in row or "own_error" in row for row in rows)
    headings = ["row", "value", "compared to", "ratio (quartiles)", "target", "reached"]
    if have_errors:
        headings[2:2] = ["error", "its own"]
    lines = [f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}"]
    verdicts = {True: "yes", False: "**no**", None: ""}
    for row in rows:
        value = "left out" if row["value"] is None else f"{shown(row['value'])} {row['unit']}"
        errors = error_cells(row) if have_errors else []
        compared_to, target = row["compared_to"] or "", row["target"] or ""
        cells = [row["name"], value, *errors, compared_to, ratio_cell(row, run["spreads"]), target]
        lines.append(f"| {' | '.join([*cells, verdicts[row['reached']]])} |")
    return lines


def machine_lines(run: dict[str, Any]) -> list[str]:
    """Return a paragraph that says where and when the bench ran; rows may be predictions."""
    machine = run["machine"]
    commit = machine["commit"][:12] or "no commit"
    if not machine["commit_is_clean"]:
        commit += ", with changes that are not committed"
    sets = ", ".join(machine["instruction_sets"])
    kind = "virtual machine" if machine["virtual"] else "machine"
    return [
        f"Run {run['started']} at commit {commit}, on a {kind} with {machine['cores']} cores:",
        f"{machine['cpu']}; {sets}; {machine['memory_gib']} GiB.",
        f"{machine['kernel']}, {machine['compiler']}, Python {machine['python']}."
        f" Load before the run: {run['load_before']:.2f}.",
    ]


def reason_lines(run: dict[str, Any]) -> list[str]:
    """Return a list of what was left out and why."""
    return [f"- left out: `{name}`: {reason}" for name, reason in run["left_out"].items()]


def page_with(page: str, room: str, lines: list[str]) -> str:
    """Return the page with the lines between the marks of a room; absent marks are an error."""
    begin, end = f"<!-- bench:{room} -->", f"<!-- /bench:{room} -->"
    head, begin_found, rest = page.partition(begin)
    _, end_found, tail = rest.partition(end)
    if not begin_found or not end_found:
        msg = f"the page has no place for '{room}' (put the lines {begin} and {end} into it)"
        raise ValueError(msg)
    body = "\n".join(lines)
    return f"{head}{begin}\n{body}\n{end}{tail}"


def main(words: Sequence[str] | None = None) -> int:
    """Rewrite the page; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result", type=Path)
    parser.add_argument("page", type=Path)
    arguments = parser.parse_args(words)
    rows = json.loads(arguments.result.read_text(encoding="utf-8"))
    run = json.loads(arguments.result.with_suffix(".run.json").read_text(encoding="utf-8"))
    if run["smoke"]:
        print(f"{arguments.result} is a quick run; measure without --smoke first", file=sys.stderr)
        return 1
    parts = [machine_lines(run), table_lines(rows, run), reason_lines(run)]
    lines = [line for part in parts if part for line in (*part, "")]
    page = arguments.page.read_text(encoding="utf-8")
    filled = page_with(page, arguments.result.stem, ["", *lines])
    arguments.page.write_text(filled, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
