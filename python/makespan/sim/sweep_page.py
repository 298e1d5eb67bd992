# SPDX-License-Identifier: Apache-2.0
"""A sweep as a page: makespan, idle time and messages by what differs."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from makespan.base.number_text import time_unit
from makespan.report.page import LAYOUT, figure_html, note_html, page_html, table_html
from makespan.sim.sweep_table import SWEEP_COLUMNS, sweep_rows
from makespan.sim.table import headline

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from makespan.sim.comparison import Candidate
    from makespan.sim.machine_text import Machine
    from makespan.sim.sweep import Sweep
    from makespan.sim.tasks import Tasks

LINES_MAX = 12
"""More lines cannot be distinguished; if there are more, the best are drawn."""
TICKS_MAX = 16
"""More values are not each named on the axis."""
_LOG_FROM = 10.0


def sweep_html(
    machine: Machine, tasks: Tasks, sweep: Sweep, found: Sequence[Sequence[Candidate]]
) -> str:
    """A page that needs nothing else; `found` by value, each the best first."""
    lines = [*headline(machine, tasks).splitlines(), f"Sweep {sweep.text}"]
    ways = _ways(found)
    more = len(found[0]) - len(ways)
    unit_s, unit = time_unit(
        max((one.result["makespan_s"] for own in found for one in own), default=0.0)
    )
    figures: list[tuple[str, Callable[[Candidate], float]]] = [
        (f"makespan [{unit}]", lambda one: one.result["makespan_s"] / unit_s),
        ("idle [percent of all workers' time]", lambda one: 100.0 * one.idle),
        (
            "operations and messages",
            lambda one: one.result["operations"] + one.result["messages"],
        ),
    ]
    body = [f"<p>{html.escape(line)}</p>" for line in lines]
    for title, value in figures:
        figure = _lines(sweep, found, ways, value)
        axis: dict[str, Any] = {"title": title, "rangemode": "tozero"}
        if "makespan" in title:
            _add_ideal(figure, sweep, found, unit_s)
            if _range_of(figure) > _LOG_FROM:
                axis |= {"type": "log", "dtick": 1}
        figure.update_layout(yaxis=axis)
        body.append(figure_html(figure))
    if more > 0:
        body.append(note_html(f"{more} ways that take longer are in the table alone."))
    body += [table_html(SWEEP_COLUMNS, sweep_rows(sweep, found, None))]
    return page_html(f"makespan simulate: {machine.source}, {sweep.title}", body)


def _ways(found: Sequence[Sequence[Candidate]]) -> list[tuple[str, str]]:
    """Those with the least sum of ratios, the best first; in all, sweeps have the same ways."""
    sums: dict[tuple[str, str], float] = {}
    for own in found:
        for one in own:
            way = (one.policy, one.dispatcher)
            sums[way] = sums.get(way, 0.0) + min(one.over_ideal, 1e9)
    return sorted(sums, key=lambda way: sums[way])[:LINES_MAX]


def _lines(
    sweep: Sweep,
    found: Sequence[Sequence[Candidate]],
    ways: Sequence[tuple[str, str]],
    value: Callable[[Candidate], float],
) -> go.Figure:
    import plotly.graph_objects as go

    figure = go.Figure()
    for way in ways:
        points = [
            (at, value(one))
            for at, own in zip(sweep.values, found, strict=True)
            for one in own
            if (one.policy, one.dispatcher) == way and one.result["complete"]
        ]
        figure.add_scatter(
            x=[at for at, _ in points],
            y=[height for _, height in points],
            name=", ".join(way),
            mode="lines+markers",
        )
    figure.update_layout(LAYOUT, height=360, xaxis=_value_axis(sweep))
    return figure


def _range_of(figure: go.Figure) -> float:
    """The largest of all heights over the least."""
    heights = [height for trace in figure.data for height in trace.y]
    return max(heights) / min(heights) if min(heights, default=0.0) > 0.0 else 1.0


def _add_ideal(
    figure: go.Figure, sweep: Sweep, found: Sequence[Sequence[Candidate]], unit_s: float
) -> None:
    figure.add_scatter(
        x=list(sweep.values),
        y=[own[0].result["ideal_s"] / unit_s for own in found],
        name="ideal",
        mode="lines",
        line={"dash": "dot", "color": "#444"},
    )


def _value_axis(sweep: Sweep) -> dict[str, Any]:
    axis: dict[str, Any] = {"title": sweep.title}
    if len(sweep.values) <= TICKS_MAX:
        axis |= {"tickvals": list(sweep.values), "ticktext": [f"{one:g}" for one in sweep.values]}
    least, most = min(sweep.values), max(sweep.values)
    if least > 0.0 and most / least > _LOG_FROM:
        axis |= {"type": "log", "range": [math.log10(0.9 * least), math.log10(1.1 * most)]}
    return axis
