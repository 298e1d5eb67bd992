# SPDX-License-Identifier: Apache-2.0
"""How far balancers are from the optimum of small graphs: ``python -m bench.graph.optimum``.

`make bench-optimum`. The least phase of each graph is found by a mixed-integer linear program, by
HiGHS within scipy, or bounded from below where the time for it is over. Prints a table and writes
``build/bench/optimum.json``.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from makespan.base.engine import load_engine
from makespan.graph.graph_columns import graph_of_columns, places_of_columns
from numpy.typing import NDArray
from rich.console import Console
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from bench.case import Scale, read_table
from bench.json_rows import Replies, add_rows
from bench.machine import circumstances
from bench.report import print_outcome
from bench.result import Outcome, write_outcome

INFEASIBLE = 2
"""Of scipy's milp."""
CUTOFF = 1e-7
"""How much longer than what is known a phase may be: what rounding may make of it."""
CASES = Path(__file__).resolve().parents[1] / "cases" / "graph"
CASE = CASES / "optimum.toml"
MEMORY_CASE = CASES / "optimum_memory.toml"


@dataclass(frozen=True)
class Places:
    """Four places or so: speeds by place, costs by sender's and receiver's place."""

    speeds: NDArray[np.float64]
    message_s: NDArray[np.float64]
    byte_s: NDArray[np.float64]

    @staticmethod
    def of(case: Mapping[str, Any]) -> Places:
        """From the case: what costs something is what comes from another place."""
        domain = np.array(case["domains"])
        is_far = domain[:, None] != domain[None, :]
        is_other = ~np.eye(len(domain), dtype=bool)
        near, far = case["message_s"]
        message_s = np.where(is_far, float(far), float(near)) * is_other
        near, far = case["bytes_s"]
        byte_s = np.where(is_far, 1.0 / far, 1.0 / near) * is_other
        return Places(np.array(case["speeds"]), message_s, byte_s)

    def phase_s(self, graph: Mapping[str, NDArray[Any]], mapping: NDArray[np.int32]) -> float:
        """As docs/explanation/graph.md has it: computing, and receiving from other places."""
        times = np.bincount(mapping, graph["work"], len(self.speeds)) / self.speeds
        here, there = mapping[graph["from"]], mapping[graph["to"]]
        cost = graph["messages"] * self.message_s[here, there]
        cost = cost + graph["edge_bytes"] * self.byte_s[here, there]
        return float(np.max(times + np.bincount(there, cost, len(self.speeds))))


def random_graph(seed: int, least: int, most: int, places: int) -> dict[str, NDArray[Any]]:
    """Objects of uneven work near each other at random, that send to some near ones.

    What a phase's messages would cost, were all of them between domains, is up to its work.
    """
    draws = np.random.default_rng(seed)
    objects = int(draws.integers(least, most + 1))
    work = 1e-3 * draws.lognormal(0.0, 0.8, objects)
    where = draws.random((objects, 2))
    distance = np.linalg.norm(where[:, None] - where[None, :], axis=2)
    np.fill_diagonal(distance, np.inf)
    near = np.argsort(distance, axis=1)[:, :3]
    senders = np.repeat(np.arange(objects), 3)
    messages = draws.integers(1, 200, len(senders)).astype(float)
    # Up to a tenth of a millisecond, or ten times as much.
    edge_bytes = draws.random(len(senders)) * 10.0 ** draws.uniform(4.0, 6.6)
    return {
        "work": work,
        "place": draws.integers(0, places, objects).astype(np.int32),
        "from": senders.astype(np.int32),
        "to": near.ravel().astype(np.int32),
        "messages": messages,
        "edge_bytes": edge_bytes,
    }


def with_memory(
    graph: dict[str, NDArray[Any]], seed: int, places: int, case: Mapping[str, Any]
) -> tuple[dict[str, NDArray[Any]], float]:
    """The graph with footprints and blocks, and what a place has room for.

    A few objects that are near each other by number share a block; a place has so many times its
    share of all blocks and footprints as the case says.
    """
    draws = np.random.default_rng(seed + 1_000_000)
    objects = len(graph["work"])
    block = np.arange(objects, dtype=np.int32) // case["objects_of_a_block"]
    block_bytes = draws.uniform(0.5, 1.5, int(block[-1]) + 1)
    footprint = draws.uniform(0.0, 0.1, objects)
    share = (block_bytes.sum() + footprint.sum()) / places
    limit = max(case["times_share"] * share, 2.0 * block_bytes.max())
    taken = {"footprint": footprint, "block": block, "block_bytes": block_bytes}
    return {**graph, **taken}, float(limit)


