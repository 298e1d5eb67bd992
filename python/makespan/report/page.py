# SPDX-License-Identifier: Apache-2.0
"""A page with plots that stands alone: no server, no network, script and style included (4 MB)."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import plotly.graph_objects as go

COLORS = {"run": "#3b6ea5", "claim": "#e0a030", "steal": "#c03050", "idle": "#d8d8d8"}
"""What a thread does, in every plot."""

LAYOUT = {
    "template": "plotly_white",
    "margin": {"l": 10, "r": 10, "t": 46, "b": 40},
    "legend": {"orientation": "h", "yref": "container", "y": 1.0, "yanchor": "top", "x": 0.0},
    "showlegend": True,
}
"""What every plot has: a legend above, and room for it."""

# The cloud is plotly's: the page offers no upload of its data.
_CONFIG = {"displaylogo": False, "showSendToCloud": False}

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; color: #222 }
h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 2em }
table { border-collapse: collapse } td, th { padding: .2em .9em .2em 0; text-align: right }
td:first-child, th:first-child { text-align: left } th { border-bottom: 1px solid #999 }
p.note { color: #666 }
"""


def page_html(title: str, body: Sequence[str]) -> str:
    """The page: `title` is text, `body` is HTML that may hold figures."""
    from plotly.offline import get_plotlyjs

    title = html.escape(title)
    head = f"<meta charset='utf-8'><title>{title}</title><style>{_STYLE}</style>"
    script = f"<script>{get_plotlyjs()}</script>"
    return (
        f"<!doctype html><html lang='en'><head>{head}{script}</head><body>"
        + "\n".join([f"<h1>{title}</h1>", *body])
        + "</body></html>\n"
    )


def figure_html(figure: go.Figure) -> str:
    """A plot for the body of a page, which brings the script."""
    text: str = figure.to_html(full_html=False, include_plotlyjs=False, config=_CONFIG)
    return text


def table_html(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table; names and cells are text."""
    lines = [f"<th>{html.escape(name)}</th>" for name in names]
    head = f"<tr>{''.join(lines)}</tr>"
    body = [
        "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    ]
    return f"<table>{head}{''.join(body)}</table>"


def note_html(text: str) -> str:
    """A paragraph that says how to read what is above it."""
    return f"<p class='note'>{html.escape(text)}</p>"
