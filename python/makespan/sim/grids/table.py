# SPDX-License-Identifier: Apache-2.0
"""What simulated grids come to, as text."""

from __future__ import annotations

import html
import io
from collections import Counter
from typing import TYPE_CHECKING

from makespan.base.number_text import count_text, time_text, traffic_text
from makespan.grids.host_layers import FREE
from makespan.report.uncut_width import uncut_width
from makespan.sim.grids.document import host_thickness
from makespan.sim.grids.outcome import PHASES

if TYPE_CHECKING:
    from makespan.sim.grids.outcome import GridCandidate, GridSimulation, SimulatedGrid

DEVICES_SHOWN_MAX = 24
"""More are shown by kind, each the mean."""
DEVICE_COLUMNS = ("device", "planes", "boundary", "interior", "send", "wait", "unpack")
SWEEP_COLUMNS = ("devices", "step", "efficiency", "hidden", "rebalances", "between nodes")
_GAP = 2


def grid_text(simulation: GridSimulation, *, width: int) -> str:
    """What was simulated, and a table: of devices, or of a sweep's values."""
    first = simulation.candidates[0]
    lines = [headline(first), ""]
    if simulation.sweep is None:
        lines += [_text(DEVICE_COLUMNS, device_rows(first), width), summary(first)]
    else:
        names = (simulation.sweep.name, *SWEEP_COLUMNS)
        rows = [(f"{value:g}", *case_row(one)) for value, one in simulation.rows]
        lines += [_text(names, rows, width)]
    return "\n".join(lines).rstrip("\n") + "\n"


def headline(one: GridCandidate) -> str:
    """What was simulated."""
    job = one.case.job
    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(one.case.kinds).items())
    points = " x ".join(map(str, job["points"]))
    ways = [f"schedule {job['schedule']}", f"route {job['route']}"]
    thickness = host_thickness(job)
    if thickness == FREE:
        ways.append(f"host {job['host']}, free thickness")
    elif thickness:
        ways.append(f"host {job['host']}, {' x '.join(map(str, thickness))} points thick")
    elif job["host"] != "device":
        ways.append(f"host {job['host']}")
    if job["steps_at_once"] > 1:
        ways.append(f"{job['steps_at_once']} steps at once")
    return (
        f"{one.case.source}: {kinds} in {count_text(len(job['images']), 'process', 'processes')}\n"
        f"{points} points, {count_text(job['steps'], 'step')}, {', '.join(ways)}"
    )


def device_rows(one: GridCandidate) -> list[tuple[str, ...]]:
    """Texts of `DEVICE_COLUMNS`, of a step; of many devices a row for each kind."""
    steps = one.case.job["steps"]
    uses = list(zip(one.case.kinds, one.result["devices"], strict=True))
    if len(uses) <= DEVICES_SHOWN_MAX:
        groups = [(f"{kind} {use['image']}.{use['device']}", [use]) for kind, use in uses]
    else:
        kinds = dict.fromkeys(kind for kind, _ in uses)
        groups = [
            (
                f"{kind}, mean of {sum(own == kind for own, _ in uses)}",
                [use for own, use in uses if own == kind],
            )
            for kind in kinds
        ]
    return [
        (
            name,
            f"{sum(use['planes'] for use in group) / len(group):.4g}",
            *(time_text(sum(use[phase] for use in group) / len(group) / steps) for phase in PHASES),
        )
        for name, group in groups
    ]


def case_row(one: GridCandidate) -> tuple[str, ...]:
    """Texts of `SWEEP_COLUMNS`."""
    result = one.result
    return (
        str(len(result["devices"])),
        time_text(result["step_s"]),
        f"{one.efficiency:.4f}",
        "" if one.hidden is None else f"{one.hidden:.3f}",
        str(result["rebalances"]),
        traffic_text(result["network_bytes"]),
    )


def summary(one: GridCandidate) -> str:
    """A step, and how good that is."""
    result = one.result
    lines = [
        f"a step takes {time_text(result['step_s'])}; all {time_text(result['time_s'])}, "
        f"{one.efficiency:.4f} of what the devices could do together"
    ]
    if one.hidden is not None and one.unhidden is not None:
        lines.append(
            f"without overlap {time_text(one.unhidden['step_s'])}: overlap hides {one.hidden:.3f} "
            "of what it could"
        )
    lines.append(
        f"an exchange is {count_text(result['messages'], 'message')}, "
        f"{traffic_text(result['bytes'])}, {traffic_text(result['network_bytes'])} between nodes"
    )
    if result["looks"]:
        moved = count_text(result["planes_moved"], "plane")
        lines.append(
            f"{count_text(result['looks'], 'look')}: {moved} moved in "
            f"{count_text(result['rebalances'], 'time')}, which took "
            f"{time_text(result['moving_s'])}"
        )
    return "\n".join(lines)


def result_html(grid: SimulatedGrid) -> str:
    """A result as notebooks show it: the table of cases, and a step of the first one."""
    shown = grid.table._repr_html_() if hasattr(grid.table, "_repr_html_") else ""
    said = (
        f"{count_text(len(grid.device_uses), 'device')}: a step takes {time_text(grid.step_s)}, "
        f"{grid.efficiency:.4f} of what they could do together"
    )
    return f"{shown}<p>{html.escape(said)}</p>"


def _text(names: tuple[str, ...], rows: list[tuple[str, ...]], width: int) -> str:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for name in names:
        table.add_column(name, justify="left" if name == "device" else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, row))
    file = io.StringIO()
    wide = uncut_width(table, width)
    Console(file=file, width=wide, highlight=False, force_terminal=False).print(table)
    return file.getvalue()
