# SPDX-License-Identifier: Apache-2.0
"""`makespan.simulate`: bags in virtual time from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.sim.comparison import Candidate, Case, compare
from makespan.sim.machine_text import Machine, machine_of, read_machine
from makespan.sim.task_file import is_task_file, read_tasks, tasks_of_columns
from makespan.sim.tasks import Tasks, made_tasks

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class SimulatedBag:
    """What came of a bag in virtual time; all times in seconds."""

    policy: str
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
    workers: pl.DataFrame
    """A row for each: kind, device, running_s, claiming_s, waiting_s, items."""
    spans: pl.DataFrame
    """The first so many of the schedule: worker, kind, begin_s, end_s, items."""

    @property
    def over_ideal(self) -> float:
        """The makespan over what could not be beaten; infinite where the bag is never done."""
        return self.makespan_s / self.ideal_s if self.complete else float("inf")


def simulate(
    machine: str | PathLike[str] | Mapping[str, Any],
    tasks: str | PathLike[str] | Sequence[float] | Mapping[str, Sequence[float]],
    *,
    policy: str = "equal_time",
    dispatcher: str = "steal",
    options: Mapping[str, float] | None = None,
    seed: int | None = None,
    spans: int = 0,
) -> SimulatedBag:
    """Runs a bag in virtual time on a machine that one need not have.

    `machine` is the path of a description, or its tables as TOML has them: `{"kind": {"cpu":
    {"speed": 1e9}}, "node": [{"devices": ["2 cpu"]}]}` (docs/how-to/simulate.md). `tasks` are
    costs, one for each; or columns `cost` (of an item), `items` (1) and `factor` (real over
    predicted), each of shape (tasks,); or as the command line has them: `"20000:lognormal:0.5"`,
    or the path of a table. `options` are the policy's, `seed` comes before the description's,
    the first `spans` of the schedule are kept.

    Blocks until it is through; repeats to the last bit. Raises `InputError`, `NotConfiguredError`
    in a build without SimGrid, `EngineError`.
    """
    where = _machine(machine)
    if seed is not None:
        where = replace(where, settings={**where.settings, "seed": seed})
    bag = _tasks(tasks, int(where.settings["seed"]))
    (found,) = compare(Case(where, bag, options or {}, spans), [(policy, dispatcher)])
    return _told(where, found)


def _machine(given: str | PathLike[str] | Mapping[str, Any]) -> Machine:
    if isinstance(given, Mapping):
        return machine_of("machine", given)
    return read_machine(Path(fspath(given)))


def _tasks(
    given: str | PathLike[str] | Sequence[float] | Mapping[str, Sequence[float]], seed: int
) -> Tasks:
    if isinstance(given, str | PathLike):
        text = fspath(given)
        return read_tasks(Path(text)) if is_task_file(text) else made_tasks(text, seed=seed)
    return tasks_of_columns("tasks", given if isinstance(given, Mapping) else {"cost": given})


def _told(machine: Machine, found: Candidate) -> SimulatedBag:
    import polars as pl

    result = found.result
    kinds = machine.kinds
    workers = pl.DataFrame(list(result["workers"]))
    workers.insert_column(0, pl.Series("kind", [kinds[at] for at in workers["device"]]))
    names = ("worker", "kind", "begin_s", "end_s", "items")
    types = (pl.Int64, pl.String, pl.Float64, pl.Float64, pl.Int64)
    spans = pl.DataFrame(
        list(result["spans"]), schema=dict(zip(names, types, strict=True)), orient="row"
    )
    return SimulatedBag(
        found.policy,
        found.dispatcher,
        result["makespan_s"],
        result["ideal_s"],
        result["complete"],
        found.idle,
        result["claims"],
        result["steals"],
        result["operations"],
        result["messages"],
        workers,
        spans,
    )
