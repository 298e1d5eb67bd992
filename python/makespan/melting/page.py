# SPDX-License-Identifier: Apache-2.0
"""A melt as a page: loads by place, by object and by part of the box, and how long phases took."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.number_text import count_text, time_text, time_unit
from makespan.melting.loads import Loads
from makespan.melting.table import COLUMNS, line_text, summary_lines
from makespan.report.page import COLORS, LAYOUT, figure_html, note_html, page_html, table_html

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from makespan.melting.outcome import MeltOutcome

LINES_MAX = 12
"""Of the table; the first and the last of more."""
RANKS_MAX = 400
"""Columns of the picture of all objects; of more only some are drawn."""
LAYERS_IN_A_ROW = 8

_PLACE_COLORS = (
    *("#3b6ea5", "#e0a030", "#4f9a6b", "#c03050", "#8a63b0"),
    *("#6bb6c9", "#9c6b3f", "#d98cb3", "#7f7f7f", "#b5bd4c"),
)
NUMBERS_MAX = 64
"""Fields from left to right up to which each shows its number; the pointer shows all."""

PLACES_NOTE = (
    "Time of the processor for the objects of each place, for a step, in the first phase and in "
    "the last. The dotted line is the mean: no mapping can bring the longest bar below it."
)
OBJECTS_NOTE = (
    "Each row is a place, each field one of its objects, the heaviest first, with its time for a "
    "step. The darkest are cells, and computes within one; then come computes between cells that "
    "share a face, an edge, a corner."
)
BOX_NOTE = (
    "The box in layers of cells, x to the right, y upwards. A cell has its own work, and half of "
    "that of each compute between it and a neighbour."
)
HOMES_NOTE = "Who has the cells; their computes may be elsewhere."
PHASES_NOTE = (
    "A phase lasts from its first message until no place has anything to do. Between it and the "
    "longest place lies waiting; between that and the mean, imbalance."
)


def melt_html(outcome: MeltOutcome) -> str:
    """A page that needs nothing else, script included (4 MB); opens without a network."""
    body = [f"<p>{'<br>'.join(map(html.escape, summary_lines(outcome)))}</p>", _table(outcome)]
    loads = Loads.known(outcome)
    if loads:
        body += [
            "<h2>Loads by place</h2>",
            figure_html(_places(loads)),
            note_html(PLACES_NOTE),
            "<h2>Loads by object</h2>",
            figure_html(_objects(loads)),
            note_html(OBJECTS_NOTE),
            "<h2>Loads in the box</h2>",
            figure_html(_box(outcome, loads)),
            note_html(BOX_NOTE + (f" {HOMES_NOTE}" if loads[-1].places > 1 else "")),
        ]
    else:
        body.append(note_html("No phase was over of which all objects could tell."))
    if len(outcome.report["phases"]["time_s"]):
        body += [
            "<h2>Phases</h2>",
            figure_html(_phases(outcome)),
            note_html(PHASES_NOTE),
        ]
    return page_html(f"makespan melt: {outcome.given.source}", body)


def _table(outcome: MeltOutcome) -> str:
    lines = [line_text(line).split() for line in outcome.lines]
    if len(lines) > LINES_MAX:
        half = LINES_MAX // 2
        lines = [*lines[:half], ["..."] * (len(COLUMNS) + 1), *lines[-half:]]
    return table_html(("Step", *(name for name, _ in COLUMNS)), lines)


def _title(one: Loads) -> str:
    begin, end = one.steps
    return f"steps {begin} to {end}"


def _places(loads: Sequence[Loads]) -> go.Figure:
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    sums = [(one.by_place(of_cells=True), one.by_place(of_cells=False)) for one in loads]
    totals = [cells + computes for cells, computes in sums]
    unit_s, unit = time_unit(max(float(total.max()) for total in totals))
    titles = [
        f"{_title(one)}: longest {time_text(float(total.max()))}, {_ratio(total)} times the mean"
        for one, total in zip(loads, totals, strict=True)
    ]
    figure = make_subplots(
        rows=1, cols=len(loads), shared_yaxes=True, subplot_titles=titles, horizontal_spacing=0.05
    )
    for column, pair in enumerate(sums, start=1):
        for name, values, color in zip(
            ("computes", "cells"), reversed(pair), ("run", "claim"), strict=True
        ):
            bar = go.Bar(
                name=name,
                x=[str(place) for place in range(len(values))],
                y=(values / unit_s).tolist(),
                customdata=[time_text(value) for value in values.tolist()],
                hovertemplate=f"place %{{x}}: {name} %{{customdata}}<extra></extra>",
                marker={"color": COLORS[color], "line": {"width": 0}},
                legendgroup=name,
                showlegend=column == 1,
            )
            figure.add_trace(bar, row=1, col=column)
        mean = float(totals[column - 1].mean()) / unit_s
        figure.add_hline(mean, line={"dash": "dot", "width": 1.5}, row=1, col=column)
    figure.update_layout(
        **{**LAYOUT, "margin": {"l": 10, "r": 10, "t": 70, "b": 40}},
        barmode="stack",
        bargap=0.3,
        height=340,
    )
    figure.update_yaxes(rangemode="tozero", automargin=True)
    figure.update_yaxes(title=unit, col=1)
    figure.update_xaxes(title="place", type="category", automargin=True, nticks=32)
    return figure


def _ratio(total: NDArray[np.float64]) -> str:
    mean = float(total.mean())
    return f"{float(total.max()) / mean:.3f}" if mean else "-"


def _objects(loads: Sequence[Loads]) -> go.Figure:
    """All objects of each place, the heaviest first."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    unit_s, unit = time_unit(max(float(one.seconds.max()) for one in loads))
    figure = make_subplots(
        rows=1,
        cols=len(loads),
        shared_yaxes=True,
        shared_xaxes="all",
        subplot_titles=[_title(one) for one in loads],
        horizontal_spacing=0.05,
    )
    ranked = [one.ranked() for one in loads]
    longest = max(len(row) for rows in ranked for row in rows)
    step = max(1, -(-longest // RANKS_MAX))
    for column, rows in enumerate(ranked, start=1):
        ranks = range(0, longest, step)
        heat = go.Heatmap(
            z=[[row[r] / unit_s if r < len(row) else None for r in ranks] for row in rows],
            x=[rank + 1 for rank in ranks],
            y=[f"{place}" for place in range(len(rows))],
            hovertemplate=f"place %{{y}}, object %{{x}}: %{{z:.4g}} {unit}<extra></extra>",
            coloraxis="coloraxis",
            ygap=2 if len(rows) <= 32 else 0,
        )
        figure.add_trace(heat, row=1, col=column)
    figure.update_layout(
        **_map_layout(unit, max(float(one.seconds.max()) for one in loads) / unit_s),
        height=150 + min(26 * max(len(rows) for rows in ranked), 600),
    )
    figure.update_xaxes(title="objects, the heaviest first", showgrid=False)
    figure.update_yaxes(autorange="reversed", type="category", showgrid=False, automargin=True)
    figure.update_yaxes(title="place", col=1)
    return figure


def _map_layout(unit: str, most: float) -> dict[str, Any]:
    return {
        "template": "plotly_white",
        "plot_bgcolor": "white",
        "margin": {"l": 10, "r": 10, "t": 40, "b": 40},
        "coloraxis": {
            "colorscale": "Blues",
            "cmin": 0.0,
            "cmax": most,
            "colorbar": {"thickness": 14, "title": {"text": unit}},
        },
    }


def _box(outcome: MeltOutcome, loads: Sequence[Loads]) -> go.Figure:
    """What each part of the box costs, and whose it is."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    counts = tuple(outcome.system["cells"])
    costs = loads[-1].by_cell(outcome.system)
    unit_s, unit = time_unit(float(costs.max()))
    panels = [(f"cost of a step in {unit}, {_title(loads[-1])}", costs / unit_s)]
    if loads[-1].places > 1:
        panels += [
            (f"places of cells, {_title(one)}", one.place[: one.cells].astype(float))
            for one in loads
        ]
    figure = make_subplots(
        rows=len(panels), cols=1, subplot_titles=[name for name, _ in panels], vertical_spacing=0.1
    )
    names = _mosaic(np.arange(len(costs)), counts)
    high, wide = names.shape
    texts = [[_cell_name(cell, counts) for cell in row] for row in names.tolist()]
    for row, (_, values) in enumerate(panels, start=1):
        is_place = row > 1
        heat = go.Heatmap(
            z=[[None if np.isnan(v) else v for v in line] for line in _mosaic(values, counts)],
            customdata=texts,
            hovertemplate="%{customdata}: "
            + ("place %{z}" if is_place else f"%{{z:.4g}} {unit}")
            + "<extra></extra>",
            texttemplate=("%{z:.0f}" if is_place else "%{z:.3g}") if wide <= NUMBERS_MAX else None,
            textfont={"size": 9},
            xgap=1,
            ygap=1,
            **(_place_colors(loads[-1].places) if is_place else {"coloraxis": "coloraxis"}),
        )
        figure.add_trace(heat, row=row, col=1)
        anchor = "x" if row == 1 else f"x{row}"
        figure.update_yaxes(scaleanchor=anchor, constrain="domain", row=row, col=1)
        figure.update_xaxes(constrain="domain", row=row, col=1)
    layout = _map_layout(unit, float(costs.max()) / unit_s)
    layout["coloraxis"]["colorbar"] |= {"len": 1 / len(panels), "y": 1.0, "yanchor": "top"}
    height = min(max(1000 * high / wide, 90), 700) + 60
    figure.update_layout(**layout, height=60 + height * len(panels))
    figure.update_xaxes(showgrid=False, zeroline=False, **_layer_ticks(counts))
    figure.update_yaxes(visible=False)
    return figure


def _place_colors(places: int) -> dict[str, Any]:
    """Colours that can be told apart where there are few places, else a row of them."""
    if places > len(_PLACE_COLORS):
        return {"colorscale": "Viridis", "zmin": 0, "zmax": places - 1, "showscale": False}
    scale = [
        (edge / places, _PLACE_COLORS[place])
        for place in range(places)
        for edge in (place, place + 1)
    ]
    return {"colorscale": scale, "zmin": -0.5, "zmax": places - 0.5, "showscale": False}


def _mosaic(values: NDArray[Any], counts: tuple[int, ...]) -> NDArray[np.float64]:
    """Layers of equal z beside each other, rows of them below each other; gaps are NaN."""
    x, y, z = counts
    columns = min(z, LAYERS_IN_A_ROW)
    rows = -(-z // columns)
    picture = np.full((rows * (y + 1) - 1, columns * (x + 1) - 1), np.nan)
    box = values.reshape(x, y, z)
    for layer in range(z):
        row, column = divmod(layer, columns)
        # Rows of a heat map are drawn upwards, as y is; the first layers are at the top.
        bottom, left = (rows - 1 - row) * (y + 1), column * (x + 1)
        picture[bottom : bottom + y, left : left + x] = box[:, :, layer].T
    return picture


def _layer_ticks(counts: tuple[int, ...]) -> dict[str, Any]:
    """Below each column of layers its z, or all of them from above."""
    x, _, z = counts
    columns = range(min(z, LAYERS_IN_A_ROW))
    return {
        "tickvals": [column * (x + 1) + (x - 1) / 2 for column in columns],
        "ticktext": [
            "z = " + ", ".join(map(str, range(column, z, LAYERS_IN_A_ROW))) for column in columns
        ],
    }


def _cell_name(cell: float, counts: tuple[int, ...]) -> str:
    if np.isnan(cell):
        return ""
    number = int(cell)
    _, y, z = counts
    return f"cell ({number // (y * z)}, {number // z % y}, {number % z})"


def _phases(outcome: MeltOutcome) -> go.Figure:
    """By step, so that a short last phase can be compared with the others."""
    import plotly.graph_objects as go

    phases, report = outcome.report["phases"], outcome.report
    begins, ends = np.array([outcome.span(int(phase)) for phase in phases["phase"]]).T
    steps = np.maximum(ends - begins, 1)
    unit_s, unit = time_unit(float((phases["time_s"] / steps).max()))
    figure = go.Figure()
    for name, column, color in (
        ("phase", "time_s", "#222222"),
        ("longest place", "busy_s_longest", COLORS["claim"]),
        ("mean of places", "busy_s_mean", COLORS["run"]),
    ):
        figure.add_scatter(
            x=ends.tolist(),
            y=(phases[column] / steps / unit_s).tolist(),
            name=name,
            mode="lines+markers" if len(ends) <= 60 else "lines",
            line={"color": color},
            hovertemplate=f"step %{{x}}: {name} %{{y:.4g}} {unit} a step<extra></extra>",
        )
    moved = np.flatnonzero(phases["moved"])
    if len(moved):
        figure.add_scatter(
            x=ends[moved].tolist(),
            y=(phases["time_s"] / steps / unit_s)[moved].tolist(),
            name="objects moved before it",
            mode="markers",
            marker={"color": COLORS["steal"], "size": 11, "symbol": "diamond"},
            customdata=[count_text(int(count), "object") for count in phases["moved"][moved]],
            hovertemplate="%{customdata} moved before this phase<extra></extra>",
        )
    figure.update_layout(LAYOUT, height=340)
    figure.update_xaxes(title="step", rangemode="tozero" if not report["first_step"] else "normal")
    figure.update_yaxes(title=f"{unit} a step", rangemode="tozero", automargin=True)
    return figure
