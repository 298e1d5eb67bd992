# SPDX-License-Identifier: Apache-2.0
"""Two nodes with a Xeon Phi each, and the number of workers that a boss can feed.

    python cluster.py --picture cluster.svg

Figure 5 of "Heterogeneous Clustering with Homogeneous Code" (Colfax, 2013): processors alone, Phis
alone, both; and its limit, N_W << tau / 0.3 ms for options that take tau: here the boss is busy for
0.3 ms with each option, as a boss is that answers after a round trip to a remote coprocessor.

What to notice: whole options cost what the last of them are waited for; blocks reach the sum. The
boss is saturated where the formula says; a counter and batches by node are not.
"""

from __future__ import annotations

from typing import Any

import phi_node
from picture import COLOURS, asked_picture, frames, save

import makespan

OPTIONS = 100
NODE_US = 10.0  # 0.02 ms for a ping-pong between processors
REMOTE_US = 150.0  # 0.3 ms to a coprocessor on another node
BOSS_S = 3e-4
CALLS_OF_A_TASK = 3  # to ask, to tell what is finished, to tell how long it took
TASK_S = 6e-3
FED = round(TASK_S / BOSS_S)
WORKERS = [FED // 4, FED // 2, FED, 2 * FED, 4 * FED, 8 * FED]
ROUNDS = 40  # options for each worker
WAYS = {"boss": "self", "steal": "equal_time", "hierarchical": "equal_time"}


def machine(devices: list[str]) -> dict[str, Any]:
    """Two nodes; a processor is the two of a node, in MT."""
    return {
        "kind": {"cpu": {"speed": 2 * phi_node.MT_CPU}, "phi": {"speed": phi_node.MT_PHI}},
        "node": [{"count": 2, "devices": devices, "image": "device"}],
        "network": {
            "latency_us": REMOTE_US,
            "node_latency_us": NODE_US,
            "bandwidth_gb": 0.1,
            "message_us": 10.0,
        },
    }


def rates() -> dict[str, tuple[float, float, float]]:
    """Of each choice of devices: all that they could do, by a boss, by blocks and tails [1/s]."""
    found = {}
    for name, devices in (("processors", ["cpu"]), ("Phis", ["phi"]), ("both", ["cpu", "phi"])):
        where = machine(devices)
        boss = makespan.simulate(where, phi_node.book(OPTIONS), policy="self", dispatcher="boss")
        blocks = makespan.simulate(where, phi_node.book(OPTIONS, phi_node.BLOCKS))
        found[name] = (
            OPTIONS * phi_node.VALUES / boss.ideal_s,
            phi_node.values_per_second(OPTIONS, boss),
            phi_node.values_per_second(OPTIONS, blocks),
        )
    return found


def share(workers: int, dispatcher: str) -> float:
    """The efficiency of so many workers, with a node each, and one node for the dispatcher."""
    where = {
        "kind": {"cpu": {"speed": 1 / TASK_S}},
        "node": [{"count": workers + 1, "devices": ["cpu"]}],
        "network": {"latency_us": NODE_US, "message_us": BOSS_S / CALLS_OF_A_TASK * 1e6},
        "run": {"perturb": ["fail:0@0"]},
    }
    ran = makespan.simulate(
        where, [1.0] * (workers * ROUNDS), policy=WAYS[dispatcher], dispatcher=dispatcher
    )
    return 1.0 / ran.over_ideal


def main() -> None:
    """Simulate, and tell."""
    picture = asked_picture(__doc__)
    by_devices = rates()
    print(f"{OPTIONS} options, 10^9 values/s\n{'':12}{'sum':>8}{'boss':>8}{'blocks':>8}")
    for name, row in by_devices.items():
        print(f"{name:12}" + "".join(f"{value / 1e9:8.2f}" for value in row))
    shares = {way: [share(workers, way) for workers in WORKERS] for way in WAYS}
    print(f"\nshare of the ideal, options of {TASK_S * 1e3:g} ms: tau / 0.3 ms = {FED}")
    print(f"{'workers':12}" + "".join(f"{workers:8}" for workers in WORKERS))
    for way, row in shares.items():
        print(f"{way:12}" + "".join(f"{value:8.3f}" for value in row))
    if picture is not None:
        figure, (left, right) = frames(1, 2, (9.0, 3.6))
        for at, name in enumerate(("all that they could do", "boss, whole options", "blocks")):
            places = [number + 0.27 * (at - 1) for number in range(len(by_devices))]
            values = [row[at] / 1e9 for row in by_devices.values()]
            left.bar(places, values, 0.25, color=COLOURS[(4, 1, 0)[at]], label=name)
        left.set_xticks(range(len(by_devices)), list(by_devices))
        left.set(ylabel="10⁹ values per second", ylim=(0, 1.35 * by_devices["both"][0] / 1e9))
        left.legend(loc="upper left", fontsize=8)
        for at, (way, row) in enumerate(shares.items()):
            scaled = [workers / FED for workers in WORKERS]
            right.plot(scaled, row, marker="o", color=COLOURS[at], label=way)
        right.axvline(1.0, color=COLOURS[4], linestyle="--", linewidth=1.0)
        right.set_xscale("log", base=2)
        right.set_xticks([0.25, 0.5, 1, 2, 4, 8], ["1/4", "1/2", "1", "2", "4", "8"])
        right.set(xlabel="workers over τ / 0.3 ms", ylabel="share of the ideal", ylim=(0, 1.05))
        right.legend(loc="lower left")
        save(figure, picture)


if __name__ == "__main__":
    main()
