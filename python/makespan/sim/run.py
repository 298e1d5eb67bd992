# SPDX-License-Identifier: Apache-2.0
"""The story of a simulation: read the machine and the bag, run each case, nothing printed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError, Interrupted
from makespan.base.setting_names import called
from makespan.job.progress import OnProgress, of_steps
from makespan.machines.network_file import files_of
from makespan.settings.algorithm import Algorithm
from makespan.settings.setting import expect_beside
from makespan.settings.shared import DISPATCHER, POLICY
from makespan.settings.table_columns import columns_of
from makespan.sim.comparison import Case, Way, compare_each, sorted_by_case, ways_of
from makespan.sim.files.description import DescriptionFile, Opened
from makespan.sim.input import PATHS_DEFAULT, TASKS_DEFAULT
from makespan.sim.machine import Machine
from makespan.sim.machine_text import opened_machine, platform_of
from makespan.sim.measured_machine import is_asked, measured_machine
from makespan.sim.outcome import Simulation
from makespan.sim.replay import Replay, read_replay
from makespan.sim.runs import StoppedError
from makespan.sim.short_items import check_time_counts
from makespan.sim.sweep import Sweep, read_sweep
from makespan.sim.task_file import is_task_file, read_tasks, tasks_of_columns
from makespan.sim.tasks import Tasks, made_tasks

TasksGiven = int | str | PathLike[str] | Sequence[float] | Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be simulated: a machine, tasks, and the value of each setting."""

    description: Opened | None
    tasks: TasksGiven | None
    """A number of tasks stands for the text of it."""
    given: Mapping[str, Any]
    spans: int = 0
    """So many of each schedule are kept."""

    def check(self) -> None:
        """Raises `InputError` for what does not go together."""
        named = {"tasks": self.tasks} | {one: self.given[one] for one in ("bag", "replay")}
        flags = [called(name) for name, value in named.items() if value is not None]
        if len(flags) > 1:
            raise InputError(f"{' and '.join(flags)}: a run has one bag: give one of them")
        if self.given["cost_error"] > 0.0 and not self.makes_tasks:
            raise InputError(
                f"{called('cost_error')}: only of made tasks: give {called('tasks')} COUNT:..."
            )
        expect_beside(self.given, {"paths": "bag"})
        if self.description is not None and is_asked(self.given):
            raise InputError(
                f"{_source(self.description)} and {called('machine')}, or other settings of "
                "places: a run has one machine: give one of them"
            )

    @property
    def makes_tasks(self) -> bool:
        """Whether tasks are made, as `20000:lognormal` says it."""
        if self.given["bag"] is not None or self.given["replay"] is not None:
            return False
        if isinstance(self.tasks, str):
            return not is_task_file(self.tasks)
        return self.tasks is None or isinstance(self.tasks, int)

    def files(self) -> list[Path]:
        """Those that are read."""
        text = self.tasks if isinstance(self.tasks, str | PathLike) else None
        is_file = text is not None and is_task_file(fspath(text))
        named = [text if is_file else None, self.given["bag"], self.given["replay"]]
        if isinstance(self.description, DescriptionFile):
            named.append(self.description.path)
        if self.description is not None:
            named.append(platform_of(self.description))
        machine = self.given["machine"]
        more = () if machine is None else files_of(Path(machine))
        return [*(Path(one) for one in named if one is not None), *more]

    def remade(self, seed: int) -> Callable[[int], Tasks] | None:
        """Makes so many tasks as they are described, where they are made."""
        if not self.makes_tasks:
            return None
        _, colon, rest = str(self.tasks or TASKS_DEFAULT).partition(":")
        error = self.given["cost_error"]
        return lambda count: made_tasks(f"{count}{colon}{rest}", error=error, seed=seed)


def planned(engine: Engine, asked: Asked) -> Simulation:
    """The cases, of which none has run. Raises `InputError`, `NotConfiguredError`."""
    given = asked.given
    forms = {one["name"]: one["form"] for one in engine.policies()}
    replay = None if given["replay"] is None else read_replay(Path(given["replay"]), forms)
    ways = _ways(engine, given, replay)
    machine = _machine(engine, asked, replay)
    base = Case(machine, _tasks(engine, asked, machine, replay), spans=asked.spans)
    check_time_counts(base)
    if given["sweep"] is None:
        return Simulation(base, ways, [base], [], replay=replay)
    sweep = read_sweep(given["sweep"], machine.kinds)
    points = _points(engine, asked, sweep, base, ways)
    for point in points:
        check_time_counts(point)
    return Simulation(base, ways, points, [], sweep, replay)


