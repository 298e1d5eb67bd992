# SPDX-License-Identifier: Apache-2.0
"""What balancers make of a graph, and phases by them: tables, a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from makespan.base.number_text import count_text, time_text, traffic_text

if TYPE_CHECKING:
    from rich.table import Table

    from makespan.graph.balancing import Candidate, Comparison
    from makespan.graph.outcome import PhasesResult

COLUMNS = (
    "balancer",
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
PHASE_COLUMNS = (
    "balancer",
    "all phases",
    "to never",
    "to ideal",
    "last phase",
    "looks",
    "moves",
    "moved",
    "moving",
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


def columns_of(comparison: Comparison) -> tuple[str, ...]:
    """`COLUMNS`, and where memories have limits how full the fullest one is."""
    return (*COLUMNS, "memory") if comparison.has_memory_limits else COLUMNS


def comparison_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """Texts of `columns_of`, by candidate."""
    rows = [_row(one, comparison) for one in comparison.candidates]
    if not comparison.has_memory_limits:
        return rows
    fullest = (one.quality["fullest_memory"] for one in comparison.candidates)
    return [(*row, f"{100 * share:.1f} %") for row, share in zip(rows, fullest, strict=True)]


def _row(one: Candidate, comparison: Comparison) -> tuple[str, ...]:
    found = one.quality
    ratio = comparison.ratio(one)
    return (
        one.text,
        time_text(found["phase_s"]),
        time_text(comparison.bound_s),
        "-" if ratio is None else f"{ratio:.3f}",
        f"{found['imbalance']:.3f}",
        traffic_text(found["node_bytes"]),
        traffic_text(found["domain_bytes"]),
        str(found["moves"]),
        traffic_text(found["moved_bytes"]),
        "-" if one.decision_s is None else time_text(one.decision_s, digits=3),
    )


def comparison_table(comparison: Comparison) -> Table:
    """The best of several balancers is bold."""
    best = comparison.best.text if len(comparison.candidates) > 2 else None
    return _table(columns_of(comparison), comparison_rows(comparison), best)


def phases_rows(played: Sequence[PhasesResult]) -> list[tuple[str, ...]]:
    """Texts of `PHASE_COLUMNS`."""
    never_s = played[0].total_s
    return [
        (
            one.balancer,
            time_text(one.total_s),
            f"{one.total_s / never_s:.3f}" if never_s else "-",
            f"{one.total_s / one.ideal_s:.3f}" if one.ideal_s else "-",
            time_text(one.phases["time_s"][-1]),
            str((one.phases["look_s"] > 0.0).sum()),
            str(one.phases["moved"].sum()),
            traffic_text(sum(one.phases["moved_bytes"])),
            time_text(sum(one.phases["migrate_s"]), digits=3),
        )
        for one in played
    ]


def phases_table(played: Sequence[PhasesResult]) -> Table:
    """The shortest of several balancers is bold."""
    best = min(played, key=lambda one: one.total_s).balancer if len(played) > 2 else None
    return _table(PHASE_COLUMNS, phases_rows(played), best)


def phases_said(one: PhasesResult) -> str:
    """Of phases by one balancer, in a sentence."""
    over = f", {one.total_s / one.ideal_s:.3f} times the ideal" if one.ideal_s else ""
    phases = count_text(one.phases.height, "phase")
    return f"{phases} by {one.balancer}: {time_text(one.total_s)}{over}"


def _table(columns: Sequence[str], rows: Sequence[tuple[str, ...]], best: str | None) -> Table:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for name in columns:
        table.add_column(name, justify="left" if name == "balancer" else "right", no_wrap=True)
    for texts in rows:
        table.add_row(*map(escape, texts), style="bold" if texts[0] == best else None)
    return table
