# SPDX-License-Identifier: Apache-2.0
"""Tables I to V of "Communication-hiding programming for clusters with multi-coprocessor nodes".

    python coprocessors.py --picture coprocessors.png

prints the totals that X. Dong, M. Wen, J. Chai, X. Cai, M. Zhao and C. Zhang measured on Tianhe-2
(Concurrency and Computation 27, 2015, https://doi.org/10.1002/cpe.3507) beside those of grids in
virtual time, in seconds for 1000 steps. Their numbers that go in are named where they stand; what
is assumed: docs/explanation/experiments.md.

A coprocessor has 112 x 142 x 400 points (x, y, z here; their mesh is 112 x 1200 x 142 with the
coprocessors of a node along its second axis), of five fields.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from picture import COLOURS, asked_picture, frames, save

import makespan

STEPS = 40
"""Simulated; a step of the last half of them, times 1000, is a total."""
X, Y, Z = 112, 142, 400
FIELDS = 5
FACE_BYTES = X * Y * FIELDS * 8
"""Of a halo between two coprocessors of a node."""

# Table I: all 1200 planes on one coprocessor, 1000 steps.
COI_SCIF_S, PRAGMA_S = 26.66, 30.12
PHI_SPEED = X * Y * 3 * Z / (COI_SCIF_S / 1000)
START_US = (PRAGMA_S - COI_SCIF_S) / 1000 * 1e6
"""Of a step that is offloaded by a pragma."""

# Table II, two coprocessors: what packing and unpacking, and transfers, take of a step [ms].
PACK_MS = 0.40
TRANSFER_MS = {"pragma": 1.27, "COI-SCIF*": 1.26, "MPI-OpenMP": 0.98, "COI-SCIF": 0.80}
PACK_GB = 2 * FACE_BYTES / (PACK_MS * 1e-3) / 1e9
HOST_PACK_GB = 10.0
"""Assumed: a fifth of what the memory of one of its processors moves; they do not say."""
PCIE_GB = 6.0
"""Of a card's link in each direction: 16 lanes of PCIe 2.0 (section 5.1), less its protocol."""

# Table IV: the host's time for its layers grows by so much for each plane of both [ms].
HOST_PLANE_MS = (13.92 - 1.06) / (24 - 2) / 2
# Table III: the host's time for all boundaries [ms].
ALL_BOUNDARIES_MS = 14.7 + 1.06
# Table V: an exchange between nodes [ms].
NETWORK_MS = 5.82
NODES_ALONG = (4, 1, 4)
"""Sixteen nodes, beside each other across x and behind each other along z."""

PUBLISHED = {
    "I": {"pragma": 30.12, "COI-SCIF": 26.66},
    "II, 2 coprocessors": {
        "pragma": 19.34,
        "COI-SCIF*": 15.08,
        "MPI-OpenMP": 14.91,
        "COI-SCIF": 14.62,
    },
    "II, 3 coprocessors": {
        "pragma": 12.63,
        "COI-SCIF*": 10.22,
        "MPI-OpenMP": 9.82,
        "COI-SCIF": 9.43,
    },
    "III": {"none": 16.0, "all": 25.0, "front-back": 16.0},
    "IV": {2: 16.65, 16: 16.90, 18: 16.46, 20: 16.51, 22: 16.49, 24: 17.61},
    "V": {"pragma": 21.02, "MPI-OpenMP": 19.62, "hybrid": 16.54},
}
"""Totals [s], by table and variant; of table IV by planes of a layer."""

Tables = dict[str, dict[str, Any]]


def phi(variant: str) -> dict[str, Any]:
    """A coprocessor as one of the programs of table II uses it."""
    hops = 1 if variant in ("MPI-OpenMP", "COI-SCIF") else 2
    message_gb = FACE_BYTES / (TRANSFER_MS[variant] / hops * 1e-3) / 1e9
    kind = {
        "points_per_s": PHI_SPEED,
        "pack_gb": PACK_GB,
        "memory": "own",
        "to_host_gb": PCIE_GB,
        "to_device_gb": PCIE_GB,
        "link_message_gb": message_gb,
        "link_latency_us": 0.0,  # transfers were measured as a whole
        "start_us": START_US if variant == "pragma" else 0.0,
    }
    return {**kind, "peer_gb": message_gb} if hops == 1 else kind


def ways(variant: str) -> dict[str, Any]:
    """How a program exchanges halos: only COI-SCIF does so while it computes."""
    return {
        "schedule": "overlap" if variant == "COI-SCIF" else "none",
        "route": "direct" if variant in ("MPI-OpenMP", "COI-SCIF") else "relayed",
    }


