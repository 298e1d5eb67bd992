# SPDX-License-Identifier: Apache-2.0
"""What comes of grids in virtual time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from makespan.sim.grids.description import GridCase
    from makespan.sim.grids.sweep import GridSweep

PHASES = ("boundary_s", "interior_s", "send_s", "wait_s", "unpack_s")


@dataclass(frozen=True, slots=True)
class GridCandidate:
    """A case, and what the engine said of it: as it is, and without overlap if it has some."""

    case: GridCase
    result: Mapping[str, Any]
    unhidden: Mapping[str, Any] | None = None

    @property
    def efficiency(self) -> float:
        """What all devices could do together over what was done: 1 is the best."""
        return float(self.result["ideal_s"] / self.result["time_s"])

    @property
    def hidden(self) -> float | None:
        """(t_none - t_overlap) / min(t_exchange, t_interior), of all steps; None without overlap.

        The exchange is what steps without overlap take beyond the device that computes longest,
        or, where the two were cut otherwise in the end, beyond what all devices could do together:
        planes make up for halos then. The interior is the longest one with overlap, all of it: a
        GPU computes it beside its other phases. Planes that move are left out.
        """
        if self.unhidden is None:
            return None
        none_s, overlap_s = (
            one["time_s"] - one["moving_s"] for one in (self.unhidden, self.result)
        )
        cut, other_cut = (
            [(use["planes"], use["points"]) for use in one["devices"]]
            for one in (self.result, self.unhidden)
        )
        if cut == other_cut:
            computing = max(use["interior_s"] for use in self.unhidden["devices"])
        else:
            computing = self.unhidden["ideal_s"]
        interior = max(use["interior_busy_s"] for use in self.result["devices"])
        could_be = min(none_s - computing, interior)
        return float((none_s - overlap_s) / could_be) if could_be > 0.0 else None

    def row(self) -> dict[str, Any]:
        """Of a table of cases."""
        names = ("step_s", "time_s", "ideal_s", "looks", "rebalances", "planes_moved", "moving_s")
        return {
            "devices": len(self.result["devices"]),
            **{name: self.result[name] for name in names},
            "efficiency": self.efficiency,
            "hidden": self.hidden,
            **{name: self.result[name] for name in ("messages", "bytes", "network_bytes")},
        }


_SCHEMA: dict[str, Any] = {
    "devices": int,
    "step_s": float,
    "time_s": float,
    "ideal_s": float,
    "looks": int,
    "rebalances": int,
    "planes_moved": int,
    "moving_s": float,
    "efficiency": float,
    "hidden": float,
    "messages": int,
    "bytes": float,
    "network_bytes": float,
}


@dataclass(frozen=True, slots=True)
class GridSimulation:
    """All of a run: one case, or one for each value of a sweep."""

    candidates: Sequence[GridCandidate]
    sweep: GridSweep | None = None

    @property
    def rows(self) -> list[tuple[float | None, GridCandidate]]:
        """All in order, each with the sweep's value."""
        values = [None] if self.sweep is None else self.sweep.values
        return list(zip(values, self.candidates, strict=False))

    def table(self) -> pl.DataFrame:
        """A row for each; the column `value` is of sweeps."""
        import polars as pl

        table = pl.DataFrame([one.row() for _, one in self.rows], schema=_SCHEMA)
        if self.sweep is None:
            return table
        values = pl.Series("value", [value for value, _ in self.rows], dtype=pl.Float64)
        return table.insert_column(0, values)


@dataclass(frozen=True)
class SimulatedGrid:
    """What came of a grid in virtual time; all times in seconds.

    Of a sweep it is the first case; `cases` has all, `table` a row for each.
    """

    step_s: float
    """A step of the last half of all."""
    time_s: float
    """All steps, with looks at speeds and planes that moved."""
    ideal_s: float
    """All points of all steps over what the devices could do together."""
    efficiency: float
    """ideal_s / time_s."""
    hidden: float | None
    """The part of what overlap could hide that it hides; None without overlap."""
    looks: int
    rebalances: int
    """Looks after which planes moved."""
    planes_moved: int
    moving_s: float
    messages: int
    """Of an exchange, as the grid is cut at the end."""
    bytes: float
    """Of an exchange."""
    network_bytes: float
    """Of an exchange, between nodes."""
    kinds: Sequence[str] = field(repr=False)
    """By device, through all processes."""
    device_uses: Sequence[Mapping[str, Any]] = field(repr=False)
    value: float | None = None
    """Of the sweep."""
    others: Sequence[SimulatedGrid] = field(default=(), repr=False)
    table: Any = field(default=None, repr=False, compare=False)
    """A polars table with a row for each case."""
    record: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    """What was simulated, by what: docs/reference/record.md."""

    @property
    def hash(self) -> str | None:
        """Of all that the engine said, of all cases; None of one case of several."""
        return None if self.record is None else str(self.record["result_hash"])

    @property
    def cases(self) -> tuple[SimulatedGrid, ...]:
        """This one and all others, in the order of `table`."""
        return (self, *self.others)

    @cached_property
    def devices(self) -> pl.DataFrame:
        """A row for each: kind, image, device, planes, points, and seconds of each phase.

        `interior_busy_s` is what it computed of interiors, a GPU beside its other phases.
        """
        import polars as pl

        return pl.DataFrame(list(self.device_uses)).insert_column(
            0, pl.Series("kind", list(self.kinds))
        )

    def _repr_html_(self) -> str:
        from makespan.sim.grids.table import result_html

        return result_html(self)


def result_of(simulation: GridSimulation, record: Mapping[str, Any]) -> SimulatedGrid | None:
    """What Python gets; None where nothing was done."""
    rows = simulation.rows
    if not rows:
        return None
    others = tuple(_grid(one, value) for value, one in rows[1:])
    value, one = rows[0]
    return _grid(one, value, others=others, table=simulation.table(), record=record)


def _grid(one: GridCandidate, value: float | None, **more: Any) -> SimulatedGrid:
    row = one.row()
    row.pop("devices")
    return SimulatedGrid(
        **row, kinds=one.case.kinds, device_uses=one.result["devices"], value=value, **more
    )
