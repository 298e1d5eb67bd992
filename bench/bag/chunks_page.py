# SPDX-License-Identifier: Apache-2.0
"""The sweep over items per claim as a page: losses and times against the size, and a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from makespan.report.page import COLORS, LAYOUT, figure_html, note_html, page_html, table_html

from bench.bag.chunks import DEFAULT, ChunkCase, Measured, Sweep, fixed_name
from bench.ratio import Spread, spread

if TYPE_CHECKING:
    import plotly.graph_objects as go

IDLE_COLOR = "#777777"
"""Darker than idle bars: a line must be seen."""

LOSS_NOTE = (
    "Shares of what both devices could have done until the last one ended, each one's seconds "
    "weighted by the speed that it has alone. Medians and quartiles."
)
TIME_NOTE = "The bound is all work over the sum of the speeds that the two have alone."


def sweep_html(case: ChunkCase, sweep: Sweep) -> str:
    """A page that stands alone."""
    return page_html(
        "makespan: items per claim",
        [
            "<h2>What is lost</h2>",
            figure_html(_losses(case, sweep)),
            note_html(LOSS_NOTE),
            "<h2>Time</h2>",
            figure_html(_times(case, sweep)),
            note_html(TIME_NOTE),
            "<h2>Figures</h2>",
            _table(sweep),
        ],
    )


def _losses(case: ChunkCase, sweep: Sweep) -> go.Figure:
    import plotly.graph_objects as go

    figure = go.Figure()
    curves: list[tuple[str, str, Callable[[Measured], Spread]]] = [
        ("idle", IDLE_COLOR, lambda one: one.idle_share),
        ("claims", COLORS["claim"], lambda one: one.claim_share),
    ]
    for name, color, figure_of in curves:
        _add_curve(figure, name, color, case, _spreads(case, sweep, figure_of))
        _add_level(figure, f"{name}, default", color, case, figure_of(sweep[DEFAULT]).median)
    figure.update_layout(
        LAYOUT,
        height=420,
        xaxis=_size_axis(),
        yaxis={
            "title": "share of what could be done",
            "type": "log",
            "dtick": 1,
            "tickformat": "~%",
        },
    )
    return figure


def _times(case: ChunkCase, sweep: Sweep) -> go.Figure:
    import plotly.graph_objects as go

    figure = go.Figure()
    color = COLORS["run"]
    _add_curve(figure, "fixed size", color, case, _spreads(case, sweep, _over_bound))
    _add_level(figure, "default", color, case, _over_bound(sweep[DEFAULT]).median)
    figure.update_layout(LAYOUT, height=360, xaxis=_size_axis(), yaxis={"title": "time / bound"})
    return figure


def _size_axis() -> dict[str, Any]:
    return {"title": "items per claim", "type": "log", "dtick": 1}


def _spreads(
    case: ChunkCase, sweep: Sweep, figure_of: Callable[[Measured], Spread]
) -> list[Spread]:
    return [figure_of(sweep[fixed_name(items)]) for items in case.chunk_items]


def _over_bound(one: Measured) -> Spread:
    """Time over bound, from bound over time."""
    share = one.bound_share
    return Spread(
        1.0 / share.median, 1.0 / share.upper_quartile, 1.0 / share.lower_quartile, share.count
    )


def _add_curve(
    figure: go.Figure, name: str, color: str, case: ChunkCase, spreads: Sequence[Spread]
) -> None:
    """Medians, with quartiles as bars."""
    figure.add_scatter(
        name=name,
        x=case.chunk_items,
        y=[one.median for one in spreads],
        error_y={
            "array": [one.upper_quartile - one.median for one in spreads],
            "arrayminus": [one.median - one.lower_quartile for one in spreads],
            "thickness": 1,
            "width": 3,
        },
        mode="lines+markers",
        line={"color": color},
    )


def _add_level(figure: go.Figure, name: str, color: str, case: ChunkCase, level: float) -> None:
    """A line across all sizes."""
    figure.add_scatter(
        name=name,
        x=[case.chunk_items[0], case.chunk_items[-1]],
        y=[level, level],
        mode="lines",
        line={"color": color, "dash": "dash"},
    )


def _table(sweep: Sweep) -> str:
    rows = [
        (
            name,
            f"{one.claims.median:.0f}",
            f"{100.0 * one.claim_share.median:.2g} %",
            f"{100.0 * one.idle_share.median:.2g} %",
            f"{spread(one.seconds).median:.3f}",
            f"{_over_bound(one).median:.3f}",
        )
        for name, one in sweep.items()
    ]
    names = ("items per claim", "claims", "claims' share", "idle share", "time [s]", "time / bound")
    return table_html(names, rows)
