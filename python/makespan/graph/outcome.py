# SPDX-License-Identifier: Apache-2.0
"""What comes of balancing: all of a run, and what Python gets of it."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from makespan.graph.balancing import Comparison
    from makespan.graph.phases import PhasesJob


@dataclass(frozen=True, slots=True, eq=False)
class PhasesResult:
    """Many phases by one balancer, in virtual time; times in seconds."""

    balancer: str
    """Its name, with the options that were given; never: the graph as it is now throughout."""
    total_s: float
    """Of all phases, with looks at loads and the time that objects were on their way."""
    ideal_s: float
    """All work over all speeds, phase by phase, without messages and moves."""
    phases: pl.DataFrame
    """A row for each: time_s, compute_s (work over all speeds), look_s, migrate_s, moved,
    moved_bytes; looks and moves come before the phase."""
    mapping: NDArray[np.int32]
    """The place of each object at the end."""
    record: dict[str, Any] = field(default_factory=dict)
    """docs/reference/record.md; empty within a `BalanceResult`, which has its own."""

    @staticmethod
    def of(balancer: str, found: Mapping[str, Any]) -> PhasesResult:
        """From the engine's words."""
        import polars as pl

        phases = pl.DataFrame(dict(found["phases"]))
        ideal_s = float(sum(found["phases"]["compute_s"]))
        return PhasesResult(balancer, found["total_s"], ideal_s, phases, found["mapping"])

    @property
    def hash(self) -> str:
        """Of the mapping at the end: `mapping_hash` of the record."""
        from makespan.graph.record import mapping_hash

        return mapping_hash(self.mapping)

    def with_record(self, record: dict[str, Any]) -> PhasesResult:
        """The same with its record."""
        return replace(self, record=record)

    def _repr_html_(self) -> str:
        from makespan.graph.table import phases_said

        return f"{self.phases._repr_html_()}<p>{html.escape(phases_said(self))}</p>"


@dataclass(frozen=True, slots=True)
class Balanced:
    """All of a run; `job` and `played` where phases were asked for."""

    comparison: Comparison
    job: PhasesJob | None = None
    played: Sequence[PhasesResult] = ()


@dataclass(frozen=True, slots=True, eq=False)
class BalanceResult:
    """What balancers make of a graph, beside what it is now (`now`)."""

    best: str
    """The balancer whose predicted phase is shortest, with the options that were given; the first
    of equals. Mappings that exceed a memory come last."""
    mapping: NDArray[np.int32]
    """The place of each object, by that one."""
    labels: list[str]
    """What the places are called, by number."""
    bound_s: float
    """What no mapping can be better than."""
    candidates: pl.DataFrame
    """A row for each: balancer, phase_s, ratio (to the bound), imbalance, place_bytes,
    domain_bytes, node_bytes, moves, moved_bytes, where memories have limits fullest_memory (in use
    over the limit), decision_s, and mapping, compute_s and receive_s as lists, by object and by
    place."""
    phases: dict[str, PhasesResult]
    """By balancer, `never` first; empty where no phases were asked for."""
    record: dict[str, Any]
    """docs/reference/record.md"""

    @staticmethod
    def of(balanced: Balanced, record: dict[str, Any]) -> BalanceResult:
        """What Python gets of a run."""
        import polars as pl

        comparison = balanced.comparison
        best = comparison.best
        rows = [
            {
                "balancer": one.text,
                "phase_s": one.quality["phase_s"],
                "ratio": comparison.ratio(one),
                **one.quality,
                "decision_s": one.decision_s,
                "mapping": list(map(int, one.mapping)),
                "compute_s": list(map(float, one.compute_s)),
                "receive_s": list(map(float, one.receive_s)),
            }
            for one in comparison.candidates
        ]
        return BalanceResult(
            best.text,
            best.mapping,
            comparison.places.labels,
            comparison.bound_s,
            pl.DataFrame(
                rows, schema_overrides={"mapping": pl.List(pl.Int32)}, infer_schema_length=None
            ),
            {one.balancer: one for one in balanced.played},
            record,
        )

    @property
    def hash(self) -> str:
        """Of the best mapping: `mapping_hash` of the record."""
        from makespan.graph.record import mapping_hash

        return mapping_hash(self.mapping)

    def _repr_html_(self) -> str:
        shown = self.candidates.drop("mapping", "compute_s", "receive_s")
        said = f"The shortest predicted phase is that by {self.best}."
        return f"{shown._repr_html_()}<p>{html.escape(said)}</p>"
