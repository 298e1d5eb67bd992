# SPDX-License-Identifier: Apache-2.0
"""What balancers make of a graph, in a terminal: a row for each, the graph as it is now first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from makespan.base.number_text import count_text, time_text, traffic_text

if TYPE_CHECKING:
    from rich.table import Table

    from makespan.base.engine import PolicyInfo
    from makespan.graph.balancing import Candidate, Comparison

COLUMNS = (
    "strategy",
    "phase",
    "bound",
    "ratio",
    "max/avg",
    "off-node",
    "off-domain",
    "moves",
    "moved",
    "decision",
)
_GAP = 2


def headline(comparison: Comparison) -> str:
    """What was balanced, and where."""
    graph, places = comparison.graph, comparison.places
    table = places.table
    parts = [count_text(len(graph), "object"), count_text(len(graph.edges), "edge")]
    fixed = int(graph.fixed.sum())
    if fixed:
        parts.append(f"{fixed} that may not move")
    where = [
        count_text(len(places.labels), "place"),
        count_text(len(table.domain_labels), "domain"),
        count_text(max(table.nodes) + 1, "node"),
    ]
    return (
        f"{graph.source}: {', '.join(parts)}\n"
        f"{places.name}: {', '.join(where)}; {places.costs_text()}"
    )


def comparison_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """Texts of `COLUMNS`, by candidate."""
    return [_row(one, comparison.bound_s) for one in comparison.candidates]


def _row(one: Candidate, bound_s: float) -> tuple[str, ...]:
    found = one.quality
    ratio = f"{found['phase_s'] / bound_s:.3f}" if bound_s else "-"
    return (
        one.name,
        time_text(found["phase_s"]),
        time_text(bound_s),
        ratio,
        f"{found['imbalance']:.3f}",
        traffic_text(found["node_bytes"]),
        traffic_text(found["domain_bytes"]),
        str(found["moves"]),
        traffic_text(found["moved_bytes"]),
        "-" if one.decision_s is None else time_text(one.decision_s, digits=3),
    )


def comparison_table(comparison: Comparison) -> Table:
    """The best of several strategies is bold."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == "strategy" else "right", no_wrap=True)
    best = comparison.best.name if len(comparison.candidates) > 2 else None
    for texts in comparison_rows(comparison):
        table.add_row(*map(escape, texts), style="bold" if texts[0] == best else None)
    return table


def balancers_table(balancers: Sequence[PolicyInfo]) -> Table:
    """Each with its options below it."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for name in ("strategy", "default", "meaning"):
        table.add_column(name, justify="right" if name == "default" else "left")
    for balancer in balancers:
        table.add_row(escape(balancer["name"]), "", escape(balancer["summary"]))
        for option in balancer["options"]:
            text = f"{option['default']:g}"
            table.add_row(escape(f"  {option['name']}"), text, escape(option["help"]))
    return table
