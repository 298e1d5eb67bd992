# SPDX-License-Identifier: Apache-2.0
"""Many phases of a graph in virtual time: what balancing online would bring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.job.engine_call import EngineCall
from makespan.job.interrupts import Interrupts
from makespan.settings.algorithm import Chosen

if TYPE_CHECKING:
    from makespan.graph.outcome import PhasesResult

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
    seed: int = 0
    changes: Sequence[Change] = field(default_factory=tuple)

    def job(self, balancer: Chosen) -> dict[str, Any]:
        """As the engine takes it; by the name of `NEVER` without balancing."""
        common = {
            "phases": self.phases,
            "growth": self.growth,
            "growing_share": self.growing_share,
            "noise": self.noise,
            "seed": self.seed,
            "changes": list(self.changes),
        }
        if NEVER in (self.when, balancer.name):
            return {**common, "when": NEVER}
        return {
            **common,
            "when": self.when,
            "every": self.every,
            "balancer": balancer.name,
            "balancer_options": dict(balancer.options),
        }

    def ways(self, balancers: Iterable[Chosen]) -> dict[str, dict[str, Any]]:
        """The engine's jobs by text: `NEVER`, then each balancer unless `when` is `NEVER`."""
        each = [Chosen(NEVER, {}), *(() if self.when == NEVER else balancers)]
        return {one.text: self.job(one) for one in each}

    def check_changes(self, places: int, machine: str) -> None:
        """Raises `InputError` for a change at a place that the machine has not, or in no phase."""
        wrong = next((place for place, _, _ in self.changes if place >= places), None)
        if wrong is not None:
            raise InputError(
                f"{called('perturb')}: place {wrong} (the places of {machine} are 0 to "
                f"{places - 1}): give one of them"
            )
        late = next((phase for _, phase, _ in self.changes if phase >= self.phases), None)
        if late is not None:
            raise InputError(
                f"{called('perturb')}: phase {late} (phases are 0 to {self.phases - 1}): give one "
                "of them"
            )


def played(
    engine: Engine, asked: tuple[Any, Any, Mapping[str, Any]], name: str, interrupts: Interrupts
) -> PhasesResult:
    """All phases, of the engine's graph, places and job. Raises `InputError`.

    Blocks; a second Ctrl-C leaves it at once.
    """
    from makespan.graph.outcome import PhasesResult

    try:
        found = EngineCall[Any]().result(lambda: engine.simulate_phases(*asked), interrupts)
    except ValueError as error:
        raise InputError(str(error)) from error
    return PhasesResult.of(name, found)