class _Rows:
    """Constraints as they come: least <= sum of coefficients times variables <= most."""

    def __init__(self) -> None:
        self._cells: list[tuple[int, int, float]] = []
        self._bounds: list[tuple[float, float]] = []

    def add(self, cells: Sequence[tuple[int, float]], least: float, most: float) -> None:
        """One constraint."""
        row = len(self._bounds)
        self._cells += [(row, variable, value) for variable, value in cells]
        self._bounds.append((least, most))

    def constraint(self, variables: int) -> LinearConstraint:
        """All of them."""
        rows, columns, values = zip(*self._cells, strict=True)
        matrix = coo_array((values, (rows, columns)), shape=(len(self._bounds), variables))
        least, most = zip(*self._bounds, strict=True)
        return LinearConstraint(matrix.tocsr(), np.array(least), np.array(most))


def least_phase_s(
    graph: Mapping[str, NDArray[Any]],
    places: Places,
    case: Mapping[str, Any],
    known_s: float,
    limit: float | None = None,
) -> tuple[float, bool]:
    """What no mapping can be better than, and whether it is the optimum to the case's gap.

    `known_s` is the phase of a mapping that is known; `limit` is of each place's memory [bytes].

    x(object, place) says where an object is; y(edge, place, place) where both ends of an edge are,
    whose sums over either place are the x of the other end: the linearisation of Adams and Johnson
    (1994), tighter than one constraint for each product.
    """
    objects, count, edges = len(graph["work"]), len(places.speeds), len(graph["from"])
    first_pair = objects * count
    phase = first_pair + edges * count * count
    rows = _Rows()
    for one in range(objects):
        rows.add([(one * count + place, 1.0) for place in range(count)], 1.0, 1.0)
    ends = zip(graph["from"].tolist(), graph["to"].tolist(), strict=True)
    receiving: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for edge, (sender, receiver) in enumerate(ends):
        pair = np.arange(count * count).reshape(count, count) + first_pair + edge * count * count
        cost = graph["messages"][edge] * places.message_s
        cost = cost + graph["edge_bytes"][edge] * places.byte_s
        for place in range(count):
            from_here = [(int(one), 1.0) for one in pair[place]]
            rows.add([*from_here, (sender * count + place, -1.0)], 0.0, 0.0)
            to_here = [(int(one), 1.0) for one in pair[:, place]]
            rows.add([*to_here, (receiver * count + place, -1.0)], 0.0, 0.0)
            for other in range(count):
                receiving[place].append((int(pair[other, place]), float(cost[other, place])))
    for place in range(count):
        computing = [
            (one * count + place, float(graph["work"][one] / places.speeds[place]))
            for one in range(objects)
        ]
        rows.add([*computing, *receiving[place], (phase, -1.0)], -np.inf, 0.0)
    variables = phase + 1
    if limit is not None:
        variables = _add_memory(rows, graph, count, variables, limit)
    upper = np.ones(variables)
    upper[phase] = known_s * (1.0 + CUTOFF)
    _break_symmetry(upper, graph, places)
    found = milp(
        c=np.eye(1, variables, phase).ravel(),
        integrality=np.arange(variables) < first_pair,
        bounds=Bounds(np.zeros(variables), upper),
        constraints=rows.constraint(variables),
        options={"time_limit": case["limit_s"], "mip_rel_gap": case["gap"]},
    )
    if found.status == INFEASIBLE:  # nothing is better than what is known
        return known_s, True
    if found.mip_dual_bound is None:  # no time for a bound
        return float(graph["work"].sum() / places.speeds.sum()), False
    return min(known_s, float(found.mip_dual_bound)), found.status == 0


