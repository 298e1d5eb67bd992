# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan simulate`: read, simulate, tell."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from makespan.cli.ways_out import told
from makespan.engine import load_engine
from makespan.errors import ExitCode, InputError
from makespan.inputs.key_file import unknown

if TYPE_CHECKING:
    from makespan.simulation.comparison import Candidate
    from makespan.simulation.machine_text import Machine
    from makespan.simulation.replay import Replay
    from makespan.simulation.tasks import Tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateCommand:
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
    json: bool
    quiet: bool

    def run(self) -> ExitCode:
        """Does it, says how it ended, and returns the exit code."""
        return told(self._run, as_json=self.json)

    def _run(self) -> None:
        from makespan.simulation.comparison import compare
        from makespan.simulation.example import MACHINE_EXAMPLE

        if self.example:
            sys.stdout.write(MACHINE_EXAMPLE)
            return
        self._check_sources()
        replay = self._read_replay()
        ways = self._ways(replay)
        options = self._options() or self._replayed_options(replay)
        machine = self._machine(replay)
        tasks = self._tasks(machine, replay)
        self._tell(machine, tasks, compare(machine, tasks, ways, options=options), replay)

    def _check_sources(self) -> None:
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
        from makespan.simulation.machine_writer import machine_toml
        from makespan.simulation.replay import read_replay

        if self.replay is None:
            return None
        replay = read_replay(self.replay)
        if self.write_machine is not None:
            _write(self.write_machine, machine_toml(replay.machine))
        return replay

    def _machine(self, replay: Replay | None) -> Machine:
        from makespan.simulation.machine_text import read_machine

        if self.machine is not None:
            return self._seeded(read_machine(self.machine))
        if replay is not None:
            return self._seeded(replay.machine)
        raise InputError("no machine (there is nothing to run on): name one; see --example")

    def _tasks(self, machine: Machine, replay: Replay | None) -> Tasks:
        from makespan.simulation.task_file import is_task_file, read_tasks
        from makespan.simulation.tasks import made_tasks

        if replay is not None:
            return replay.tasks
        if self.bag is not None:
            from makespan.simulation.book_bag import book_bag

            return book_bag(load_engine(), self.bag, self.paths)
        text = self.tasks or "10000"
        if is_task_file(text):
            return read_tasks(Path(text))
        return made_tasks(text, error=self.cost_error, seed=int(machine.settings["seed"]))

    def _ways(self, replay: Replay | None) -> list[tuple[str, str]]:
        engine = load_engine()
        policy = self.policy or (replay.policy.partition(":")[0] if replay else "equal_time")
        dispatcher = self.dispatcher or (replay.dispatcher if replay else "steal")
        policies = _chosen("policy", policy, [one["name"] for one in engine.policies()])
        dispatchers = _chosen(
            "dispatcher", dispatcher, [one["name"] for one in engine.dispatchers()]
        )
        return [(policy, dispatcher) for policy in policies for dispatcher in dispatchers]

    def _replayed_options(self, replay: Replay | None) -> dict[str, float]:
        """Of the policy that the trace was made with, as long as no other is asked for."""
        from makespan.settings import policy_options

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

    def _tell(
        self,
        machine: Machine,
        tasks: Tasks,
        candidates: Sequence[Candidate],
        replay: Replay | None,
    ) -> None:
        from makespan.report.simulation_table import (
            comparison_table,
            headline,
            last_line,
            measured_line,
            simulation_document,
        )

        if self.json:
            sys.stdout.write(simulation_document(machine, tasks, candidates, replay))
        elif not self.quiet:
            from rich.console import Console

            sys.stdout.write(f"{headline(machine, tasks)}\n\n")
            Console(soft_wrap=True, highlight=False).print(comparison_table(candidates))
            sys.stdout.write(f"\n{last_line(candidates)}\n")
            if replay is not None:
                sys.stdout.write(f"{measured_line(replay, candidates)}\n")


def _write(path: Path, text: str) -> None:
    from makespan.atomic import write_files

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
