# SPDX-License-Identifier: Apache-2.0
"""A run of a grid as a page: where devices' time went, their planes, the table as curves."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.grids.table import summary_lines
from makespan.report.page import COLORS, LAYOUT, figure_html, note_html, page_html, table_html

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from makespan.grids.outcome import GridOutcome

PARTS = {
    "interior": "#3b6ea5",
    "boundary": "#7ba3cc",
    "pack": "#c8c050",
    "send": "#e0a030",
    "wait": "#c03050",
    "unpack": "#8a6fb0",
}
"""Where a device's time goes, with colours; the rest is the run's own: tables, pictures, files."""
TIMES_NOTE = (
    "wait: until halos of neighbours came; rest: what the run did besides its steps, such as "
    "tables, pictures and checkpoints. busy: what the device computed. Of a CPU that is interior "
    "and boundary; of a GPU it lies beside all parts, which are those of the thread that drives it."
)
ROW_PX = 28
PLOT_PX = 220


def grid_html(outcome: GridOutcome) -> str:
    """A page that needs nothing else, script included (4 MB); opens without a network."""
    lines = "<br>".join(html.escape(line) for line in summary_lines(outcome))
    devices = outcome.report["devices"]
    body = [
        f"<p>{lines}</p>",
        "<h2>Where the time of each device went</h2>",
        figure_html(_times(outcome)),
        note_html(TIMES_NOTE),
        table_html(
            ("device", "planes", *(f"{part} s" for part in (*PARTS, "busy"))),
            [
                (
                    _name(one),
                    one["planes"],
                    *(f"{one[f'{part}_s']:.4g}" for part in (*PARTS, "busy")),
                )
                for one in devices
            ],
        ),
        "<h2>Planes by device</h2>",
        figure_html(_planes(devices)),
    ]
    if outcome.lines:
        body += ["<h2>The table</h2>", figure_html(_curves(outcome))]
    return page_html(f"makespan {outcome.name}: {outcome.given.source}", body)


def _name(device: Mapping[str, Any]) -> str:
    return f"image {device['image']}, device {device['device']}"


def _times(outcome: GridOutcome) -> go.Figure:
    import plotly.graph_objects as go

    devices = outcome.report["devices"]
    names = [_name(one) for one in devices]
    figure = go.Figure(
        [
            go.Bar(
                y=names,
                x=[one[f"{part}_s"] for one in devices],
                name=part,
                orientation="h",
                marker_color=colour,
            )
            for part, colour in PARTS.items()
        ]
    )
    spent = [sum(one[f"{part}_s"] for part in PARTS) for one in devices]
    rest = [max(0.0, outcome.seconds - each) for each in spent]
    figure.add_bar(y=names, x=rest, name="rest", orientation="h", marker_color=COLORS["idle"])
    figure.update_layout(
        **LAYOUT, barmode="stack", height=120 + ROW_PX * len(devices), xaxis_title="s"
    )
    figure.update_layout(legend_traceorder="normal")
    figure.update_yaxes(autorange="reversed")
    return figure


def _planes(devices: list[Mapping[str, Any]]) -> go.Figure:
    import plotly.graph_objects as go

    names, planes = [_name(one) for one in devices], [one["planes"] for one in devices]
    bars = go.Bar(y=names, x=planes, text=planes, orientation="h", marker_color=COLORS["run"])
    figure = go.Figure([bars])
    figure.update_layout(**LAYOUT, height=120 + ROW_PX * len(devices), xaxis_title="planes")
    figure.update_layout(showlegend=False)
    figure.update_yaxes(autorange="reversed")
    return figure


def _curves(outcome: GridOutcome) -> go.Figure:
    """Each column of the table over the run's time, one below the other."""
    from plotly.subplots import make_subplots

    _step, time, *columns = outcome.lines[0]
    figure = make_subplots(rows=len(columns), cols=1, shared_xaxes=True)
    times = [line[time] for line in outcome.lines]
    for row, column in enumerate(columns, start=1):
        values = [line[column] for line in outcome.lines]
        figure.add_scatter(
            x=times, y=values, mode="lines+markers", showlegend=False, row=row, col=1
        )
        figure.update_yaxes(title_text=column, row=row, col=1)
    figure.update_xaxes(title_text=time, row=len(columns), col=1)
    figure.update_layout(**LAYOUT, height=PLOT_PX * len(columns))
    return figure
