# SPDX-License-Identifier: Apache-2.0
"""The table on the screen: 80 columns, first and last rows of a long book, totals below."""

from __future__ import annotations

import html
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from makespan.base.number_text import count_text, duration_text, listed_text, rate_text, value_text
from makespan.pricing.columns.outputs import STATUSES
from makespan.report.result_hash import shown_hash

if TYPE_CHECKING:
    import polars as pl

WIDTH_MIN = 80
_ID_WIDTH = 14
_PLAIN = ("price", "std_error", "error_bound", "paths_used", "method", "status")
_GREEKS = ("price", "std_error", "delta", "gamma", "vega", "rho", "theta")
_TWO_DIGITS = ("std_error", "error_bound")
_WORDS = ("method", "status")
_HEADS = {
    "std_error": "std error",
    "paths_used": "paths",
    "error_bound": "error bound",
    "vega_per_1pct": "vega/1%",
    "rho_per_1pct": "rho/1%",
    "theta_per_day": "theta/day",
}
_RENAMED = {"vega": "vega_per_1pct", "rho": "rho_per_1pct", "theta": "theta_per_day"}


def table_text(prices: pl.DataFrame, rows_shown: int, *, color: bool, width: int) -> str:
    """At most `rows_shown` rows of the prices, as text of at most max(80, width) columns."""
    columns = _columns(prices.columns)
    gap = 1 if len(columns) > len(_PLAIN) else 2
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    table.add_column("id", no_wrap=True, max_width=_ID_WIDTH)
    for name in columns:
        head = _HEADS.get(name, name)
        table.add_column(head, justify="left" if name in _WORDS else "right", no_wrap=True)
    for row in _shown(prices, columns, rows_shown):
        table.add_row(*row)
    return _rendered(table, color=color, width=width)


def _columns(present: Sequence[str]) -> list[str]:
    wanted = _GREEKS if "delta" in present else _PLAIN
    return [name if name in present else _RENAMED[name] for name in wanted]


def _shown(prices: pl.DataFrame, columns: list[str], rows_shown: int) -> list[list[str]]:
    """Texts of the first and last rows, with one row of dots where some are left out."""
    if prices.height <= rows_shown:
        return [_texts(row) for row in prices.select("id", *columns).iter_rows(named=True)]
    last = rows_shown // 2
    picked = prices.select("id", *columns)
    head = [_texts(row) for row in picked.head(rows_shown - last).iter_rows(named=True)]
    tail = [_texts(row) for row in picked.tail(last).iter_rows(named=True)]
    left_out = prices.height - rows_shown
    dots = [f"... {left_out} more"] + ["..."] * len(columns)
    return [*head, dots, *tail]


def _texts(row: Mapping[str, Any]) -> list[str]:
    return [_text(name, value) for name, value in row.items()]


def _text(name: str, value: Any) -> str:
    if name == "id":
        text = "".join(c if c.isprintable() else "?" for c in str(value))
        return _escaped(text if len(text) <= _ID_WIDTH else text[: _ID_WIDTH - 1] + "…")
    if name in _WORDS:
        return "-" if value is None else str(value)
    if name == "paths_used":
        return "-" if value is None else str(value)
    if name in _TWO_DIGITS:
        return value_text(value, digits=2)
    return value_text(value, digits=6 if name == "price" else 5)


def _escaped(text: str) -> str:
    """Text that rich would take for markup stays text."""
    return text.replace("[", "\\[")


def _rendered(table: Table, *, color: bool, width: int) -> str:
    sink = io.StringIO()
    console = Console(file=sink, width=max(WIDTH_MIN, width), force_terminal=color, highlight=False)
    console.print(table)
    return "\n".join(line.rstrip() for line in sink.getvalue().splitlines()) + "\n"


def totals_text(record: Mapping[str, Any], files: Mapping[str, bool]) -> str:
    """What the whole run did, in a few lines of at most 80 columns.

    `files` that were written, and whether each replaced an older one.
    """
    options = record["options"]
    parts = [f"{count_text(options['total'], 'option')} in {duration_text(record['wall_s'])}"]
    if options["from_journal"]:
        parts.append(f"{options['from_journal']} from the journal")
    if record["path_steps_per_s"]:
        parts.append(rate_text(record["path_steps_per_s"]))
    if record["ideal_s"]:
        share = record["makespan_s"] / record["ideal_s"]
        parts.append(f"makespan/ideal {share:.3f}")
    counted = [f"{options[word]} {word}" for word in STATUSES if options[word]]
    counted.append(f"result {shown_hash(record['result_hash'])}")
    lines = [", ".join(parts), ", ".join(counted)]
    done = {True: "replaced", False: "wrote"}
    for is_older, verb in done.items():
        if named := [name for name, was_there in files.items() if was_there is is_older]:
            lines.append(f"{verb} {listed_text(named)}")
    found = record.get("sensitivities")
    if found is not None:
        lines.append(_sensitivities_text(found))
    if options["max_paths_reached"]:
        lines.append("note: max_paths_reached means that std_error is larger than asked for")
    if options["resolution_reached"]:
        lines.append("note: resolution_reached means that error_bound is larger than asked for")
    return "".join(f"{line}\n" for line in lines)


def _sensitivities_text(found: Mapping[str, Any]) -> str:
    if not found["values"]:
        return "note: no sensitivities: no row has a curve, a surface, a basket, or heston_v0"
    values = count_text(found["values"], "sensitivity", "sensitivities")
    return f"{values} from {found['prices']} more prices in {duration_text(found['wall_s'])}"


def result_html(table: Any, record: Mapping[str, Any]) -> str:
    """A result as notebooks show it: the table, and what the run did."""
    shown = table._repr_html_() if hasattr(table, "_repr_html_") else f"<pre>{table!r}</pre>"
    totals = totals_text(record, {})
    return f"{shown}<p>{html.escape(totals)}</p>"
