# SPDX-License-Identifier: Apache-2.0
"""What a command was told of weights, and the text that comes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from makespan.base.errors import InputError
from makespan.machines.known_machine import KnownMachine
from makespan.machines.speed_list import speeds_from
from makespan.machines.weights.formats import WeightFormat, weight_format
from makespan.machines.weights.machine_parts import LEVELS, machine_parts, part_latencies
from makespan.machines.weights.part import Part, WeightedParts

_HOST = re.compile(r'<info name="HostName" value="([^"]*)"')


@dataclass(frozen=True, slots=True)
class WeightRequest:
    """What the flags say; None is what was not said."""

    weights: str
    places: str | None = None
    gpus: bool = False
    speeds: str | None = None

    def check(self) -> WeightFormat:
        """The format. Raises `InputError` if the flags do not fit each other."""
        known = weight_format(self.weights)
        if self.places is not None and self.places not in LEVELS:
            raise InputError(
                f"--places {self.places} (no such part): choose one of {', '.join(LEVELS)}"
            )
        if known.of_nodes:
            for flag, given in (
                ("--places", self.places not in (None, "machine")),
                ("--gpus", self.gpus),
            ):
                if given:
                    raise InputError(
                        f"{flag} (--weights {known.name} is of whole machines): leave it out"
                    )
        if self.gpus and self.speeds is None:
            raise InputError(
                "--gpus (no speed of a GPU is measured): give --speeds of all parts, GPUs last"
            )
        return known

    def text(self, machines: Sequence[KnownMachine]) -> str:
        """What the file holds: the parts of all machines, one after the other."""
        known = self.check()
        level = self.places or ("machine" if known.of_nodes else "core")
        parts = [
            part
            for machine in machines
            for part in machine_parts(machine, level, gpus=self.gpus, measured=self.speeds is None)
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
        speeds = speeds_from(self.speeds)
        if len(speeds) != len(parts):
            raise InputError(
                f"--speeds has {len(speeds)} numbers (there are {len(parts)} parts): give one for "
                "each"
            )
        return [replace(part, speed=speed) for part, speed in zip(parts, speeds, strict=True)]


def _node_name(machine: KnownMachine) -> str:
    """As hwloc wrote it down, without a domain; else that of the file."""
    found = _HOST.search(machine.engine_machine.xml())
    return found[1].partition(".")[0] if found else Path(machine.source).stem
