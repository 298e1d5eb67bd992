# SPDX-License-Identifier: Apache-2.0
"""A measured machine, cut into parts: how fast each is, and how far they are apart.

A part's speed is the memory bandwidth that its cores have: what is measured of a machine, and what
bounds programs that go through more data than caches hold. Cores that share a memory share it
equally.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.machines.outcome import CostMatrix, MachineResult
from makespan.machines.weights.part import LEVELS, Part

_BANDWIDTHS = ("makespan:memory_triad_bandwidth", "makespan:memory_copy_bandwidth")
_LATENCY = "makespan:core_latency"


def machine_parts(machine: MachineResult, level: str, *, gpus: bool, measured: bool) -> list[Part]:
    """In the order of the tree, GPUs last.

    `measured`: with speeds from what was measured; else all are 1. Raises `InputError` if the
    machine has no such parts, or a speed is not known.
    """
    tree = _Tree(machine)
    speeds = _core_speeds(machine, tree) if measured else dict.fromkeys(tree.cores, 1.0)
    parts = [
        Part(
            machine.label(place),
            sum(speeds[core] for core in cores),
            tuple(cores),
            tree.domain(cores[0]),
        )
        for place, cores in tree.groups(level).items()
    ]
    if not parts:
        raise InputError(
            f"{machine.source}: {called('places')} {level} (it has none): choose one of "
            f"{', '.join(LEVELS)}"
        )
    if gpus:
        found = [place["place"] for place in machine.tree if place["kind"] == "gpu"]
        parts += [Part(machine.label(place), 1.0) for place in found]
    return parts


def part_latencies(machine: MachineResult, parts: Sequence[Part]) -> list[list[float]] | None:
    """Between the cores of each two parts, the median; None if that is not known of all.

    Where a machine has so many cores that only some were measured, it is that between the memories
    which the parts are near.
    """
    matrix = _matrix(machine, (_LATENCY,))
    if matrix is None or not all(part.cores for part in parts):
        return None
    tree = _Tree(machine)
    by_pair = _values(matrix)
    exact = _Medians(by_pair, {core: n for n, part in enumerate(parts) for core in part.cores})
    near = _Medians(by_pair, {core: tree.domain(core) for core in tree.cores})
    rows = [[0.0] * len(parts) for _ in parts]
    for a in range(len(parts)):
        for b in range(a):
            known = exact.of(a, b) or near.of(parts[a].domain, parts[b].domain)
            if known is None:
                return None
            rows[a][b] = rows[b][a] = known
    return rows


class _Tree:
    """Where cores are."""

    def __init__(self, machine: MachineResult) -> None:
        self._places = machine.tree
        self.cores = self._of_kind("core") or self._of_kind("pu")
        nodes = (place for place in self._places if place["kind"] == "numa_node")
        self._memories = {place["parent"] for place in nodes}

    def domain(self, core: int) -> int:
        """What the nearest memory hangs on; the whole machine if none does."""
        return next((place for place in self._around(core) if place in self._memories), 0)

    def groups(self, level: str) -> dict[int, list[int]]:
        """Cores by the place that is their part."""
        groups: dict[int, list[int]] = {}
        for core in self.cores:
            place = self._part(core, level)
            if place is not None:
                groups.setdefault(place, []).append(core)
        return groups

    def _part(self, core: int, level: str) -> int | None:
        if level == "core":
            return core
        if level == "numa":
            return self.domain(core)
        if level == "machine":
            return 0
        kinds = ((place, self._places[place]["kind"]) for place in self._around(core))
        return next((place for place, kind in kinds if kind == level), None)

    def _of_kind(self, kind: str) -> list[int]:
        return [place["place"] for place in self._places if place["kind"] == kind]

    def _around(self, core: int) -> Iterable[int]:
        place: int | None = core
        while place is not None:
            yield place
            place = self._places[place]["parent"]


def _core_speeds(machine: MachineResult, tree: _Tree) -> dict[int, float]:
    matrix = _matrix(machine, _BANDWIDTHS)
    if matrix is None:
        raise InputError(
            f"{machine.source}: no memory bandwidth was measured (speeds are taken from it; of a "
            "memory that is less than 24 times the largest cache none can be): write the file with "
            f"`makespan machine --measure -o FILE`, or give {called('speeds')}"
        )
    places = machine.tree
    known: dict[int, float] = {}
    for (row, node), value in _values(matrix).items():
        if places[node]["parent"] == row:
            known[row] = max(value, known.get(row, 0.0))
    near = [tree.domain(core) for core in tree.cores]
    lacking = next((domain for domain in near if domain not in known), None)
    if lacking is not None:
        raise InputError(
            f"{machine.source}: no memory bandwidth of {machine.label(lacking)} was measured "
            f"(speeds are taken from it): measure again on all cores, or give {called('speeds')}"
        )
    return {
        core: known[domain] / near.count(domain)
        for core, domain in zip(tree.cores, near, strict=True)
    }


def _matrix(machine: MachineResult, names: Sequence[str]) -> CostMatrix | None:
    """The first of these that has something."""
    found = {matrix.name: matrix for matrix in machine.matrices}
    return next((found[name] for name in names if name in found and found[name].known.size), None)


def _values(matrix: CostMatrix) -> dict[tuple[int, int], float]:
    """What is known, by the places of row and column."""
    pairs = ((row, column) for row in matrix.row_places for column in matrix.column_places)
    return {pair: v for pair, v in zip(pairs, matrix.values.flat, strict=True) if v > 0}


@dataclass
class _Medians:
    """Medians of what is known between groups of cores."""

    by_pair: dict[tuple[int, int], float]
    group_of: dict[int, int]

    def of(self, a: int, b: int) -> float | None:
        """None if nothing is known."""
        return self._medians.get((a, b))

    @cached_property
    def _medians(self) -> dict[tuple[int, int], float]:
        samples: dict[tuple[int, int], list[float]] = {}
        for (row, column), value in self.by_pair.items():
            if row in self.group_of and column in self.group_of:
                pair = (self.group_of[row], self.group_of[column])
                samples.setdefault(pair, []).append(value)
        return {pair: statistics.median(values) for pair, values in samples.items()}
