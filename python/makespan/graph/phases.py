# SPDX-License-Identifier: Apache-2.0
"""Many phases of a graph in virtual time: what balancing online would bring."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError

if TYPE_CHECKING:
    from makespan.graph.balancing import Strategies
    from makespan.graph.objects_table import ObjectsTable
    from makespan.graph.place_source import KnownPlaces

NEVER = "never"
"""The graph as it is now throughout, which the others are compared with."""
PHASES_MAX = 1_000_000

Change = tuple[int, int, float]
"""Place, phase from whose beginning on, and part of the time in which it has its core then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhasesJob:
    """What happens, as `src/makespan/sim/phases/phases_job.hpp` has it."""

    phases: int
    when: str = "auto"
    every: int = 10
    growth: float = 0.0
    growing_share: float = 0.0
    noise: float = 0.0
    seed: int = 1
    changes: Sequence[Change] = field(default_factory=tuple)

    def job(self, balancer: str, options: Mapping[str, float]) -> dict[str, Any]:
        """As the engine takes it; by the name of `NEVER` without balancing."""
        common = {
            "phases": self.phases,
            "growth": self.growth,
            "growing_share": self.growing_share,
            "noise": self.noise,
            "seed": self.seed,
            "changes": list(self.changes),
        }
        if balancer == NEVER:
            return {**common, "when": "never"}
        return {
            **common,
            "when": self.when,
            "every": self.every,
            "balancer": balancer,
            "balancer_options": dict(options),
        }


@dataclass(frozen=True, slots=True)
class Played:
    """The phases by one strategy; columns by phase, times in seconds."""

    name: str
    total_s: float
    """Of all phases, with looks and migrations."""
    phases: Mapping[str, Sequence[float]]
    """time_s, compute_s (work over all speeds), look_s, migrate_s, moved, moved_bytes."""

    @property
    def ideal_s(self) -> float:
        """All work over all speeds, phase by phase, without messages and moves."""
        return float(sum(self.phases["compute_s"]))


def play(
    engine: Engine,
    graph: ObjectsTable,
    places: KnownPlaces,
    strategies: Strategies,
    job: PhasesJob,
    *,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> tuple[Played, ...]:
    """`NEVER` first, then each strategy in its order. Raises `InputError`."""
    graph.check_places(len(places.labels), places.name)
    for place, phase, factor in job.changes:
        if place >= len(places.labels):
            raise InputError(
                f"--change {place}@{phase}:{factor:g}: the places of {places.name} are 0 to "
                f"{len(places.labels) - 1}: give one of them"
            )
    ways: dict[str, Mapping[str, float]] = {NEVER: {}, **strategies.options}
    played = []
    try:
        objects = graph.engine_graph(engine, places.kinds)
        where = places.table.to_places()
        for number, (name, options) in enumerate(ways.items()):
            progress(f"phases by {name}", number, len(ways))
            found = engine.simulate_phases(objects, where, job.job(name, options))
            played.append(Played(name, found["total_s"], found["phases"]))
    except ValueError as error:
        raise InputError(str(error)) from error
    return tuple(played)


def when_named(text: str) -> tuple[str, int]:
    """`auto`, or a number: after every so many phases. Raises `InputError`."""
    if text == "auto":
        return "auto", 1
    if re.fullmatch(r"\d{1,9}", text) is None or int(text) < 1:
        raise InputError(f"--when {text}: give auto, or a number of phases, as 10")
    return "periodic", int(text)


def growth_named(text: str) -> tuple[float, float]:
    """`0.01:0.1`: a tenth of the objects grow by a hundredth from phase to phase; `InputError`."""
    rate, colon, share = text.partition(":")
    try:
        found = float(rate), float(share) if colon else 1.0
    except ValueError:
        found = (-1.0, 0.0)
    if not (-1.0 < found[0] < 10.0 and 0.0 <= found[1] <= 1.0):
        raise InputError(
            f"--growth {text}: give the rate of a phase and the share of the objects, as 0.01:0.1"
        )
    return found


def change_named(text: str) -> Change:
    """`3@20:0.25`: from phase 20 on place 3 has its core a quarter of the time; `InputError`."""
    found = re.fullmatch(r"(\d{1,9})@(\d{1,9}):([0-9.eE+-]+)", text)
    try:
        factor = float(found[3]) if found else 0.0
    except ValueError:
        factor = 0.0
    if found is None or not 0.0 < factor <= 1.0:
        raise InputError(
            f"--change {text}: give place@phase:part with a part above 0, at most 1, as 3@20:0.25"
        )
    return int(found[1]), int(found[2]), factor
