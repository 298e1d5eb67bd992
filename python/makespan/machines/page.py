# SPDX-License-Identifier: Apache-2.0
"""A machine as a page: what it consists of, and heat maps of what was measured."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from makespan.machines.table import (
    cost_rows,
    cost_text,
    counts_text,
    machine_tree,
    network_matrices,
    title_of,
)
from makespan.report.page import figure_html, note_html, page_html, table_html

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from makespan.machines.known_machine import KnownMachine

NUMBERS_MAX = 24
"""Rows and columns up to which each field of a map shows its number; the pointer shows all."""
TREE_WIDTH = 100

LATENCY_NOTE = (
    "The NUCO factor of a pair is its latency over that to the place's own memory, or, between "
    "cores and between images, over that to its nearest neighbour."
)


def machine_html(machine: KnownMachine) -> str:
    """A page that needs nothing else, script included (4 MB); opens without a network."""
    names = ("measured", "pairs", "least", "median", "greatest", "NUCO factor")
    rows = [(name, *texts) for name, texts in cost_rows(machine)]
    body = [
        f"<p>{html.escape(counts_text(machine))}.</p>",
        "<h2>Places</h2>",
        f"<pre>{html.escape(_tree_text(machine))}</pre>",
        "<h2>Costs</h2>",
        table_html(names, rows) if rows else "<p>Nothing was measured: see --measure.</p>",
    ]
    if machine.sampling:
        body.append(note_html(f"Measured between {machine.sampling}."))
    body += _maps(machine)
    return page_html(f"makespan machine: {machine.source}", body)


def _tree_text(machine: KnownMachine) -> str:
    import io

    from rich.console import Console

    console = Console(file=io.StringIO(), width=TREE_WIDTH, color_system=None)
    with console.capture() as capture:
        console.print(machine_tree(machine))
    return capture.get()


def _maps(machine: KnownMachine) -> list[str]:
    body = []
    for matrix in machine.matrices():
        rows = [machine.label(place) for place in matrix["from"]]
        columns = [machine.label(place) for place in matrix["to"]]
        body += _maps_of(matrix, rows, columns)
    if machine.network is not None:
        for matrix in network_matrices(machine):
            body += _maps_of(matrix, matrix["labels"], matrix["labels"])
    return body


def _maps_of(matrix: dict[str, Any], rows: list[str], columns: list[str]) -> list[str]:
    title = title_of(matrix["name"])
    texts = [cost_text(value, matrix) for value in matrix["values"]]
    body = [
        f"<h2>{html.escape(title)}</h2>",
        figure_html(_heat_map(matrix["values"], texts, rows, columns)),
    ]
    if matrix["nuco"]:
        factors = [f"{value:.3g}" if value else "-" for value in matrix["nuco"]]
        body += [
            f"<h2>{html.escape(title)}: NUCO factor</h2>",
            figure_html(_heat_map(matrix["nuco"], factors, rows, columns)),
            note_html(LATENCY_NOTE),
        ]
    return body


def _heat_map(
    values: list[float], texts: list[str], rows: list[str], columns: list[str]
) -> go.Figure:
    import plotly.graph_objects as go

    width = len(columns)
    starts = range(0, len(values), width)
    shows_numbers = max(len(rows), width) <= NUMBERS_MAX
    figure = go.Figure(
        go.Heatmap(
            z=[[value or None for value in values[s : s + width]] for s in starts],
            text=[texts[s : s + width] for s in starts],
            x=[html.escape(label) for label in columns],  # plotly reads some tags
            y=[html.escape(label) for label in rows],
            texttemplate="%{text}" if shows_numbers else None,
            hovertemplate="%{y} to %{x}: %{text}<extra></extra>",
            colorscale="Viridis",
            showscale=False,
        )
    )
    figure.update_layout(
        template="plotly_white",
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        height=90 + 24 * max(3, len(rows)),
        width=min(1080, 220 + 90 * width),
        yaxis={"autorange": "reversed", "automargin": True, "type": "category"},
        xaxis={"automargin": True, "type": "category"},
    )
    return figure
