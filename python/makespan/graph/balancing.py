# SPDX-License-Identifier: Apache-2.0
"""What balancers make of a graph, beside what it is now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.job.engine_call import EngineCall
from makespan.job.interrupts import Interrupts
from makespan.settings.algorithm import Chosen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from makespan.graph.input import MemoryLimit
    from makespan.graph.objects_table import ObjectsTable
    from makespan.machines.place_source import KnownPlaces

NOW = "now"
"""The mapping that the graph comes with."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mapping, and what is predicted of it; times [s] by place."""

    name: str
    options: Mapping[str, float]
    mapping: NDArray[np.int32]
    quality: Mapping[str, Any]
    compute_s: NDArray[np.float64]
    receive_s: NDArray[np.float64]
    decision_s: float | None

    @property
    def text(self) -> str:
        """Name and options, as they are written: one balancer can be there with several."""
        return Chosen(self.name, self.options).text


@dataclass(frozen=True, slots=True)
class Comparison:
    """The graph as it is now, first, and by each balancer."""

    graph: ObjectsTable
    places: KnownPlaces
    bound_s: float
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The balancer with the shortest phase; the first of equals.

        Those whose mapping takes more of a memory than there is come last.
        """
        return min(self.candidates[1:], key=_rank)

    @property
    def has_memory_limits(self) -> bool:
        """Whether qualities have `fullest_memory`."""
        return "fullest_memory" in self.candidates[0].quality

    def ratio(self, one: Candidate) -> float | None:
        """A candidate's phase over the bound; None where that is 0."""
        return one.quality["phase_s"] / self.bound_s if self.bound_s else None


def _rank(one: Candidate) -> tuple[float, float]:
    return max(1.0, one.quality.get("fullest_memory", 0.0)), float(one.quality["phase_s"])


class Balancing:
    """A graph on places, as the engine has both. Raises `InputError`, as its functions do."""

    def __init__(
        self,
        engine: Engine,
        graph: ObjectsTable,
        places: KnownPlaces,
        memory: MemoryLimit | None = None,
    ) -> None:
        graph.check_places(len(places.labels), places.name)
        self._engine = engine
        self._graph = graph
        self._places = places
        self.objects = graph.engine_graph(engine, places.kinds)
        try:
            self.where = places.table.to_places()
        except ValueError as error:
            raise InputError(f"{places.name}: {error}") from error
        if memory is not None:
            self.where = self._limited(memory)

    def _limited(self, memory: MemoryLimit) -> Any:
        """The places with limits, less what is in use by what are no objects."""
        table = self._places.table
        count = len(self._places.labels)
        by_place = {"place": range(count), "domain": table.domains, "node": table.nodes}
        of = np.array(by_place[memory.of], dtype=np.int32)
        used = np.zeros(int(of.max()) + 1)
        if self._graph.memory is not None:
            known = self._graph.memory.used
            if known[count:].any():
                place = count + int(np.flatnonzero(known[count:])[0])
                raise InputError(
                    f"{self._graph.source}: bytes in use at place {place} (there are {count} "
                    "places): give the machine that the graph is from"
                )
            np.add.at(used, of[: len(known[:count])], known[:count])
        limits = np.full(len(used), memory.bytes)
        try:
            return self.where.with_memories({"of": of, "limit_bytes": limits, "used_bytes": used})
        except ValueError as error:
            raise InputError(str(error)) from error

    def now(self) -> Candidate:
        """The mapping that the graph comes with."""
        return self._judged(Chosen(NOW, {}), self._graph.place, None)

    def decided(self, balancer: Chosen, interrupts: Interrupts) -> Candidate:
        """What a balancer makes of it. Blocks; a second Ctrl-C leaves it at once."""
        asked = (self.objects, self.where, balancer.name, dict(balancer.options))
        try:
            found = EngineCall[Any]().result(lambda: self._engine.balance(*asked), interrupts)
        except ValueError as error:
            raise InputError(str(error)) from error
        return self._judged(balancer, *found)

    def compared(self, candidates: list[Candidate]) -> Comparison:
        """These, beside what no mapping can be better than."""
        bound_s = float(self._engine.phase_lower_bound(self.objects, self.where))
        return Comparison(self._graph, self._places, bound_s, tuple(candidates))

    def _judged(
        self, balancer: Chosen, mapping: NDArray[np.int32], decision_s: float | None
    ) -> Candidate:
        try:
            times = self._engine.phase_times(self.objects, self.where, mapping)
            quality = self._engine.mapping_quality(self.objects, self.where, mapping)
        except ValueError as error:
            raise InputError(str(error)) from error
        return Candidate(
            balancer.name, balancer.options, mapping, quality, *times, decision_s=decision_s
        )
