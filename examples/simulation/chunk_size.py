# SPDX-License-Identifier: Apache-2.0
"""Idle time and time of communication, by how many options a processor takes at a time.

    python chunk_size.py --picture chunk_size.svg

Figure 10 of "Heterogeneous CAF-based Load Balancing on Intel Xeon Phi", which scales both to 1: MT,
a Phi takes twice as many. What to notice: the two meet at two to four options (the figure: 2
to 3). In seconds there is little communication: near the end less than an option at a time would
be best, and that is what `equal_time` takes where options can be claimed in blocks.
"""

from __future__ import annotations

import phi_node
from picture import COLOURS, asked_picture, frames, save

import makespan

SIZES = range(1, 11)
BOOKS = (190, 195, 200, 205, 210)
"""Options; means over books, since what is idle at the end depends on what is left over."""


def times(size: int) -> tuple[float, float]:
    """Of all devices together, idle and claiming [s], the mean over books."""
    idle = claiming = 0.0
    for options in BOOKS:
        ran = makespan.simulate(
            phi_node.node(phi_node.mt(), latency_us=phi_node.SLOW_US),
            phi_node.book(options),
            dispatcher="counter",
            policy=phi_node.chunks_of(size * phi_node.OPTION_S),
        )
        idle += float(ran.makespan_s * ran.workers.height - ran.workers["running_s"].sum())
        idle -= float(ran.workers["claiming_s"].sum())
        claiming += float(ran.workers["claiming_s"].sum())
    return idle / len(BOOKS), claiming / len(BOOKS)


def main() -> None:
    """Simulate, and tell."""
    picture = asked_picture(__doc__)
    found = [times(size) for size in SIZES]
    idle, claiming = zip(*found, strict=True)
    print(f"{'options':>8} {'idle':>10} {'claiming':>10} {'both to 1':>16}")
    for size, one, other in zip(SIZES, idle, claiming, strict=True):
        scaled = f"{one / max(idle):8.2f}{other / max(claiming):8.2f}"
        print(f"{size:8} {one:8.3f} s {other:8.4f} s {scaled}")
    if picture is not None:
        figure, (axes,) = frames(1, 1, (6.0, 3.4))
        for name, values, colour in (
            ("idle", idle, COLOURS[2]),
            ("communication", claiming, COLOURS[0]),
        ):
            scaled_values = [value / max(values) for value in values]
            axes.plot(list(SIZES), scaled_values, color=colour, marker="o", label=name)
        axes.set(
            xlabel="options of a CPU at a time (a Phi takes twice as many)",
            ylabel="time over its largest",
            ylim=(0.0, 1.05),
        )
        axes.set_xticks(list(SIZES))
        axes.legend()
        save(figure, picture)


if __name__ == "__main__":
    main()
