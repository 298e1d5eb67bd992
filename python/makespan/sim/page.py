# SPDX-License-Identifier: Apache-2.0
"""Simulated ways to hand out a bag, as a page: how long each took, and who did what, when."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.number_text import count_text, time_text, time_unit
from makespan.report.joined_spans import BARS_MAX, first_of_joined, longest
from makespan.report.page import COLORS, LAYOUT, figure_html, note_html, page_html, table_html
from makespan.settings.perturbation import perturbation
from makespan.sim.machine import event_texts
from makespan.sim.outcome import SPANS_KEPT
from makespan.sim.table import COLUMNS, candidate_row, headline, last_lines
from makespan.sim.trace import DRAWN

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from makespan.sim.comparison import Candidate
    from makespan.sim.machine import Machine
    from makespan.sim.outcome import Simulation

WAYS_MAX = 40
"""Rows of a plot; of more, the best."""
ROWS_MAX = 64
"""Of a schedule; of more workers, some evenly chosen."""
_BAR = 24
_LOG_FROM = 10.0

WAYS_NOTE = "All work over what the devices could do is 1: but for noise, nothing can be shorter."
TIME_NOTE = (
    "Of all workers' time until the last item: running tasks, claiming them, and the rest, in "
    "which a worker waits for others to end, or has failed."
)
SCHEDULE_NOTE = (
    "A row for each worker. Claims are short: zoom in to see them; of many the longest are drawn."
)


def simulation_html(simulation: Simulation, schedules: Sequence[Candidate]) -> str:
    """A page that needs nothing else, script included (4 MB); opens without a network.

    `schedules` are those of the candidates that are drawn, with their spans.
    """
    machine, tasks = simulation.base.machine, simulation.base.tasks
    (candidates,) = simulation.found
    lines = [*headline(machine, tasks).splitlines(), *last_lines(simulation)]
    shown = [one for one in candidates if one.result["complete"]][:WAYS_MAX]
    body = [f"<p>{html.escape(line)}</p>" for line in lines]
    if shown:
        body += [
            "<h2>Makespan over the ideal</h2>",
            figure_html(_ratios(shown)),
            note_html(WAYS_NOTE + _left_out(candidates, shown)),
            "<h2>Time of the workers</h2>",
            figure_html(_times(shown)),
            note_html(TIME_NOTE),
        ]
    for one in schedules:
        body += [
            f"<h2>Schedule by {html.escape(one.way.text)}: "
            f"{time_text(one.result['makespan_s'])}</h2>",
            figure_html(_schedule(machine, one)),
            note_html(SCHEDULE_NOTE + _rows_left_out(one)),
        ]
    body += [
        "<h2>All ways</h2>",
        table_html(COLUMNS, [candidate_row(one) for one in candidates]),
    ]
    return page_html(f"makespan simulate: {machine.source}", body)


def _left_out(candidates: Sequence[Candidate], shown: Sequence[Candidate]) -> str:
    never = [one.way.text for one in candidates if not one.result["complete"]]
    more = len(candidates) - len(never) - len(shown)
    text = f" Never done: {'; '.join(never)}." if never else ""
    return text + (f" {more} that take longer are in the table alone." if more else "")


def _ratios(shown: Sequence[Candidate]) -> go.Figure:
    import plotly.graph_objects as go

    figure = go.Figure()
    for dispatcher in dict.fromkeys(one.dispatcher for one in shown):
        own = [one for one in shown if one.dispatcher == dispatcher]
        figure.add_bar(
            orientation="h",
            name=dispatcher,
            y=[one.way.text for one in own],
            x=[one.over_ideal for one in own],
            text=[f"{one.over_ideal:.3f}" for one in own],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.4f}<extra></extra>",
        )
    longest = shown[-1].over_ideal
    axis: dict[str, Any] = {"title": "makespan over the ideal", "range": [0.0, 1.12 * longest]}
    if longest > _LOG_FROM:
        axis |= {"type": "log", "range": [math.log10(0.9), math.log10(1.4 * longest)]}
    figure.add_vline(1.0, line={"dash": "dot", "width": 1.5})
    figure.update_layout(
        LAYOUT,
        height=150 + _BAR * len(shown),
        xaxis=axis,
        yaxis=_names_axis(shown),
    )
    return figure


def _times(shown: Sequence[Candidate]) -> go.Figure:
    import plotly.graph_objects as go

    names = [one.way.text for one in shown]
    parts = {"running": "running_s", "claiming": "claiming_s"}
    shares: dict[str, list[float]] = {}
    for name, column in parts.items():
        shares[name] = [_share(one, column) for one in shown]
    sums = zip(*shares.values(), strict=True)
    shares["waiting"] = [max(0.0, 100.0 - sum(both)) for both in sums]
    colours = {"running": COLORS["run"], "claiming": COLORS["claim"], "waiting": COLORS["idle"]}
    figure = go.Figure()
    for name, values in shares.items():
        figure.add_bar(
            orientation="h",
            name=name,
            y=names,
            x=values,
            marker={"color": colours[name]},
            hovertemplate="%{y}: " + name + " %{x:.2f} %<extra></extra>",
        )
    figure.update_layout(
        LAYOUT,
        barmode="stack",
        height=150 + _BAR * len(shown),
        xaxis={"title": "percent of all workers' time", "range": [0.0, 100.5]},
        legend_traceorder="normal",
        yaxis=_names_axis(shown),
    )
    return figure


def _share(one: Candidate, column: str) -> float:
    workers = one.result["workers"]
    time = one.result["makespan_s"] * len(workers)
    return 100.0 * sum(worker[column] for worker in workers) / time if time else 0.0


def _names_axis(shown: Sequence[Candidate]) -> dict[str, Any]:
    names = [one.way.text for one in shown]
    return {"autorange": "reversed", "categoryarray": names, "automargin": True, "dtick": 1}


# --- schedules


def _chosen(devices: Sequence[int]) -> list[int]:
    """Rows of a schedule: of each device its first worker, and others, evenly, while there is room.

    `devices` are those of the workers.
    """
    first = [at for at, device in enumerate(devices) if at == 0 or device != devices[at - 1]]
    taken = set(first)
    others = [at for at in range(len(devices)) if at not in taken]
    chosen = _evenly(first, ROWS_MAX)
    return sorted([*chosen, *_evenly(others, ROWS_MAX - len(chosen))])


def _evenly(numbers: Sequence[int], count_max: int) -> list[int]:
    count = min(len(numbers), count_max)
    return [numbers[at * len(numbers) // count] for at in range(count)]


def _rows_left_out(one: Candidate) -> str:
    workers = len(one.result["workers"])
    text = f" {ROWS_MAX} of {workers} workers are shown." if workers > ROWS_MAX else ""
    if len(one.result["spans"]) >= SPANS_KEPT:
        text += f" Only the first {SPANS_KEPT} spans were kept."
    return text


def _schedule(machine: Machine, one: Candidate) -> go.Figure:
    import plotly.graph_objects as go

    workers = one.result["workers"]
    kinds = machine.kinds
    chosen = _chosen([worker["device"] for worker in workers])
    names = [f"{at} {kinds[workers[at]['device']]}" for at in chosen]
    row_of = {worker: row for row, worker in enumerate(chosen)}
    end_s = float(one.result["makespan_s"]) or 1e-9
    unit_s, unit = time_unit(end_s)
    figure = go.Figure()
    for kind in DRAWN:
        spans = [span for span in one.result["spans"] if span[1] == kind and span[0] in row_of]
        if not spans:
            continue
        row = np.array([row_of[span[0]] for span in spans])
        begin = np.array([span[2] for span in spans]) / unit_s
        end = np.array([span[3] for span in spans]) / unit_s
        items = np.array([span[4] for span in spans])
        order = np.lexsort((begin, row))
        row, begin, end, items = row[order], begin[order], end[order], items[order]
        bars_max = BARS_MAX // len(DRAWN)
        if kind == "run":
            first = first_of_joined(row, begin, end, bars_max)
        else:
            kept = longest(begin, end, bars_max)
            row, begin, end, items = row[kept], begin[kept], end[kept], items[kept]
            first = np.arange(len(begin))
        last = np.append(first[1:], len(begin)) - 1
        counts = np.add.reduceat(items, first)
        figure.add_bar(
            orientation="h",
            name=kind,
            y=[names[at] for at in row[first]],
            base=begin[first],
            x=end[last] - begin[first],
            marker={"color": COLORS[kind], "line": {"width": 0.3, "color": "white"}},
            customdata=[f"{kind}: {count_text(int(count), 'item')}" for count in counts],
            hovertemplate="%{customdata}<br>%{base:.6g} + %{x:.6g} " + unit + "<extra></extra>",
        )
    for at_s, words in _events(machine):
        if at_s <= end_s:
            figure.add_vline(
                at_s / unit_s,
                line={"width": 1, "dash": "dash", "color": "#444"},
                annotation={"text": html.escape(words), "font": {"size": 11}, "yshift": 14},
            )
    figure.update_layout(
        {**LAYOUT, "margin": {"l": 10, "r": 10, "t": 76, "b": 40}},
        barmode="overlay",
        height=190 + (18 if len(names) > 12 else 34) * len(names),
        xaxis={"title": f"{unit} since the start", "range": [0.0, 1.01 * end_s / unit_s]},
        yaxis={"autorange": "reversed", "categoryarray": names, "automargin": True, "dtick": 1},
    )
    return figure


def _events(machine: Machine) -> list[tuple[float, str]]:
    """When what happens to which device or image, in words."""
    kinds = machine.kinds
    events = []
    for text in event_texts(machine):
        one = perturbation(text)
        device = f"device {one.where} ({kinds[int(one.where)]})" if one.kind != "kill" else ""
        words = {
            "slow": f"{device} takes {one.value:g} times as long",
            "fail": f"{device} fails",
            "kill": f"image {one.where} ends",
        }
        events.append((one.when, words[one.kind]))
    return events