def one_node(variant: str, coprocessors: int) -> dict[str, Any]:
    """The description of tables I and II: coprocessors alone share 1200 planes."""
    return {
        "grid": {"points": [X, Y, 3 * Z], "fields": FIELDS, "steps": STEPS, **ways(variant)},
        "kind": {"phi": phi(variant)},
        "node": [{"devices": [f"{coprocessors} phi"]}],
    }


def sixteen_nodes(variant: str, share: str, thickness: int, host_ms: float) -> dict[str, Any]:
    """The description of tables III to V: a host and three coprocessors on each node.

    Each coprocessor keeps its points: the grid grows with the host's layers, which take it
    `host_ms` in all.
    """
    layers = {"none": 0, "front-back": 2, "all": 6}[share]
    sides = 2 * thickness if share == "all" else 0
    part = [X + sides, Y + sides, 3 * Z + layers * thickness]
    of_host = math.prod(part) - 3 * X * Y * Z
    x, y, z = NODES_ALONG
    node_bytes = 2 * (Z * 3 * Y + X * Y) * FIELDS * 8
    return {
        "grid": {
            "points": [count * points for count, points in zip(NODES_ALONG, part, strict=True)],
            "boxes_along": [x, y, z],
            "fields": FIELDS,
            "steps": STEPS,
            "host": share,
            **({"host_thickness": thickness} if layers else {}),
            **ways(variant),
        },
        "kind": {
            "host": {
                "points_per_s": of_host / (host_ms * 1e-3) if of_host else PHI_SPEED,
                "pack_gb": HOST_PACK_GB,
            },
            "phi": phi(variant),
        },
        "node": [{"count": x * y * z, "devices": ["host", "3 phi"]}],
        "network": {"bandwidth_gb": node_bytes / (NETWORK_MS * 1e-3) / 1e9, "latency_us": 10.0},
    }


def front_and_back(variant: str, thickness: int) -> dict[str, Any]:
    """The same with layers of so many planes at both ends of a node's part."""
    return sixteen_nodes(variant, "front-back", thickness, 2 * thickness * HOST_PLANE_MS)


def total_s(description: Mapping[str, Any]) -> float:
    """Of 1000 steps."""
    ran = makespan.simulate_grid(description)
    return 1000 * ran.step_s


def tables() -> dict[str, dict[Any, float]]:
    """The totals of all tables, simulated, as `PUBLISHED` has those that were measured."""
    found: dict[str, dict[Any, float]] = {
        "I": {one: total_s(one_node(one, 1)) for one in ("pragma", "COI-SCIF")}
    }
    for count in (2, 3):
        name = f"II, {count} coprocessors"
        found[name] = {one: total_s(one_node(one, count)) for one in PUBLISHED[name]}
    found["III"] = {
        "none": total_s(sixteen_nodes("COI-SCIF", "none", 0, 0.0)),
        "all": total_s(sixteen_nodes("COI-SCIF", "all", 1, ALL_BOUNDARIES_MS)),
        "front-back": total_s(front_and_back("COI-SCIF", 1)),
    }
    found["IV"] = {
        thickness: total_s(front_and_back("COI-SCIF", int(thickness)))
        for thickness in PUBLISHED["IV"]
    }
    programs = {"pragma": "pragma", "MPI-OpenMP": "MPI-OpenMP", "hybrid": "COI-SCIF"}
    found["V"] = {name: total_s(front_and_back(variant, 22)) for name, variant in programs.items()}
    return found


def draw(path: Path, found: Mapping[str, Mapping[Any, float]]) -> None:
    """A frame for each table, published beside simulated."""
    figure, axes = frames(2, 3, (9.0, 5.0))
    for frame, (table, rows) in zip(axes, found.items(), strict=True):
        for at, (name, totals) in enumerate((("published", PUBLISHED[table]), ("simulated", rows))):
            places = [number + 0.4 * at - 0.2 for number in range(len(totals))]
            frame.bar(places, list(totals.values()), 0.38, color=COLOURS[4 * (1 - at)], label=name)
        frame.set_xticks(range(len(rows)), [str(one) for one in rows], fontsize=7)
        frame.set_title(f"table {table} [s]")
        frame.set_ylim(0, 1.25 * max(PUBLISHED[table].values()))
    axes[0].legend(fontsize=7, loc="upper right")
    save(figure, path)


def main() -> None:
    """Print all tables, and draw the picture if one was asked for."""
    picture = asked_picture(__doc__)
    found = tables()
    print(f"{'table':20} {'variant':12} {'published':>10} {'simulated':>10}")
    for table, rows in found.items():
        for variant, value in rows.items():
            published = PUBLISHED[table][variant]
            print(f"{table:20} {variant!s:12} {published:10.2f} {value:10.2f}")
    if picture is not None:
        draw(picture, found)


if __name__ == "__main__":
    main()
