# SPDX-License-Identifier: Apache-2.0
"""A machine as a page: what it consists of, and heat maps of what was measured."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from makespan.machines.table import (
    COST_COLUMNS,
    cost_rows,
    cost_text,
    counts_text,
    title_of,
    tree_text,
)
from makespan.report.page import figure_html, note_html, page_html, table_html

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from numpy.typing import NDArray

    from makespan.machines.outcome import MachineResult

    Labels = tuple[tuple[str, ...], tuple[str, ...]]

NUMBERS_MAX = 24
"""Rows and columns up to which each field of a map shows its number; the pointer shows all."""
TREE_WIDTH = 100

NUCO_NOTE = (
    "Balancers see cores in domains, within which all are equally near to all others. The NUCO "
    "factor of two domains is the latency from the row's to the column's over that within the "
    "column's own."
)


def machine_html(machine: MachineResult) -> str:
    """A page that needs nothing else, script included (4 MB); opens without a network."""
    body = summary_html(machine)
    for matrix in machine.costs:
        texts = [cost_text(value, matrix) for value in matrix.values.flat]
        body += _map_of(title_of(matrix.name), (matrix.rows, matrix.columns), matrix.values, texts)
    domains = machine.domains
    if domains is not None and len(domains.labels) > 1:
        texts = [f"{value:.3g}" for value in domains.nuco.flat]
        both = (domains.labels, domains.labels)
        body += _map_of("NUCO factor between domains", both, domains.nuco, texts)
        body.append(note_html(NUCO_NOTE))
    return page_html(f"makespan machine: {machine.source}", body)


def summary_html(machine: MachineResult) -> list[str]:
    """What it consists of, and a table of what was measured."""
    names = ("measured", *COST_COLUMNS)
    rows = [(name, *texts) for name, texts in cost_rows(machine)]
    body = [
        f"<p>{html.escape(counts_text(machine))}.</p>",
        "<h2>Places</h2>",
        f"<pre>{html.escape(tree_text(machine, TREE_WIDTH))}</pre>",
        "<h2>Costs</h2>",
        table_html(names, rows) if rows else "<p>Nothing was measured: see --measure.</p>",
    ]
    if machine.sampling:
        body.append(note_html(f"Measured between {machine.sampling}."))
    return body


def _map_of(title: str, labels: Labels, values: NDArray[np.float64], texts: list[str]) -> list[str]:
    """`labels` are those of rows and of columns."""
    return [f"<h2>{html.escape(title)}</h2>", figure_html(_heat_map(labels, values, texts))]


def _heat_map(labels: Labels, values: NDArray[np.float64], texts: list[str]) -> go.Figure:
    import plotly.graph_objects as go

    height, width = values.shape
    shows_numbers = max(height, width) <= NUMBERS_MAX
    figure = go.Figure(
        go.Heatmap(
            z=[[None if np.isnan(value) else value for value in row] for row in values.tolist()],
            text=[texts[at : at + width] for at in range(0, len(texts), width)],
            x=[html.escape(label) for label in labels[1]],  # plotly reads some tags
            y=[html.escape(label) for label in labels[0]],
            texttemplate="%{text}" if shows_numbers else None,
            hovertemplate="%{y} to %{x}: %{text}<extra></extra>",
            colorscale="Viridis",
            showscale=False,
        )
    )
    figure.update_layout(
        template="plotly_white",
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        height=90 + 24 * max(3, height),
        width=min(1080, 220 + 90 * width),
        yaxis={"autorange": "reversed", "automargin": True, "type": "category"},
        xaxis={"automargin": True, "type": "category"},
    )
    return figure
