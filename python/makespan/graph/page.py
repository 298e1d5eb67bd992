# SPDX-License-Identifier: Apache-2.0
"""Mappings as a page: times of places, and who sends to whom, before and after."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.number_text import time_text, time_unit, traffic_text
from makespan.graph.phases import NEVER
from makespan.graph.table import (
    PHASE_COLUMNS,
    columns_of,
    comparison_rows,
    headline,
    phases_rows,
)
from makespan.report.page import COLORS, LAYOUT, figure_html, note_html, page_html, table_html

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from makespan.graph.balancing import Candidate, Comparison
    from makespan.graph.outcome import Balanced, PhasesResult
    from makespan.graph.phases import Change

BARS_MAX = 512
"""More places than this cannot be distinguished on a screen: of neighbours the longest is shown."""
FIELDS_MAX = 128
"""Rows and columns of a map; more are put together."""
LABELS_MAX = 24
NUMBERS_MAX = 8
"""Rows and columns up to which each field of a map shows its number; the pointer shows all."""

_BAR_HEIGHT = 190
_MAP_HEIGHT = 420
_BLANK = "#e4e4e4"
_NOTHING = traffic_text(0)

TIMES_NOTE = (
    "A place computes for its objects, and pays for the messages that they get from other places. "
    "The predicted phase lasts as long as the longest bar; the dotted line is the bound, below "
    "which no mapping can come."
)
TRAFFIC_NOTE = (
    "Bytes of a phase from the row's place to the column's; all maps have the same colours. What "
    "stays within a place costs nothing and is grey."
)
PHASES_NOTE = (
    "The ideal is all work over all speeds, without messages and moves. Phases in which objects "
    "came are as long as without; the time that they took to come is under moving."
)


def balance_html(balanced: Balanced) -> str:
    """A page that needs nothing else, script included (4 MB); opens without a network."""
    comparison = balanced.comparison
    groups = _groups(comparison)
    lines = [f"<p>{html.escape(line)}</p>" for line in headline(comparison).splitlines()]
    body = [
        *lines,
        *(note_html(note) for note in comparison.graph.notes),
        table_html(columns_of(comparison), comparison_rows(comparison)),
        note_html(f"The shortest predicted phase is that by {html.escape(comparison.best.text)}."),
        *_phases(balanced),
        "<h2>Time by place</h2>",
        figure_html(_times(comparison)),
        note_html(TIMES_NOTE + _folded_note(comparison)),
        "<h2>Traffic</h2>",
        figure_html(_traffic(comparison, groups)),
        note_html(f"{TRAFFIC_NOTE}{groups.note}"),
    ]
    return page_html(f"makespan balance: {comparison.graph.source}", body)


def _phases(balanced: Balanced) -> list[str]:
    job, played = balanced.job, balanced.played
    if job is None:
        return []
    return [
        f"<h2>{job.phases} phases, balanced on the way</h2>",
        figure_html(_phases_figure(played, job.changes)),
        table_html(PHASE_COLUMNS, phases_rows(played)),
        note_html(PHASES_NOTE),
    ]


def _phases_figure(played: Sequence[PhasesResult], changes: Sequence[Change]) -> go.Figure:
    """Times of phases by their number, a line for each balancer; what changes, as lines across."""
    import plotly.graph_objects as go

    unit_s, unit = time_unit(max(max(one.phases["time_s"].to_list()) for one in played))
    numbers = list(range(played[0].phases.height))
    ideal = ("ideal", played[0].phases["compute_s"], {"dash": "dot", "color": "#444"})
    lines = [(one.balancer, one.phases["time_s"], {"shape": "hv"}) for one in played]
    figure = go.Figure()
    for name, column, line in (*lines, ideal):
        width = 1.2 if name in (NEVER, "ideal") else 2
        figure.add_scatter(
            x=numbers,
            y=(column / unit_s).to_list(),
            name=name,
            mode="lines",
            line={"width": width, **line},
        )
    for place, phase, part in changes:
        figure.add_vline(
            phase,
            line={"width": 1, "dash": "dash", "color": "#888"},
            annotation={"text": f"place {place}: {1 / part:g} times as long", "font": {"size": 11}},
        )
    figure.update_layout(
        LAYOUT,
        height=380,
        xaxis={"title": "phase"},
        yaxis={"title": f"time of a phase [{unit}]", "rangemode": "tozero"},
    )
    return figure


def _names(comparison: Comparison) -> list[str]:
    """Titles of plots."""
    return [
        f"{html.escape(one.text)}: {time_text(one.quality['phase_s'])}"
        for one in comparison.candidates
    ]


def _folded_note(comparison: Comparison) -> str:
    each = _fold(len(comparison.places.labels), BARS_MAX)
    return (
        ""
        if each == 1
        else f" Each bar is the longest of {each} neighbouring places, named by the first."
    )


def _fold(count: int, most: int) -> int:
    """How many neighbours must be put together, so that there are at most `most`."""
    return -(-count // most)


def _times(comparison: Comparison) -> go.Figure:
    from plotly.subplots import make_subplots

    rows = len(comparison.candidates)
    gap = min(0.35 / rows, 0.12)
    unit_s, unit = time_unit(max(one.quality["phase_s"] for one in comparison.candidates))
    figure = make_subplots(
        rows=rows,
        cols=1,
        shared_xaxes="all",
        shared_yaxes="all",
        vertical_spacing=gap,
        subplot_titles=_names(comparison),
    )
    for row, one in enumerate(comparison.candidates, start=1):
        for trace in _bars(one, comparison.places.labels, unit_s, is_first=row == 1):
            figure.add_trace(trace, row=row, col=1)
        figure.add_hline(
            comparison.bound_s / unit_s, line={"dash": "dot", "width": 1.5}, row=row, col=1
        )
    figure.update_layout(
        **{**LAYOUT, "margin": {"l": 10, "r": 10, "t": 70, "b": 40}},
        barmode="stack",
        bargap=0.15,
        height=100 + _BAR_HEIGHT * rows,
    )
    figure.update_yaxes(title=unit, rangemode="tozero", automargin=True)
    figure.update_xaxes(type="category", automargin=True, nticks=LABELS_MAX)
    return figure


def _bars(one: Candidate, labels: list[str], unit_s: float, *, is_first: bool) -> list[go.Bar]:
    import plotly.graph_objects as go

    each = _fold(len(labels), BARS_MAX)
    shown = _longest(one.compute_s + one.receive_s, each)
    names = [html.escape(labels[place]) for place in shown]
    columns = (("computing", one.compute_s, "run"), ("messages", one.receive_s, "claim"))
    return [
        go.Bar(
            name=name,
            x=names if each == 1 else [str(bar * each) for bar in range(len(shown))],
            y=(values[shown] / unit_s).tolist(),
            customdata=[
                (label, time_text(float(values[p]))) for label, p in zip(names, shown, strict=True)
            ],
            hovertemplate=f"%{{customdata[0]}}: {name} %{{customdata[1]}}<extra></extra>",
            marker={"color": COLORS[color], "line": {"width": 0}},
            legendgroup=name,
            showlegend=is_first,
        )
        for name, values, color in columns
    ]


def _longest(times: NDArray[np.float64], each: int) -> NDArray[np.int64]:
    """The place that ends last of every `each` neighbours."""
    padded = np.full(-(-len(times) // each) * each, -1.0)
    padded[: len(times)] = times
    blocks = padded.reshape(-1, each)
    return np.asarray(blocks.argmax(axis=1) + np.arange(len(blocks)) * each)


@dataclass(frozen=True, slots=True)
class _Groups:
    """Places put together for a map: the group of each place, and what groups are called."""

    of_place: NDArray[np.int64]
    labels: list[str]
    note: str

    @property
    def is_by_place(self) -> bool:
        return len(self.of_place) == len(self.labels)


def _groups(comparison: Comparison) -> _Groups:
    """By place, or by domain, or by neighbours, whichever are few enough first."""
    table = comparison.places.table
    places, domains = comparison.places.labels, list(table.domain_labels)
    if len(places) <= FIELDS_MAX:
        return _Groups(np.arange(len(places)), places, "")
    if FIELDS_MAX >= len(domains) >= NUMBERS_MAX:
        note = " Places of a domain are one row and column."
        return _Groups(np.array(table.domains), domains, note)
    each = _fold(len(places), FIELDS_MAX)
    labels = [
        f"{first}-{min(first + each, len(places)) - 1}" for first in range(0, len(places), each)
    ]
    note = f" Each row and column is {each} neighbouring places."
    return _Groups(np.arange(len(places)) // each, labels, note)


def _map(comparison: Comparison, one: Candidate, groups: _Groups) -> NDArray[np.float64]:
    """Bytes between groups; within a place, nothing."""
    edges = comparison.graph.edges
    from_place, to_place = one.mapping[edges.sender], one.mapping[edges.receiver]
    paid = from_place != to_place
    count = len(groups.labels)
    cells = groups.of_place[from_place[paid]] * count + groups.of_place[to_place[paid]]
    sums = np.zeros(count * count)
    np.add.at(sums, cells, edges.bytes[paid])
    return sums.reshape(count, count)


def _traffic(comparison: Comparison, groups: _Groups) -> go.Figure:
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    maps = [_map(comparison, one, groups) for one in comparison.candidates]
    columns = 2
    rows = -(-len(maps) // columns)
    most = max(float(sums.max()) for sums in maps) or 1.0
    figure = make_subplots(
        rows=rows,
        cols=columns,
        horizontal_spacing=0.14,
        vertical_spacing=min(0.3 / rows, 0.14),
        subplot_titles=[
            f"{html.escape(one.text)}: {traffic_text(one.quality['place_bytes'])}"
            for one in comparison.candidates
        ],
    )
    for number, sums in enumerate(maps):
        row, column = divmod(number, columns)
        figure.add_trace(go.Heatmap(**_heat(sums, groups)), row=row + 1, col=column + 1)
    figure.update_layout(
        template="plotly_white",
        plot_bgcolor=_BLANK,
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        height=60 + _MAP_HEIGHT * rows,
        coloraxis={
            "colorscale": "Blues",
            "cmin": 0.0,
            "cmax": most**0.5,
            "colorbar": {
                "thickness": 14,
                "tickvals": [most**0.5 * part / 4 for part in range(5)],
                "ticktext": [traffic_text(most * (part / 4) ** 2) for part in range(5)],
            },
        },
    )
    figure.update_yaxes(
        autorange="reversed", automargin=True, type="category", nticks=LABELS_MAX, showgrid=False
    )
    # Many labels upright would take more room than the map; the rows have the same ones.
    figure.update_xaxes(
        automargin=True,
        type="category",
        showgrid=False,
        showticklabels=len(groups.labels) <= LABELS_MAX,
    )
    return figure


def _heat(sums: NDArray[np.float64], groups: _Groups) -> dict[str, Any]:
    names = [html.escape(label) for label in groups.labels]
    blank = (
        np.eye(len(names), dtype=bool) if groups.is_by_place else np.zeros_like(sums, dtype=bool)
    )
    # By the square root, so that what is spread thin is seen beside what is not.
    rows = zip(np.sqrt(sums).tolist(), blank.tolist(), strict=True)
    texts = [[traffic_text(value) for value in row] for row in sums.tolist()]
    return {
        "z": [[None if b else v for v, b in zip(values, bs, strict=True)] for values, bs in rows],
        "x": names,
        "y": names,
        "customdata": texts,
        "text": [[text if text != _NOTHING else "" for text in row] for row in texts],
        "texttemplate": "%{text}" if len(names) <= NUMBERS_MAX else None,
        "hovertemplate": "%{y} to %{x}: %{customdata}<extra></extra>",
        "coloraxis": "coloraxis",
        "xgap": 1 if len(names) <= LABELS_MAX else 0,
        "ygap": 1 if len(names) <= LABELS_MAX else 0,
    }
