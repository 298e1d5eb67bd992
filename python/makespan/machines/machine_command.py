# SPDX-License-Identifier: Apache-2.0
"""The story of `makespan machine`: find the machine, measure it, write, show."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine, load_engine
from makespan.base.errors import InputError
from makespan.command.command import Command
from makespan.command.exit import stdout_width
from makespan.command.reports import check_report
from makespan.job.launcher import is_later_image
from makespan.machines.weight_flags import LIST, WeightFlags

if TYPE_CHECKING:
    from makespan.machines.known_machine import KnownMachine
    from makespan.machines.weights.request import WeightRequest

FALLBACK_WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCommand(Command):
    """One call of `makespan machine`, its flags read."""

    file: Sequence[Path] | None
    synthetic: str | None
    output: Path | None
    measure: bool
    seconds: float
    report: Path | None
    quiet: bool
    asked: WeightFlags

    def _run(self) -> None:
        if self.asked.weights == LIST:
            self._list_formats()
            return
        request = self._checked_request()
        engine = load_engine()
        if not self.measure:
            if not is_later_image():
                self._check_outputs()
                self._finish(self._found(engine), request)
            return
        if self.file or self.synthetic is not None:
            raise InputError("only this machine can be measured; leave out the file or --measure")
        from makespan.job.teams import serve
        from makespan.machines.measuring import joined_meter

        with joined_meter(engine) as meter:
            if meter is not None and meter.image != 0:
                serve(meter)
                return
            self._check_outputs()
            machines = self._found(engine)
            self._measure(engine, machines[0], meter)
        self._finish(machines, request)

    def _list_formats(self) -> None:
        from makespan.machines.weights.formats import formats_text

        if not is_later_image():
            sys.stdout.write(formats_text())

    def _checked_request(self) -> WeightRequest | None:
        request = self.asked.request()
        if request is None:
            if self.file and len(self.file) > 1:
                raise InputError(
                    f"{len(self.file)} machine files (one is shown at a time): name one, or give "
                    "--weights"
                )
            return None
        for flag, given in (("--json", self.json), ("--report", self.report is not None)):
            if given:
                raise InputError(
                    f"{flag} with --weights (weights are all that is written): leave one out"
                )
        return request

    def _found(self, engine: Engine) -> list[KnownMachine]:
        from makespan.machines.known_machine import known_machine

        return [known_machine(engine, file, self.synthetic) for file in self.file or (None,)]

    def _check_outputs(self) -> None:
        from makespan.files.atomic import check_outputs
        from makespan.machines.network_file import network_path

        check_report(self.report)
        files = self.file or ()
        if self.output is None:
            check_outputs((self.report,), files)
            return
        known = [network_path(file) for file in files if file.name]
        has_network = self.measure or any(path.exists() for path in known)
        is_beside = has_network and self.asked.weights is None
        network = network_path(self.output) if is_beside else None
        check_outputs((self.output, network, self.report), (*files, *known))

    def _measure(self, engine: Engine, machine: KnownMachine, meter: Any) -> None:
        from makespan.machines.measuring import measure_machine, measure_network
        from makespan.report.step_bar import StepBar

        with StepBar(enabled=sys.stderr.isatty() and not self.quiet) as bar:
            measure_machine(engine, machine, self.seconds, bar)
            if meter is not None:
                machine.network = measure_network(meter, engine, self.seconds, bar)

    def _finish(self, machines: Sequence[KnownMachine], request: WeightRequest | None) -> None:
        if request is not None:
            self._write_weights(request.text(machines))
            return
        (machine,) = machines
        self._write(machine)
        if self.json:
            from makespan.machines.document import machine_document

            sys.stdout.write(machine_document(machine))
        elif not self.quiet:
            self._show(machine)

    def _write(self, machine: KnownMachine) -> None:
        from makespan.files.atomic import write_files
        from makespan.machines.network_file import network_path, network_text
        from makespan.machines.page import machine_html

        texts: dict[Path, str] = {}
        if self.output is not None:
            texts[self.output] = machine.engine_machine.xml()
            if machine.network is not None:
                text = network_text(machine.network, texts[self.output])
                texts[network_path(self.output)] = text
        if self.report is not None:
            texts[self.report] = machine_html(machine)
        write_files({path: _writer(text) for path, text in texts.items()})

    def _write_weights(self, text: str) -> None:
        from makespan.files.atomic import write_files

        if self.output is None:
            sys.stdout.write(text)
            return
        write_files({self.output: _writer(text)})
        if not self.quiet:
            sys.stdout.write(f"wrote {self.output}\n")

    def _show(self, machine: KnownMachine) -> None:
        from rich.console import Console

        from makespan.machines.table import cost_rows, cost_table, machine_tree

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
