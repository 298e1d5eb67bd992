# SPDX-License-Identifier: Apache-2.0
"""The end of a schedule by MO, MT and MTH on two processors and two Xeon Phi.

    python schedules.py --picture schedules.svg

Figures 6 to 8 of "Heterogeneous CAF-based Load Balancing on Intel Xeon Phi", and what comes when
threads claim blocks of options and take each other's tails.

What to notice: in MO a Phi's threads are in the middle of options when the processors have nothing
left to do; chunks of equal time end nearly together; blocks end together.
"""

from __future__ import annotations

from dataclasses import dataclass

import phi_node
import polars as pl
from matplotlib.axes import Axes
from picture import COLOURS, asked_picture, frames, save

import makespan

OPTIONS = 1000
DEVICES = ("CPU0", "CPU1", "MIC0", "MIC1")


@dataclass(frozen=True)
class Schedule:
    """One way to hand the options out, and how it went."""

    title: str
    ran: makespan.SimulatedBag
    shown_s: float = 6.0
    """How much of its end is drawn."""


def schedules() -> list[Schedule]:
    """MO, MT, MTH, and blocks."""
    whole, fine = phi_node.book(OPTIONS), phi_node.book(OPTIONS, phi_node.BLOCKS)
    kept = 200_000
    two_options = phi_node.chunks_of(2 * phi_node.OPTION_S)
    eight_options = phi_node.chunks_of(8 * phi_node.OPTION_S)
    return [
        Schedule(
            "MO: an option on each thread",
            makespan.simulate(
                phi_node.node(phi_node.mo()), whole, policy="self", dispatcher="counter", spans=kept
            ),
            26.0,
        ),
        Schedule(
            "MT: an option on all threads, 2 on a CPU while 4 on a Phi",
            makespan.simulate(
                phi_node.node(phi_node.mt()),
                whole,
                dispatcher="counter",
                policy=two_options,
                spans=kept,
            ),
        ),
        Schedule(
            "MTH: CPU1 has an option on each thread, ten to a chunk",
            makespan.simulate(
                phi_node.node(phi_node.mth()),
                whole,
                dispatcher="counter",
                policy=eight_options,
                spans=kept,
            ),
        ),
        Schedule(
            "blocks of options, and tails that are stolen",
            makespan.simulate(phi_node.node(phi_node.blocks()), fine, spans=10 * kept),
        ),
    ]


def draw(axes: Axes, one: Schedule) -> None:
    """The last seconds, a band for each device, in it a row for each thread that claims."""
    device = one.ran.workers["device"].to_numpy()
    begin_s = one.ran.makespan_s - one.shown_s
    runs = one.ran.spans.filter((pl.col("kind") == "run") & (pl.col("end_s") > begin_s))
    for number in range(len(DEVICES)):
        workers = [worker for worker, at in enumerate(device) if at == number]
        height = 0.8 / len(workers)
        for row, worker in enumerate(workers):
            spans = runs.filter(pl.col("worker") == worker)
            places = [
                (begin, end - begin)
                for begin, end in zip(spans["begin_s"], spans["end_s"], strict=True)
            ]
            axes.broken_barh(
                places,
                (number - 0.4 + row * height, height),
                facecolor=COLOURS[number],
                edgecolor="white",
                linewidth=1.0 if len(workers) == 1 else 0.0,
            )
            if len(workers) == 1:
                _label(axes, number, spans, one)
    axes.set(
        xlim=(begin_s, one.ran.makespan_s + 0.02 * one.shown_s),
        ylim=(-0.6, len(DEVICES) - 0.4),
        title=f"{one.title}: {one.ran.makespan_s:.2f} s",
    )
    axes.set_yticks(range(len(DEVICES)), DEVICES)


def _label(axes: Axes, row: int, spans: pl.DataFrame, one: Schedule) -> None:
    begin_s = one.ran.makespan_s - one.shown_s
    for begin, end, items in zip(spans["begin_s"], spans["end_s"], spans["items"], strict=True):
        middle = (max(begin, begin_s) + end) / 2
        if end - max(begin, begin_s) > one.shown_s / 20:
            axes.text(middle, row, f"{items} op", ha="center", va="center", color="white", size=7)


def main() -> None:
    """Simulate, and tell."""
    picture = asked_picture(__doc__)
    found = schedules()
    print(f"{OPTIONS} options on two processors and two Xeon Phi\n")
    print(f"{'way':58} {'time':>8} {'rate':>12} {'idle':>7}")
    for one in found:
        rate = phi_node.values_per_second(OPTIONS, one.ran)
        print(f"{one.title:58} {one.ran.makespan_s:6.2f} s {rate:.3g}/s {one.ran.idle:7.2%}")
    if picture is not None:
        figure, axes = frames(len(found), 1, (8.0, 8.6))
        for one, frame in zip(found, axes, strict=True):
            draw(frame, one)
        axes[-1].set_xlabel("seconds since the start")
        save(figure, picture)


if __name__ == "__main__":
    main()
