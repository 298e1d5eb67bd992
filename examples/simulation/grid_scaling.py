# SPDX-License-Identifier: Apache-2.0
"""A grid on 16 to 1024 nodes of three coprocessors: strong and weak scaling, in virtual time.

    python grid_scaling.py --picture grid_scaling.png

The node is that of coprocessors.py; the grid is cut into boxes by `makespan`'s own cut. Strong:
1024 points along each axis. Weak: as many points for each node as that node's coprocessors have
there. Efficiency is what all devices could do together over what was done.

What to notice: weak scaling follows the shape of a node's box, which is a cube on 64 nodes and
twice as long as wide on 16 and 1024, and not the number of nodes: 1024 are as good as 16. Strong
scaling ends where a box's surface takes longer than its points.
"""

from __future__ import annotations

from typing import Any

from coprocessors import FIELDS, NETWORK_MS, X, Y, Z, phi
from picture import COLOURS, asked_picture, frames, save

import makespan

STEPS = 16
NODES = (16, 64, 256, 1024)
STRONG = 1024
NODE_POINTS = 3 * X * Y * Z
NODE_BYTES = 2 * (Z * 3 * Y + X * Y) * FIELDS * 8
"""That coprocessors.py has a node send in NETWORK_MS."""
WAYS: dict[str, dict[str, Any]] = {
    "without overlap": {"schedule": "none"},
    "overlap": {"schedule": "overlap"},
    "overlap, two steps at once": {"schedule": "overlap", "steps_at_once": 2},
}


def description(nodes: int, extent: int, way: dict[str, Any]) -> dict[str, Any]:
    """A cube of so many points along each axis on so many nodes."""
    return {
        "grid": {
            "points": [extent] * 3,
            "boundary": "periodic",
            "fields": FIELDS,
            "steps": STEPS,
            "cut": "boxes",
            **way,
        },
        "kind": {"phi": phi("COI-SCIF")},
        "node": [{"count": nodes, "devices": ["3 phi"]}],
        "network": {"bandwidth_gb": NODE_BYTES / (NETWORK_MS * 1e-3) / 1e9, "latency_us": 10.0},
    }


def extent_of(nodes: int, kind: str) -> int:
    """Points along each axis."""
    return STRONG if kind == "strong" else round((nodes * NODE_POINTS) ** (1 / 3))


def efficiencies(kind: str, way: str) -> dict[int, tuple[float, float]]:
    """By nodes: seconds of a step, and the part of what all devices could do together."""
    found = {}
    for nodes in NODES:
        extent = extent_of(nodes, kind)
        ran = makespan.simulate_grid(description(nodes, extent, WAYS[way]))
        found[nodes] = (ran.step_s, ran.ideal_s / STEPS / ran.step_s)
    return found


def main() -> None:
    """Print the table, and draw the picture if one was asked for."""
    path = asked_picture(__doc__)
    figure, axes = frames(1, 2, (8, 3))
    for kind, frame in zip(("strong", "weak"), axes, strict=True):
        for way, colour in zip(WAYS, COLOURS, strict=False):
            found = efficiencies(kind, way)
            for nodes, (step_s, part) in found.items():
                print(f"{kind:7} {way:27} {nodes:5} nodes {1e3 * step_s:9.3f} ms {part:7.3f}")
            parts = [part for _, part in found.values()]
            frame.plot(list(found), parts, marker="o", color=colour, label=way)
        frame.set_xscale("log", base=2)
        frame.set_xticks(NODES, [str(nodes) for nodes in NODES])
        frame.set_ylim(0, 1.05)
        frame.set(title=f"{kind} scaling, simulated", xlabel="nodes", ylabel="efficiency")
    axes[1].legend(loc="upper right", fontsize=8)
    if path is not None:
        save(figure, path)


if __name__ == "__main__":
    main()
