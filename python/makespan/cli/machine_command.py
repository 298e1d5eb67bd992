# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan machine`: find the machine, measure it, write, show."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.cli.command import Command
from makespan.cli.exit import stdout_width
from makespan.cli.reports import check_report
from makespan.engine import Engine, load_engine
from makespan.errors import InputError
from makespan.launcher import is_later_image

if TYPE_CHECKING:
    from makespan.machine.known_machine import KnownMachine

FALLBACK_WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCommand(Command):
    """One call of `makespan machine`, its flags read."""

    file: Path | None
    synthetic: str | None
    output: Path | None
    measure: bool
    seconds: float
    report: Path | None
    quiet: bool

    def _run(self) -> None:
        engine = load_engine()
        if not self.measure:
            if not is_later_image():
                self._check_outputs()
                self._finish(self._found(engine))
            return
        if self.file is not None or self.synthetic is not None:
            raise InputError("only this machine can be measured; leave out the file or --measure")
        from makespan.machine.measuring import joined_meter
        from makespan.teams import serve

        with joined_meter(engine) as meter:
            if meter is not None and meter.image != 0:
                serve(meter)
                return
            self._check_outputs()
            machine = self._found(engine)
            self._measure(engine, machine, meter)
        self._finish(machine)

    def _found(self, engine: Engine) -> KnownMachine:
        from makespan.machine.known_machine import known_machine

        return known_machine(engine, self.file, self.synthetic)

    def _check_outputs(self) -> None:
        from makespan.atomic import check_outputs
        from makespan.machine.network_file import network_path

        check_report(self.report)
        if self.output is None:
            check_outputs((self.report,), (self.file,))
            return
        known = None if self.file is None else network_path(self.file)
        has_network = self.measure or (known is not None and known.exists())
        network = network_path(self.output) if has_network else None
        check_outputs((self.output, network, self.report), (self.file, known))

    def _measure(self, engine: Engine, machine: KnownMachine, meter: Any) -> None:
        from makespan.machine.measuring import measure_machine, measure_network
        from makespan.report.step_bar import StepBar

        with StepBar(enabled=sys.stderr.isatty() and not self.quiet) as bar:
            measure_machine(engine, machine, self.seconds, bar)
            if meter is not None:
                machine.network = measure_network(meter, engine, self.seconds, bar)

    def _finish(self, machine: KnownMachine) -> None:
        self._write(machine)
        if self.json:
            from makespan.report.machine_document import machine_document

            sys.stdout.write(machine_document(machine))
        elif not self.quiet:
            self._show(machine)

    def _write(self, machine: KnownMachine) -> None:
        from makespan.atomic import write_files
        from makespan.machine.network_file import network_path, network_text
        from makespan.report.machine_page import machine_html

        texts: dict[Path, str] = {}
        if self.output is not None:
            texts[self.output] = machine.engine_machine.xml()
            if machine.network is not None:
                text = network_text(machine.network, texts[self.output])
                texts[network_path(self.output)] = text
        if self.report is not None:
            texts[self.report] = machine_html(machine)
        write_files({path: _writer(text) for path, text in texts.items()})

    def _show(self, machine: KnownMachine) -> None:
        from rich.console import Console

        from makespan.report.machine_tree import cost_rows, cost_table, machine_tree

        console = Console(width=stdout_width(FALLBACK_WIDTH), highlight=False)
        console.print(machine_tree(machine))
        if cost_rows(machine):
            console.print()
            console.print(cost_table(machine))
        if machine.sampling:
            console.print(f"\nMeasured between {machine.sampling}.")
        for path in (self.output, self.report):
            if path is not None:
                console.print(f"wrote {path}", markup=False, soft_wrap=True)


def _writer(text: str) -> Any:
    return lambda path: path.write_text(text, encoding="utf-8")
