# SPDX-License-Identifier: Apache-2.0
"""What a run was told of weights, and the text that comes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.machines.input import part_and_gpus
from makespan.machines.machine_parts import machine_parts, part_latencies
from makespan.machines.outcome import MachineResult
from makespan.machines.weights.formats import WeightFormat, weight_format
from makespan.machines.weights.part import Part, WeightedParts

_HOST = re.compile(r'<info name="HostName" value="([^"]*)"')


@dataclass(frozen=True, slots=True)
class WeightRequest:
    """The settings of weights; None is what was not said."""

    weights: str
    places: str | None = None
    speeds: Sequence[float] | None = None

    def check(self) -> WeightFormat:
        """The format. Raises `InputError` if the settings do not fit each other."""
        known = weight_format(self.weights)
        if known.of_nodes and self.places not in (None, "machine"):
            raise InputError(
                f"{called('places')} {self.places} (weights of {known.name} are of whole "
                "machines): leave it out"
            )
        if self.places is not None and part_and_gpus(self.places)[1] and self.speeds is None:
            raise InputError(
                f"{called('places')} {self.places} (no speed of a GPU is measured): give "
                f"{called('speeds')} of all parts, GPUs last"
            )
        return known

    def text(self, machines: Sequence[MachineResult]) -> str:
        """What the file holds: the parts of all machines, one after the other."""
        known = self.check()
        level, gpus = part_and_gpus(self.places or ("machine" if known.of_nodes else "core"))
        parts = [
            part
            for machine in machines
            for part in machine_parts(machine, level, gpus=gpus, measured=self.speeds is None)
        ]
        return known.text(
            WeightedParts(
                self._with_speeds(parts),
                [_node_name(machine) for machine in machines] if known.of_nodes else (),
                part_latencies(machines[0], parts) if len(machines) == 1 else None,
            )
        )

    def _with_speeds(self, parts: Sequence[Part]) -> Sequence[Part]:
        if self.speeds is None:
            return parts
        if len(self.speeds) != len(parts):
            raise InputError(
                f"{called('speeds')} has {len(self.speeds)} numbers (there are {len(parts)} "
                "parts): give one for each"
            )
        return [replace(part, speed=speed) for part, speed in zip(parts, self.speeds, strict=True)]


def _node_name(machine: MachineResult) -> str:
    """As hwloc wrote it down, without a domain; else that of the file."""
    found = _HOST.search(machine.xml)
    return found[1].partition(".")[0] if found else Path(machine.source).stem
