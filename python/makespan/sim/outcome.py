# SPDX-License-Identifier: Apache-2.0
"""What comes of a simulation: its cases, and what Python gets of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from makespan.sim.comparison import Candidate, Case, Way
    from makespan.sim.replay import Replay
    from makespan.sim.sweep import Sweep

SPANS_KEPT = 200_000
"""Of a schedule that is drawn or written: the first ones."""
_COUNTS = ("claims", "steals", "operations", "messages")


@dataclass(frozen=True, slots=True)
class Simulation:
    """All of a run. Without a sweep there is one case, else one for each of its values."""

    base: Case
    """The machine and the tasks as they are without the sweep."""
    ways: Sequence[Way]
    cases: Sequence[Case]
    found: Sequence[Sequence[Candidate]]
    """Of each case what came of each way, the best first."""
    sweep: Sweep | None = None
    replay: Replay | None = None

    @property
    def rows(self) -> list[tuple[float | None, Candidate]]:
        """All of them in order, each with the sweep's value."""
        values = [None] if self.sweep is None else self.sweep.values
        return [(value, one) for value, own in zip(values, self.found, strict=True) for one in own]

    def table(self) -> pl.DataFrame:
        """A row for each; the column `value` is of sweeps. What is infinite is null."""
        import polars as pl

        rows = [_table_row(one) for _, one in self.rows]
        table = pl.DataFrame(rows, schema=_SCHEMA)
        if self.sweep is None:
            return table
        values = pl.Series("value", [value for value, _ in self.rows], dtype=pl.Float64)
        return table.insert_column(0, values)


_SCHEMA: dict[str, Any] = {
    "policy": str,
    "dispatcher": str,
    "complete": bool,
    "makespan_s": float,
    "ideal_s": float,
    "ratio": float,
    "idle": float,
    **dict.fromkeys(_COUNTS, int),
}


def _table_row(one: Candidate) -> dict[str, Any]:
    return {
        "policy": one.policy,
        "dispatcher": one.dispatcher,
        "complete": one.result["complete"],
        "makespan_s": one.result["makespan_s"],
        "ideal_s": finite(one.result["ideal_s"]),
        "ratio": finite(one.over_ideal),
        "idle": one.idle,
        **{name: one.result[name] for name in _COUNTS},
    }


def finite(value: float) -> float | None:
    """None where it is infinite."""
    return None if math.isinf(value) else value


@dataclass(frozen=True)
class SimulatedBag:
    """What came of a bag in virtual time; all times in seconds.

    Of several policies, dispatchers or values of a sweep it is the first case, the best of the
    first value; `cases` has all, `table` a row for each.
    """

    policy: str
    """With its options, as it is written."""
    dispatcher: str
    makespan_s: float
    ideal_s: float
    """All work over what the devices could do until then; infinite where none is left."""
    complete: bool
    """False where no device was left to do the rest."""
    idle: float
    """The part of all workers' time in which they ran nothing."""
    claims: int
    steals: int
    operations: int
    """One-sided, to other processes."""
    messages: int
    kinds: Sequence[str] = field(repr=False)
    """Of the devices, through all images."""
    worker_uses: Sequence[Mapping[str, Any]] = field(repr=False)
    first_spans: Sequence[Sequence[Any]] = field(repr=False)
    value: float | None = None
    """Of the sweep."""
    measured_s: float | None = None
    """How long the run took whose trace is replayed."""
    others: Sequence[SimulatedBag] = field(default=(), repr=False)
    table: Any = field(default=None, repr=False, compare=False)
    """A polars table with a row for each case."""
    record: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    """What was simulated, by what: docs/reference/record.md."""

    @property
    def hash(self) -> str | None:
        """Of all that the simulator said, of all cases; None of one case of several."""
        return None if self.record is None else str(self.record["result_hash"])

    @property
    def over_ideal(self) -> float:
        """The makespan over what could not be beaten; infinite where the bag is never done."""
        return self.makespan_s / self.ideal_s if self.complete else float("inf")

    @property
    def cases(self) -> tuple[SimulatedBag, ...]:
        """This one and all others, in the order of `table`."""
        return (self, *self.others)

    @cached_property
    def workers(self) -> pl.DataFrame:
        """A row for each: kind, device, running_s, claiming_s, waiting_s, items."""
        import polars as pl

        workers = pl.DataFrame(list(self.worker_uses))
        kinds = [self.kinds[device] for device in workers["device"]]
        return workers.insert_column(0, pl.Series("kind", kinds))

    @cached_property
    def spans(self) -> pl.DataFrame:
        """The first so many of the schedule: worker, kind, begin_s, end_s, items."""
        import polars as pl

        names = ("worker", "kind", "begin_s", "end_s", "items")
        types = (pl.Int64, pl.String, pl.Float64, pl.Float64, pl.Int64)
        return pl.DataFrame(
            list(self.first_spans), schema=dict(zip(names, types, strict=True)), orient="row"
        )

    def _repr_html_(self) -> str:
        from makespan.sim.table import result_html

        return result_html(self)


def result_of(simulation: Simulation, record: Mapping[str, Any]) -> SimulatedBag | None:
    """What Python gets; None where nothing was done."""
    measured_s = None if simulation.replay is None else simulation.replay.measured_s
    kinds = [
        case.machine.kinds
        for case, own in zip(simulation.cases, simulation.found, strict=True)
        for _ in own
    ]
    rows = list(zip(simulation.rows, kinds, strict=True))
    if not rows:
        return None
    others = tuple(_bag(one, own, value=value) for (value, one), own in rows[1:])
    (value, one), own = rows[0]
    return _bag(
        one,
        own,
        value=value,
        measured_s=measured_s,
        others=others,
        table=simulation.table(),
        record=record,
    )


def _bag(one: Candidate, kinds: Sequence[str], **more: Any) -> SimulatedBag:
    result = one.result
    names = ("makespan_s", "ideal_s", "complete", *_COUNTS)
    return SimulatedBag(
        policy=one.policy,
        dispatcher=one.dispatcher,
        idle=one.idle,
        kinds=kinds,
        worker_uses=result["workers"],
        first_spans=result["spans"],
        **{name: result[name] for name in names},
        **more,
    )
