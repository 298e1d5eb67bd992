# SPDX-License-Identifier: Apache-2.0
"""What a run was asked to read and write, tried before it starts; and writing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.command.reports import check_report
from makespan.files.atomic import check_outputs, text_writer, write_files
from makespan.files.resolved_path import resolved
from makespan.machines.known_machine import KnownMachine
from makespan.machines.network_file import network_path, network_text, remove_network
from makespan.machines.outcome import MachineResult
from makespan.machines.weight_request import WeightRequest
from makespan.settings.setting import expect_beside


@dataclass(frozen=True, slots=True)
class MachineRequest:
    """The settings of one run."""

    files: Sequence[Path]
    given: Mapping[str, Any]
    command: tuple[str, ...] = ()
    """The command line, for the record."""

    @property
    def output(self) -> Path | None:
        """Of the machine, or of the weights."""
        return self._path("output")

    @property
    def report(self) -> Path | None:
        """Of the page."""
        return self._path("report")

    @property
    def record(self) -> Path | None:
        """Of the record."""
        return self._path("record")

    @property
    def weights(self) -> WeightRequest | None:
        """None where none are asked for."""
        given = self.given
        if given["weights"] is None:
            return None
        return WeightRequest(given["weights"], given["places"], given["speeds"])

    def check(self) -> None:
        """Raises `InputError` for settings that do not fit each other."""
        if self.given["measure"] and (self.files or self.given["synthetic"] is not None):
            raise InputError(
                f"only this machine can be measured; leave out the file or {called('measure')}"
            )
        expect_beside(self.given, {"seconds": "measure"})
        if self.weights is not None:
            self.weights.check()
            self._refuse(
                "report", "record", why=f"with {called('weights')} (they are all that is written)"
            )
            return
        self._refuse(
            "places", "speeds", why=f"without {called('weights')} (which these would be of)"
        )
        if len(self.files) > 1:
            raise InputError(
                f"{len(self.files)} machine files (one is shown at a time): name one, or ask for "
                f"{called('weights')}"
            )

    def check_outputs(self) -> None:
        """Raises `InputError` for files that cannot be written, `NotConfiguredError`."""
        check_report(self.report)
        known = [network_path(file) for file in self.files if file.name]
        has_network = self.given["measure"] or any(resolved(path).exists() for path in known)
        is_beside = self.output is not None and has_network and self.weights is None
        network = network_path(self.output) if is_beside and self.output is not None else None
        check_outputs((self.output, network, self.report, self.record), (*self.files, *known))

    def _refuse(self, *names: str, why: str) -> None:
        name = next((name for name in names if self.given[name] is not None), None)
        if name is not None:
            raise InputError(f"{called(name)} {why}: leave it out")

    def _path(self, name: str) -> Path | None:
        value = self.given[name]
        return None if value is None else Path(value)


def write_outputs(request: MachineRequest, known: KnownMachine, machine: MachineResult) -> None:
    """What was asked for: all or nothing. The network of a machine that was replaced goes."""
    from makespan.machines.page import machine_html
    from makespan.report.run_record import json_text

    texts: dict[Path, str] = {}
    if request.output is not None:
        texts[request.output] = machine.xml if machine.weights is None else machine.weights
        if known.network is not None and machine.weights is None:
            texts[network_path(request.output)] = network_text(known.network, machine.xml)
    if request.report is not None:
        texts[request.report] = machine_html(machine)
    if request.record is not None:
        texts[request.record] = json_text(machine.record)
    write_files({path: text_writer(text) for path, text in texts.items()})
    if request.output is not None and machine.weights is None and known.network is None:
        remove_network(request.output)
