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
    from makespan.simulation.tasks import Tasks


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateCommand:
    """One call of the command, its flags read."""

    machine: Path | None
    example: bool
    tasks: str
    cost_error: float
    policy: str
    dispatcher: str
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
        from makespan.simulation.machine_text import read_machine
        from makespan.simulation.tasks import made_tasks

        if self.example:
            sys.stdout.write(MACHINE_EXAMPLE)
            return
        if self.machine is None:
            raise InputError("no machine (there is nothing to run on): name one; see --example")
        ways = self._ways()
        options = self._options()
        machine = self._seeded(read_machine(self.machine))
        tasks = made_tasks(self.tasks, error=self.cost_error, seed=int(machine.settings["seed"]))
        self._tell(machine, tasks, compare(machine, tasks, ways, options=options))

    def _ways(self) -> list[tuple[str, str]]:
        engine = load_engine()
        policies = _chosen("policy", self.policy, [one["name"] for one in engine.policies()])
        dispatchers = _chosen(
            "dispatcher", self.dispatcher, [one["name"] for one in engine.dispatchers()]
        )
        return [(policy, dispatcher) for policy in policies for dispatcher in dispatchers]

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

    def _tell(self, machine: Machine, tasks: Tasks, candidates: Sequence[Candidate]) -> None:
        from makespan.report.simulation_table import (
            comparison_table,
            headline,
            last_line,
            simulation_document,
        )

        if self.json:
            sys.stdout.write(simulation_document(machine, tasks, candidates))
        elif not self.quiet:
            from rich.console import Console

            sys.stdout.write(f"{headline(machine, tasks)}\n\n")
            Console(soft_wrap=True, highlight=False).print(comparison_table(candidates))
            sys.stdout.write(f"\n{last_line(candidates)}\n")


def _chosen(what: str, text: str, known: Sequence[str]) -> list[str]:
    if text == "all":
        return list(known)
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise InputError(f"--{what} {text}: {unknown(what, name, [*known, 'all'])}")
    return list(dict.fromkeys(names))
