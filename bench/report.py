# SPDX-License-Identifier: Apache-2.0
"""Prints bounds and rows as tables that fit 80 columns."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table

from bench.case import Case
from bench.ratio import Spread
from bench.result import Outcome, Row

VERDICTS = {True: "[green]yes[/]", False: "[red]no[/]", None: ""}


def rounded(figure: float | None) -> str:
    """Return a figure with three significant digits and no exponent, or a dash."""
    if figure is None:
        return "-"
    if abs(figure) >= 100:
        return f"{figure:,.0f}"
    return f"{figure:#.3g}".rstrip(".")


def half_range(width: Spread | None) -> str:
    """Return half the distance of the quartiles in percent of the median."""
    if width is None or width.count == 1 or width.median == 0:
        return ""
    share = (width.upper_quartile - width.lower_quartile) / 2 / abs(width.median)
    return f"±{100 * share:.1f} %"


def short_target(row: Row) -> str:
    """Return a target as a relation and a limit; a multiplication sign says that it is a ratio."""
    if row.target is None:
        return ""
    which, relation, limit = row.target.split()
    sign = {"<=": "≤", ">=": "≥"}.get(relation, relation)
    return f"{sign} {limit}{'x' if which == 'ratio' else ''}"


def new_table(title: str, headings: dict[str, bool]) -> Table:
    """Return an empty table; a heading's flag says that its column holds figures."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading, is_figure in headings.items():
        table.add_column(heading, justify="right" if is_figure else "left", overflow="fold")
    return table


def print_bounds(console: Console, case: Case, clock_hz: float) -> None:
    """Say, before anything is measured, how fast the ports of this core would let it be."""
    title = f"{case.title}: bound at {clock_hz / 1e9:.2f} GHz"
    table = new_table(title, {"contestant": False, "cycles a value": True, "Gvalues/s": True})
    for entry in case.contestants:
        if entry.bound_cycles is not None:
            rate = clock_hz / entry.bound_cycles / 1e9
            table.add_row(entry.name, f"{entry.bound_cycles:.2f}", f"{rate:.2f}")
    console.print(table)


def has_errors(outcome: Outcome) -> bool:
    """Say whether any row has an error: such tables show errors in place of targets."""
    return any(row.error is not None or row.own_error is not None for row in outcome.rows)


def add_row(table: Table, row: Row, outcome: Outcome) -> None:
    """Add one row; its spread is that of the ratio where there is one."""
    widths = outcome.spreads.get(row.name, {})
    if has_errors(outcome):
        table.add_row(
            row.name,
            f"{rounded(row.value)} {row.unit}" if row.value is not None else "left out",
            "" if row.error is None else f"{row.error:.1e}",
            "" if row.own_error is None else f"{row.own_error:.1e}",
            rounded(row.ratio) if row.ratio is not None else "",
        )
        return
    table.add_row(
        row.name,
        f"{rounded(row.value)} {row.unit}" if row.value is not None else "left out",
        rounded(row.ratio) if row.ratio is not None else "",
        half_range(widths.get("ratio") or widths.get("value")),
        short_target(row),
        VERDICTS[row.reached],
    )


def print_left_out(console: Console, outcome: Outcome) -> None:
    """Name the rows without figures, by reason."""
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in outcome.left_out.items():
        names_by_reason.setdefault(reason, []).append(name)
    for reason, names in names_by_reason.items():
        console.print(f"left out: {', '.join(names)}: {reason}", markup=False)


def print_outcome(console: Console, title: str, outcome: Outcome) -> None:
    """Print every row, then what was left out and why."""
    figures = {"value": True, "ratio": True, "spread": True, "target": True, "ok": False}
    errors = {"value": True, "error": True, "its own": True, "ratio": True}
    headings = errors if has_errors(outcome) else figures
    table = new_table(f"{title}: medians", {"row": False, **headings})
    for row in outcome.rows:
        add_row(table, row, outcome)
    console.print(table)
    print_left_out(console, outcome)
