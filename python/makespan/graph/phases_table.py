# SPDX-License-Identifier: Apache-2.0
"""Many simulated phases: a table, a part of a JSON document, a figure of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from makespan.base.number_text import time_text, time_unit, traffic_text
from makespan.report.page import LAYOUT

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from rich.table import Table

    from makespan.graph.phases import Change, Played

COLUMNS = (
    "strategy",
    "all phases",
    "to never",
    "to ideal",
    "last phase",
    "looks",
    "moves",
    "moved",
    "moving",
)
PHASES_NOTE = (
    "The ideal is all work over all speeds, without messages and moves. Phases in which objects "
    "came are as long as without; the time that they took to come is under moving."
)
_GAP = 2


def phases_rows(played: Sequence[Played]) -> list[tuple[str, ...]]:
    """Texts of `COLUMNS`."""
    never_s = played[0].total_s
    return [
        (
            one.name,
            time_text(one.total_s),
            f"{one.total_s / never_s:.3f}" if never_s else "-",
            f"{one.total_s / one.ideal_s:.3f}" if one.ideal_s else "-",
            time_text(one.phases["time_s"][-1]) if one.phases["time_s"] else "-",
            str(sum(look_s > 0.0 for look_s in one.phases["look_s"])),
            str(int(sum(one.phases["moved"]))),
            traffic_text(sum(one.phases["moved_bytes"])),
            time_text(sum(one.phases["migrate_s"]), digits=3),
        )
        for one in played
    ]


def phases_table(played: Sequence[Played]) -> Table:
    """The shortest of several strategies is bold."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == "strategy" else "right", no_wrap=True)
    best = min(played, key=lambda one: one.total_s)
    for one, texts in zip(played, phases_rows(played), strict=True):
        is_best = one is best and len(played) > 2
        table.add_row(*map(escape, texts), style="bold" if is_best else None)
    return table


def phases_document(played: Sequence[Played]) -> list[dict[str, Any]]:
    """`[{"strategy", "total_s", "ideal_s", "time_s": […], …}]`, columns by phase."""
    return [
        {
            "strategy": one.name,
            "total_s": one.total_s,
            "ideal_s": one.ideal_s,
            **{name: list(column) for name, column in one.phases.items()},
        }
        for one in played
    ]


def phases_figure(played: Sequence[Played], changes: Sequence[Change]) -> go.Figure:
    """Times of phases by their number, a line for each strategy; what changes, as lines across."""
    import plotly.graph_objects as go

    longest_s = max((max(one.phases["time_s"], default=0.0) for one in played), default=0.0)
    unit_s, unit = time_unit(longest_s)
    figure = go.Figure()
    for one in played:
        figure.add_scatter(
            x=list(range(len(one.phases["time_s"]))),
            y=[time_s / unit_s for time_s in one.phases["time_s"]],
            name=one.name,
            mode="lines",
            line={"width": 2 if one is not played[0] else 1.2, "shape": "hv"},
        )
    figure.add_scatter(
        x=list(range(len(played[0].phases["compute_s"]))),
        y=[compute_s / unit_s for compute_s in played[0].phases["compute_s"]],
        name="ideal",
        mode="lines",
        line={"width": 1.2, "dash": "dot", "color": "#444"},
    )
    for place, phase, factor in changes:
        figure.add_vline(
            phase,
            line={"width": 1, "dash": "dash", "color": "#888"},
            annotation={"text": f"place {place}: {factor:g}", "font": {"size": 11}},
        )
    figure.update_layout(
        LAYOUT,
        height=380,
        xaxis={"title": "phase"},
        yaxis={"title": f"time of a phase [{unit}]", "rangemode": "tozero"},
    )
    return figure
