# SPDX-License-Identifier: Apache-2.0
"""The schedule of a run as a page: bars by thread, idle time, speeds, ideal against achieved."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.number_text import count_text
from makespan.pricing.timeline import Timeline
from makespan.report.joined_spans import BARS_MAX, first_of_joined, longest
from makespan.report.page import COLORS, LAYOUT, figure_html, note_html, page_html, table_html
from makespan.report.result_hash import shown_hash

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from numpy.typing import NDArray

SPEED_POINTS = 60
"""Of the curve of each device's speed."""

BARS_NOTE = "Where a row has no bar, its thread waited. Claims are short: zoom in to see them."
SPEED_NOTE = (
    "A block is some paths of one option, the least that is claimed; more fixings take longer."
)


def schedule_html(timeline: Timeline, record: Mapping[str, Any]) -> str:
    """A page that needs nothing else, script included (4 MB); opens without a network."""
    title = f"makespan: {record.get('book') or 'a book'}"
    if not timeline.devices:
        return page_html(title, ["<p>All prices were in the journal: nothing was left to do.</p>"])
    return page_html(
        title,
        [
            _summary(record),
            "<h2>Schedule</h2>",
            figure_html(_schedule(timeline)),
            note_html(BARS_NOTE),
            "<h2>Devices</h2>",
            _devices(record),
            "<h2>Speed over time</h2>",
            figure_html(_speeds(timeline)),
            note_html(SPEED_NOTE),
        ],
    )


def _summary(record: Mapping[str, Any]) -> str:
    engine = record["engine"]
    achieved, ideal = record["makespan_s"], record["ideal_s"]
    share = f"{ideal / achieved:.1%}" if achieved else "-"
    return (
        f"<p>{count_text(record['options']['total'], 'option')} in {record['wall_s']:.3g} s on "
        f"{count_text(engine['threads'], 'thread')} of "
        f"{count_text(len(engine['devices']), 'device')}. The devices worked for "
        f"<b>{achieved:.4g} s</b>; all work over all their speeds is <b>{ideal:.4g} s</b>, which "
        f"is {share} of that. {count_text(engine['claims'], 'claim')}, "
        f"{count_text(engine['steals'], 'steal')} of tails. "
        f"Result hash {shown_hash(record['result_hash'])}.</p>"
    )


def _devices(record: Mapping[str, Any]) -> str:
    achieved = record["makespan_s"] or 1.0
    rows = []
    for device in record["engine"]["devices"]:
        speed = device["work"] / device["busy_s"] * device["threads"] if device["busy_s"] else 0.0
        busy = device["busy_s"] / (achieved * device["threads"])
        rows.append(
            (
                device["name"] + (" (failed)" if device["failed"] else ""),
                device["isa"],
                device["mode"],
                device["threads"],
                f"{busy:.1%}",
                f"{device['work']:.4g}",
                f"{speed:.4g}",
                "yes" if device["remembered"] else "no",
            )
        )
    names = ("device", "isa", "mode", "threads", "busy", "work [path-steps]")
    return table_html((*names, "speed [path-steps/s]", "known before"), rows)


def _schedule(timeline: Timeline) -> go.Figure:
    import plotly.graph_objects as go

    names = timeline.thread_names()
    figure = go.Figure()
    for kind in timeline.kinds:
        if not timeline.of_kind(kind).any():
            continue
        chosen = _joined(timeline, kind, BARS_MAX // len(timeline.kinds))
        figure.add_bar(
            orientation="h",
            name=kind,
            y=[names[thread] for thread in chosen.thread],
            base=chosen.begin,
            x=chosen.end - chosen.begin,
            marker={"color": COLORS[kind], "line": {"width": 0.3, "color": "white"}},
            customdata=chosen.text,
            hovertemplate="%{customdata}<br>%{base:.6f} s + %{x:.6f} s<extra></extra>",
        )
    figure.update_layout(
        LAYOUT,
        barmode="overlay",
        height=160 + 34 * len(names),
        xaxis=_time_axis(timeline),
        yaxis={"autorange": "reversed", "categoryarray": names, "automargin": True},
    )
    return figure


class _Bars:
    """Spans of one kind, so few that they can be drawn."""

    def __init__(
        self,
        thread: NDArray[np.int32],
        begin: NDArray[np.float64],
        end: NDArray[np.float64],
        text: list[str],
    ) -> None:
        self.thread = thread
        self.begin = begin
        self.end = end
        self.text = text


def _joined(timeline: Timeline, kind: str, bars_max: int) -> _Bars:
    """Runs less than a pixel apart are one bar where there are too many; of others the longest."""
    spans = np.flatnonzero(timeline.of_kind(kind))
    spans = spans[np.lexsort((timeline.begin[spans], timeline.thread[spans]))]
    thread, begin, end = timeline.thread[spans], timeline.begin[spans], timeline.end[spans]
    row, items = timeline.row[spans], timeline.items[spans]
    if kind == "run":
        first = first_of_joined(thread, begin, end, bars_max)
    else:
        kept = longest(begin, end, bars_max)
        thread, begin, end = thread[kept], begin[kept], end[kept]
        row, items = row[kept], items[kept]
        first = np.arange(len(begin))
    last = np.append(first[1:], len(begin)) - 1
    text = [
        f"{kind} {timeline.ids[row[a]] if kind == 'run' else ''} ({items[a : b + 1].sum()} items)"
        if a == b
        else f"{b - a + 1} spans of {kind}"
        for a, b in zip(first.tolist(), last.tolist(), strict=True)
    ]
    return _Bars(thread[first], begin[first], end[last], [html.escape(one) for one in text])


def _speeds(timeline: Timeline) -> go.Figure:
    """Items that each device finished per second, in equal parts of the run."""
    import plotly.graph_objects as go

    figure = go.Figure()
    mask = timeline.of_kind("run")
    edges = np.linspace(0.0, _end_s(timeline), SPEED_POINTS + 1)
    for number, device in enumerate(timeline.devices):
        mine = mask & (timeline.thread >= device.first)
        mine &= timeline.thread < device.first + device.count
        rate = items_per_second(timeline, mine, edges)
        middle = 0.5 * (edges[1:] + edges[:-1])
        figure.add_scatter(x=middle, y=rate, name=f"{number}: {device.name}", mode="lines")
    figure.update_layout(
        LAYOUT,
        height=320,
        xaxis=_time_axis(timeline),
        yaxis={"title": "blocks per second", "rangemode": "tozero"},
    )
    return figure


def items_per_second(
    timeline: Timeline, mask: NDArray[np.bool_], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Items per second between edges, each span's spread evenly over its time."""
    begin, items = timeline.begin[mask], timeline.items[mask]
    length = np.maximum(timeline.end[mask] - begin, 1e-9)
    at_edges = [float((items * ((edge - begin) / length).clip(0.0, 1.0)).sum()) for edge in edges]
    return np.diff(at_edges) / np.diff(edges)


def _end_s(timeline: Timeline) -> float:
    """When the last span ended."""
    return float(timeline.end.max(initial=1e-9))


def _time_axis(timeline: Timeline) -> dict[str, Any]:
    """The same in every plot, so that they can be compared."""
    return {"title": "seconds since the start", "range": [0.0, _end_s(timeline)]}