def _add_memory(
    rows: _Rows, graph: Mapping[str, NDArray[Any]], places: int, first: int, limit: float
) -> int:
    """Variables from `first` say which blocks are where; how many there are with them."""
    blocks = len(graph["block_bytes"])
    for one, block in enumerate(graph["block"].tolist()):
        for place in range(places):
            there = first + block * places + place
            rows.add([(there, 1.0), (one * places + place, -1.0)], 0.0, np.inf)
    for place in range(places):
        held = [(first + b * places + place, float(graph["block_bytes"][b])) for b in range(blocks)]
        footprints = enumerate(graph["footprint"].tolist())
        rows.add([*held, *((o * places + place, taken) for o, taken in footprints)], 0.0, limit)
    return first + blocks * places


def _break_symmetry(
    upper: NDArray[np.float64], graph: Mapping[str, NDArray[Any]], places: Places
) -> None:
    """Of places alike in every way, the heaviest object is on the first."""
    count = len(places.speeds)
    heaviest = int(np.argmax(graph["work"]))
    for place in range(1, count):
        swapped = np.arange(count)
        swapped[[place - 1, place]] = swapped[[place, place - 1]]
        tables = (places.message_s, places.byte_s)
        is_alike = places.speeds[place] == places.speeds[place - 1]
        if is_alike and all(np.array_equal(t[swapped][:, swapped], t) for t in tables):
            upper[heaviest * count + place] = 0.0


def gaps_of(seed: int, case: Mapping[str, Any]) -> dict[str, float]:
    """By balancer, how much longer its phase is than the least [%]; `proved`: 100 or 0.

    Balancers whose mapping exceeds a memory's limit are left out.
    """
    places = Places.of(case)
    least, most = case["objects"]
    graph = random_graph(seed, least, most, len(places.speeds))
    domains = len(case["message_s"])
    shape = np.where(np.eye(domains, dtype=bool), 0, 1)
    columns: dict[str, NDArray[Any]] = {
        "speed": places.speeds,
        "domain": np.array(case["domains"], dtype=np.int32),
        "node": np.zeros(domains, dtype=np.int32),
        "latency_s": np.array(case["message_s"])[shape],
        "bandwidth_bytes_s": np.array(case["bytes_s"])[shape],
    }
    limit = None
    if "times_share" in case:
        graph, limit = with_memory(graph, seed, len(places.speeds), case)
    engine = load_engine()
    objects = graph_of_columns(graph).engine_graph(engine, ("cpu",))
    where = places_of_columns(engine, columns)
    if limit is not None:
        count = len(places.speeds)
        full = {"limit_bytes": np.full(count, limit), "used_bytes": np.zeros(count)}
        where = where.with_memories({"of": np.arange(count, dtype=np.int32), **full})
    phases = {}
    for name in case["balancers"]:
        mapping, _ = engine.balance(objects, where, name, {})
        quality = engine.mapping_quality(objects, where, mapping)
        if quality.get("fullest_memory", 0.0) <= 1.0:
            phases[name] = places.phase_s(graph, mapping)
    if not phases:
        return {}
    least_s, is_proved = least_phase_s(graph, places, case, min(phases.values()), limit)
    gaps = {name: 100.0 * (phase_s / least_s - 1.0) for name, phase_s in phases.items()}
    return {**gaps, "proved": 100.0 * is_proved}


def replies_of(case: Mapping[str, Any]) -> Replies:
    """All graphs, each in a process that has a core."""
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(partial(gaps_of, case=case), range(case["graphs"])))
    replies = {
        name: [{"gap_percent": one[name]} for one in found if name in one]
        for name in case["balancers"]
    }
    kept = statistics.fmean(100.0 * (case["balancers"][0] in one) for one in found)
    proved = statistics.fmean(one.get("proved", 0.0) for one in found)
    solver = {"proved_percent": proved, "kept_percent": kept}
    return {**{name: rows for name, rows in replies.items() if rows}, "solver": [solver]}


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.graph.optimum", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="few small graphs, for CI")
    parser.add_argument("--memory", action="store_true", help="places have limits of memory")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    arguments = parser.parse_args(words)
    path = MEMORY_CASE if arguments.memory else CASE
    case = read_table(path, Scale.SMOKE if arguments.smoke else Scale.FULL)
    found = circumstances(smoke=arguments.smoke)
    outcome = Outcome()
    add_rows(case["row"], replies_of(case), outcome)
    path = arguments.output.resolve() / f"{path.stem}.json"
    write_outcome(path, outcome, found)
    print_outcome(Console(), f"bench {path.stem}", outcome)
    print(f"written: {path}")


if __name__ == "__main__":
    main()
