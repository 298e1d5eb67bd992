# SPDX-License-Identifier: Apache-2.0
"""Balancers on two NUMA machines and a cluster, over sixty phases.

    python three_machines.py --picture three_machines.png

The machines and programs of Pilla et al., "A hierarchical approach for load balancing on parallel
multi-core systems" (ICPP 2012), modelled: NUMA32 (4 packages of 8 cores), NUMA48 (8 dies of 6),
20xNUMA4 (20 nodes of 2 x 2 cores on a gigabit network); kNeighbor, stencil4d, LeanMD, balanced
every ten phases. The latencies between the dies of NUMA48 are those that Pilla's slides print;
other latencies and times of a unit of work are ours.

What to notice: a balancer that sees loads and no distances can make it worse than before, where
objects talk much (kNeighbor) or the network is slow; `makespan`, which weighs both, gains
everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from picture import COLOURS, asked_picture, frames, save

import makespan

PHASES = 60
EVERY = 10
BALANCERS = ("makespan", "nuco", "nucolb", "greedy_comm", "hw_topo")
LINES, LINE_S, LOCAL_BYTES_S = 20, 90e-9, 5e9
"""A message is some twenty cache lines; of one from memory nearby."""

NUMA48_NS = np.array(
    [
        [57.67, 121.8, 126.9, 167.4, 126.7, 166.3, 125.8, 165.2],
        [122.4, 57.22, 126.7, 166.8, 167.6, 126.6, 166.2, 124.3],
        [127.0, 125.9, 57.86, 121.8, 125.2, 124.3, 127.1, 166.0],
        [167.6, 165.5, 121.6, 57.05, 126.0, 124.9, 167.5, 125.6],
        [126.4, 165.5, 124.9, 125.3, 57.46, 121.3, 126.3, 126.1],
        [167.6, 126.2, 124.7, 125.1, 122.2, 57.18, 167.2, 166.0],
        [125.6, 165.4, 127.0, 165.6, 126.4, 165.9, 58.40, 121.7],
        [165.4, 124.3, 168.5, 126.2, 127.2, 168.0, 122.6, 57.17],
    ]
)
"""Latency matrix for NUMA nodes (L. L. Pilla, Load balancing for parallel multi-core machines with
non-uniform communication costs, slides of 2012): by row the die that reads."""

Columns = dict[str, Any]
Matrix = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Machine:
    """Places, and how many there are."""

    name: str
    places: Columns

    @property
    def count(self) -> int:
        """Of places."""
        return len(self.places["speed"])


def numa(name: str, cores: int, line_s: Matrix) -> Machine:
    """Domains of equal cores on one node, by what a cache line takes from one to another."""
    domains = len(line_s)
    return Machine(
        name,
        {
            "speed": np.ones(domains * cores),
            "domain": np.repeat(np.arange(domains), cores),
            "node": np.zeros(domains, dtype=int),
            "latency_s": LINES * line_s,
            "bandwidth_bytes_s": LOCAL_BYTES_S * np.diag(line_s) / line_s,
        },
    )


def machines() -> list[Machine]:
    """The three."""
    package = np.arange(4)
    is_opposite = package[:, None] ^ package[None, :] == 3
    xeons = LINE_S * np.where(np.eye(4, dtype=bool), 1.0, np.where(is_opposite, 1.49, 1.36))
    opterons = 1e-9 * NUMA48_NS.T  # who receives reads

    domain = np.arange(40)
    is_far = domain[:, None] // 2 != domain[None, :] // 2
    near = np.where(np.eye(40, dtype=bool), 1.0, 1.5)
    cluster = Machine(
        "20xNUMA4",
        {
            "speed": np.ones(80),
            "domain": np.repeat(domain, 2),
            "node": domain // 2,
            "latency_s": np.where(is_far, 50e-6, LINES * LINE_S * near),
            "bandwidth_bytes_s": np.where(is_far, 112e6, 3e9 / near),
        },
    )
    return [numa("NUMA32", 8, xeons), numa("NUMA48", 6, opterons), cluster]


def in_blocks(objects: int, places: int) -> np.ndarray:
    """As runtimes deal objects out without a balancer."""
    return np.arange(objects) * places // objects


def edges(rows: list[tuple[int, int, float, float]]) -> Columns:
    """From, to, messages, bytes of all of them."""
    columns = np.array(rows)
    return dict(zip(("from", "to", "messages", "edge_bytes"), columns.T, strict=True))


def kneighbor(places: int) -> Columns:
    """400 objects in a ring; 8 KiB to seven on either side, and back, a thousand times a phase."""
    objects, rounds = 400, 1000.0
    draws = np.random.default_rng(400)
    rows = [
        (one, (one + 5 * hop) % objects, 2 * rounds, 2 * rounds * 8192)
        for one in range(objects)
        for hop in range(-7, 8)
        if hop
    ]
    work = rounds * 10e-6 * draws.integers(1, 9, objects)
    return {
        "work": work,
        "place": in_blocks(objects, places),
        "bytes": np.full(objects, 16384.0),
        **edges(rows),
    }


def stencil4d(places: int) -> Columns:
    """4^4 blocks of 32^4 doubles; ten steps a phase."""
    side, steps, edge = 4, 10.0, 32.0
    objects = side**4
    draws = np.random.default_rng(4)
    rows = []
    for one in range(objects):
        for stride in (1, side, side**2, side**3):
            here = one // stride % side
            for step in (1, side - 1):
                other = one + ((here + step) % side - here) * stride
                rows.append((one, other, steps, steps * edge**3 * 8))
    work = steps * edge**4 * 2e-9 * draws.integers(1, 6, objects)
    size = np.full(objects, 2 * 34.0**4 * 8)
    return {"work": work, "place": in_blocks(objects, places), "bytes": size, **edges(rows)}


def leanmd(places: int) -> Columns:
    """125 cells, which stay, and a compute for each pair of neighbours: 1875; 20 steps a phase."""
    side, steps = 5, 20.0
    cells = side**3
    particles = 100.0 + 150.0 * np.arange(cells) // cells
    work = [steps * count * 100e-9 for count in particles]
    size = [count * 72.0 for count in particles]
    rows = []
    hops = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)][13:]
    for cell in range(cells):
        x, y, z = cell // side**2, cell // side % side, cell % side
        for dx, dy, dz in hops:
            other = ((x + dx) % side * side + (y + dy) % side) * side + (z + dz) % side
            n, m = particles[cell], particles[other]
            compute = len(work)
            work.append(steps * 4e-9 * (n * (n - 1) / 2 if other == cell else n * m))
            size.append(1024.0)
            for one in dict.fromkeys((cell, other)):
                size_of_all = steps * 24 * particles[one]
                rows += [(one, compute, steps, size_of_all), (compute, one, steps, size_of_all)]
    computes = len(work) - cells
    place = np.concatenate([in_blocks(cells, places), in_blocks(computes, places)])
    fixed = np.arange(len(work)) < cells
    return {"work": work, "place": place, "bytes": size, "fixed": fixed, **edges(rows)}


PROGRAMS = {"kNeighbor": kneighbor, "stencil4d": stencil4d, "LeanMD": leanmd}


def speed_ups(machine: Machine, program: str) -> dict[str, float]:
    """By balancer: how many times as fast as the graph left as it is dealt out, moves included."""
    graph = PROGRAMS[program](machine.count)
    never = makespan.simulate_phases(graph, machine.places, phases=PHASES, when="never")
    found = {}
    for balancer in BALANCERS:
        ran = makespan.simulate_phases(
            graph, machine.places, phases=PHASES, balancer=balancer, when=EVERY
        )
        found[balancer] = never.total_s / ran.total_s
    found["ideal"] = never.total_s / never.ideal_s
    return found


def main() -> None:
    """Simulate, and tell."""
    picture = asked_picture(__doc__)
    found = {
        machine.name: {program: speed_ups(machine, program) for program in PROGRAMS}
        for machine in machines()
    }
    print(f"{PHASES} phases, times as fast as never balanced\n")
    print(f"{'':22}" + "".join(f"{name:>13}" for name in (*BALANCERS, "ideal")))
    for machine, programs in found.items():
        for program, row in programs.items():
            print(f"{machine:10}{program:12}" + "".join(f"{one:13.3f}" for one in row.values()))
    if picture is not None:
        figure, axes = frames(1, len(found), (9.5, 3.4))
        for frame, (machine, programs) in zip(axes, found.items(), strict=True):
            for at, balancer in enumerate(BALANCERS):
                places = [number + 0.17 * (at - 2.0) for number in range(len(programs))]
                values = [row[balancer] for row in programs.values()]
                frame.bar(places, values, 0.15, color=COLOURS[at], label=balancer)
            for number, row in enumerate(programs.values()):
                frame.hlines(row["ideal"], number - 0.42, number + 0.42, color="#22303c")
            frame.axhline(1.0, color="#8a939b", linestyle="--", linewidth=1.0)
            frame.set_xticks(range(len(programs)), list(programs))
            frame.set_title(machine)
            frame.set_ylim(0.0, 2.2)
        axes[0].set_ylabel("times as fast as never balanced")
        axes[-1].legend(loc="upper right", fontsize=8)
        save(figure, picture)


if __name__ == "__main__":
    main()
