# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan simulate`: read, simulate, tell."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.command.command import Command
from makespan.command.exit import stdout_width
from makespan.command.reports import check_report
from makespan.settings.key_file import unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from makespan.sim.comparison import Candidate, Case, Way
    from makespan.sim.machine_text import Machine
    from makespan.sim.replay import Replay
    from makespan.sim.tasks import Tasks

FALLBACK_WIDTH = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateCommand(Command):
    """One call of the command, its flags read."""

    machine: Path | None
    example: bool
    tasks: str | None
    cost_error: float
    bag: Path | None
    paths: int
    replay: Path | None
    write_machine: Path | None
    policy: str | None
    dispatcher: str | None
    option: list[str] | None
    seed: int | None
    sweep: str | None
    report: Path | None
    quiet: bool

    def _run(self) -> None:
        from makespan.sim.comparison import Case, compare
        from makespan.sim.example import MACHINE_EXAMPLE

        if self.example:
            sys.stdout.write(MACHINE_EXAMPLE)
            return
        self._check_sources()
        replay = self._read_replay()
        ways = self._ways(replay)
        options = self._options() or self._replayed_options(replay)
        machine = self._machine(replay)
        case = Case(machine, self._tasks(machine, replay), options)
        if self.sweep is not None:
            self._run_sweep(self.sweep, case, ways)
            return
        candidates = compare(case, ways)
        self._report(case, candidates, ways[0], replay)
        self._tell(case, candidates, replay)

    def _run_sweep(self, text: str, case: Case, ways: Sequence[Way]) -> None:
        from makespan.sim.comparison import compare_each
        from makespan.sim.sweep import read_sweep
        from makespan.sim.sweep_page import sweep_html
        from makespan.sim.sweep_table import left_out_line, sweep_document, sweep_table

        sweep = read_sweep(text, case.machine.kinds)
        known = {one["name"]: one["options"] for one in load_engine().policies()}
        options = [[option["name"] for option in known[policy]] for policy, _ in ways]
        found = compare_each(sweep.points(case, options, self._remaker(case.machine)), ways)
        machine, tasks = case.machine, case.tasks
        if self.report is not None:
            _write(self.report, sweep_html(machine, tasks, sweep, found))
        if self.json:
            sys.stdout.write(sweep_document(machine, tasks, sweep, found))
        elif not self.quiet:
            self._show(case, sweep_table(sweep, found), left_out_line(found))

    def _remaker(self, machine: Machine) -> Callable[[int], Tasks] | None:
        """Makes so many tasks as the flags describe them, where they are made."""
        from makespan.sim.task_file import is_task_file
        from makespan.sim.tasks import made_tasks

        text = self.tasks or "10000"
        if self.bag is not None or self.replay is not None or is_task_file(text):
            return None
        _, colon, rest = text.partition(":")
        seed = int(machine.settings["seed"])
        return lambda count: made_tasks(f"{count}{colon}{rest}", error=self.cost_error, seed=seed)

    def _check_sources(self) -> None:
        from makespan.files.atomic import check_outputs

        check_report(self.report)
        task_file = Path(self.tasks) if self.tasks is not None else None
        read = (self.machine, self.bag, self.replay, task_file)
        check_outputs((self.report, self.write_machine), read)
        given = [
            flag
            for flag, value in (
                ("--tasks", self.tasks),
                ("--bag", self.bag),
                ("--replay", self.replay),
            )
            if value is not None
        ]
        if len(given) > 1:
            raise InputError(f"{' and '.join(given)}: a run has one bag: give one of them")
        if self.write_machine is not None and self.replay is None:
            raise InputError("--write-machine: only a trace has a machine to write: give --replay")
        if self.cost_error > 0.0 and (self.bag is not None or self.replay is not None):
            raise InputError("--cost-error: only of made tasks: give --tasks")

    def _read_replay(self) -> Replay | None:
        from makespan.sim.machine_writer import machine_toml
        from makespan.sim.replay import read_replay

        if self.replay is None:
            return None
        replay = read_replay(self.replay)
        if self.write_machine is not None:
            _write(self.write_machine, machine_toml(replay.machine))
        return replay

    def _machine(self, replay: Replay | None) -> Machine:
        from makespan.sim.machine_text import read_machine

        if self.machine is not None:
            return self._seeded(read_machine(self.machine))
        if replay is not None:
            return self._seeded(replay.machine)
        raise InputError("no machine (there is nothing to run on): name one; see --example")

    def _tasks(self, machine: Machine, replay: Replay | None) -> Tasks:
        from makespan.sim.task_file import is_task_file, read_tasks
        from makespan.sim.tasks import made_tasks

        if replay is not None:
            return replay.tasks
        if self.bag is not None:
            from makespan.sim.book_bag import book_bag

            return book_bag(load_engine(), self.bag, self.paths)
        text = self.tasks or "10000"
        if is_task_file(text):
            return read_tasks(Path(text))
        return made_tasks(text, error=self.cost_error, seed=int(machine.settings["seed"]))

    def _ways(self, replay: Replay | None) -> list[tuple[str, str]]:
        engine = load_engine()
        policy = self.policy or (replay.policy.partition(":")[0] if replay else "equal_time")
        if self.policy is None and (self.sweep or "").startswith("chunk="):
            policy = "self"
        dispatcher = self.dispatcher or (replay.dispatcher if replay else "steal")
        policies = _chosen("policy", policy, [one["name"] for one in engine.policies()])
        dispatchers = _chosen(
            "dispatcher", dispatcher, [one["name"] for one in engine.dispatchers()]
        )
        return [(policy, dispatcher) for policy in policies for dispatcher in dispatchers]

    def _replayed_options(self, replay: Replay | None) -> dict[str, float]:
        """Of the policy that the trace was made with, as long as no other is asked for."""
        from makespan.pricing.input import policy_options

        if replay is None or self.policy is not None:
            return {}
        return policy_options(replay.policy, load_engine())[1]

    def _options(self) -> dict[str, float]:
        options = {}
        for text in self.option or []:
            name, equals, value = text.partition("=")
            try:
                options[name] = float(value)
            except ValueError:
                equals = ""
            if not equals:
                raise InputError(f"--option {text}: give name=value, as fraction=0.25")
        return options

    def _seeded(self, machine: Machine) -> Machine:
        if self.seed is None:
            return machine
        return replace(machine, settings={**machine.settings, "seed": self.seed})

    def _report(
        self, case: Case, candidates: Sequence[Candidate], first: Way, replay: Replay | None
    ) -> None:
        """Runs those again whose schedules are drawn: to the last bit they are the same."""
        from makespan.sim.comparison import compare
        from makespan.sim.page import SPANS_KEPT, simulation_html

        if self.report is None:
            return
        done = [(one.policy, one.dispatcher) for one in candidates if one.result["complete"]]
        drawn = dict.fromkeys([*done[:1], *(way for way in [first] if way in done), *done[-1:]])
        schedules = [compare(replace(case, spans=SPANS_KEPT), [way])[0] for way in drawn]
        page = simulation_html(case.machine, case.tasks, candidates, schedules, replay)
        _write(self.report, page)

    def _tell(self, case: Case, candidates: Sequence[Candidate], replay: Replay | None) -> None:
        from makespan.sim.table import (
            comparison_table,
            last_line,
            measured_line,
            simulation_document,
        )

        if self.json:
            sys.stdout.write(simulation_document(case.machine, case.tasks, candidates, replay))
        elif not self.quiet:
            lines = [last_line(candidates)]
            if replay is not None:
                lines.append(measured_line(replay, candidates))
            self._show(case, comparison_table(candidates), *lines)

    def _show(self, case: Case, table: Table, *lines: str) -> None:
        from rich.console import Console

        from makespan.sim.table import headline

        sys.stdout.write(f"{headline(case.machine, case.tasks)}\n\n")
        width = max(FALLBACK_WIDTH, stdout_width(FALLBACK_WIDTH))
        Console(width=width, highlight=False).print(table)
        told_lines = [line for line in lines if line]
        if self.report is not None:
            told_lines.append(f"wrote {self.report}")
        if told_lines:
            sys.stdout.write("\n" + "\n".join(told_lines) + "\n")


def _write(path: Path, text: str) -> None:
    from makespan.files.atomic import write_files

    def write(unfinished: Path) -> None:
        unfinished.write_text(text, encoding="utf-8")

    write_files({path: write})


def _chosen(what: str, text: str, known: Sequence[str]) -> list[str]:
    if text == "all":
        return list(known)
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise InputError(f"--{what} {text}: {unknown(what, name, [*known, 'all'])}")
    return list(dict.fromkeys(names))
