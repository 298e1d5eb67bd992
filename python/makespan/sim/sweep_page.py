# SPDX-License-Identifier: Apache-2.0
"""A sweep as a page: makespan, idle time and messages by what differs."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from makespan.base.number_text import time_unit
from makespan.report.page import LAYOUT, figure_html, note_html, page_html, table_html
from makespan.sim.table import SWEEP_COLUMNS, headline, sweep_rows

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from makespan.sim.comparison import Candidate, Way
    from makespan.sim.outcome import Simulation
    from makespan.sim.sweep import Sweep

LINES_MAX = 12
"""More lines cannot be distinguished; if there are more, the best are drawn."""
TICKS_MAX = 16
"""More values are not each named on the axis."""
_LOG_FROM = 10.0


def sweep_html(simulation: Simulation) -> str:
    """A page that needs nothing else."""
    machine, tasks = simulation.base.machine, simulation.base.tasks
    sweep, found = simulation.sweep, simulation.found
    if sweep is None:
        raise ValueError("no sweep")
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
    body += [table_html(SWEEP_COLUMNS, sweep_rows(simulation))]
    return page_html(f"makespan simulate: {machine.source}, {sweep.title}", body)


def _ways(found: Sequence[Sequence[Candidate]]) -> list[Way]:
    """Those with the least sum of ratios, the best first; in all, sweeps have the same ways."""
    sums: list[tuple[Way, float]] = []
    for way in [one.way for one in found[0]]:
        each = [one.over_ideal for own in found for one in own if one.way == way]
        sums.append((way, sum(min(ratio, 1e9) for ratio in each)))
    return [way for way, _ in sorted(sums, key=lambda pair: pair[1])][:LINES_MAX]


def _lines(
    sweep: Sweep,
    found: Sequence[Sequence[Candidate]],
    ways: Sequence[Way],
    value: Callable[[Candidate], float],
) -> go.Figure:
    import plotly.graph_objects as go

    figure = go.Figure()
    for way in ways:
        points = [
            (at, value(one))
            for at, own in zip(sweep.values, found, strict=True)
            for one in own
            if one.way == way and one.result["complete"]
        ]
        figure.add_scatter(
            x=[at for at, _ in points],
            y=[height for _, height in points],
            name=way.text,
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