def run(
    plan: Simulation, on_progress: OnProgress | None = None, at_a_time: int | None = None
) -> Simulation:
    """Runs all cases. Blocks.

    Raises what `simulate_each` does; `Interrupted`, whose `result` has the cases that were done.
    """
    began = time.monotonic()
    total = len(plan.cases) * len(plan.ways)

    def heard(done: int) -> None:
        if on_progress is not None:
            on_progress(of_steps(done, total, time.monotonic() - began, "cases"))

    try:
        return _with(plan, compare_each(plan.cases, plan.ways, heard, at_a_time))
    except StoppedError as stop:
        found = sorted_by_case(stop.results, len(plan.cases), plan.ways)
        raise Interrupted(len(stop.results), total, "cases", result=_with(plan, found)) from None


def _with(plan: Simulation, found: Sequence[Sequence[Any]]) -> Simulation:
    return Simulation(plan.base, plan.ways, plan.cases, found, plan.sweep, plan.replay)


def _ways(engine: Engine, given: Mapping[str, Any], replay: Replay | None) -> list[Way]:
    policy = replay.policy if replay else POLICY.default
    if (given["sweep"] or "").startswith("chunk="):
        policy = "self"
    dispatcher = replay.dispatcher if replay else DISPATCHER.default
    if replay is not None:
        _check_replayed(engine, replay)
    return ways_of(given["policy"] or policy, given["dispatcher"] or dispatcher, engine)


def _check_replayed(engine: Engine, replay: Replay) -> None:
    for registry, name in (("policies", replay.policy), ("dispatchers", replay.dispatcher)):
        wrong = Algorithm(registry).problem(name, engine)
        if wrong is not None:
            raise InputError(f"{replay.machine.source}: a damaged trace: {wrong}")


def _machine(engine: Engine, asked: Asked, replay: Replay | None) -> Machine:
    given, description = asked.given, asked.description
    if description is not None:
        machine = opened_machine(description)
    elif is_asked(given):
        machine = measured_machine(engine, given)
    elif replay is not None:
        machine = replay.machine
    else:
        raise InputError(
            "no machine (there is nothing to run on): name a description, see --example, or a "
            f"machine file by {called('machine')}"
        )
    machine.check_workers()
    machine = machine.seeded(given["seed"])
    return machine.perturbed(given["perturb"]) if given["perturb"] else machine


def _tasks(engine: Engine, asked: Asked, machine: Machine, replay: Replay | None) -> Tasks:
    given = asked.given
    tasks = str(asked.tasks) if isinstance(asked.tasks, int) else asked.tasks
    if replay is not None:
        return replay.tasks
    if given["bag"] is not None:
        from makespan.sim.book_bag import book_bag  # polars, which a tenth of a second goes to

        return book_bag(engine, Path(given["bag"]), given["paths"] or PATHS_DEFAULT)
    if tasks is None or isinstance(tasks, str | PathLike):
        text = TASKS_DEFAULT if tasks is None else fspath(tasks)
        if is_task_file(text):
            return read_tasks(Path(text))
        seed = int(machine.settings["seed"])
        return made_tasks(text, error=given["cost_error"], seed=seed)
    columns = columns_of(tasks)
    if columns is None:
        columns = {"cost": tasks}
    return tasks_of_columns("tasks", columns)


def _points(
    engine: Engine, asked: Asked, sweep: Sweep, base: Case, ways: Sequence[Way]
) -> list[Case]:
    known = {one["name"]: one["options"] for one in engine.policies()}
    options = [[option["name"] for option in known[way.policy.name]] for way in ways]
    return sweep.points(base, options, asked.remade(int(base.machine.settings["seed"])))


def _source(description: Opened) -> str:
    if isinstance(description, Mapping):
        return "a machine"
    return str(description.path if isinstance(description, DescriptionFile) else description)
