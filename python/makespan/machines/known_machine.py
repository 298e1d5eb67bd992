# SPDX-License-Identifier: Apache-2.0
"""A machine, from wherever it comes, as the reports show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError, NotConfiguredError
from makespan.machines.machine_file import machine_text
from makespan.machines.network_file import network_path, read_network


@dataclass(slots=True)
class KnownMachine:
    """The engine's machine; `source` is a host's name, a file, or a description."""

    engine_machine: Any
    source: str
    sampling: str = ""
    network: dict[str, Any] | None = None
    _places: list[dict[str, Any]] = field(default_factory=list)

    def places(self) -> list[dict[str, Any]]:
        """The tree: each place before all that is below it."""
        if not self._places:
            self._places = list(self.engine_machine.places())
        return self._places

    def matrices(self) -> list[dict[str, Any]]:
        """Costs between places, row by row."""
        return list(self.engine_machine.matrices())

    def label(self, place: int) -> str:
        """`Core 3`."""
        return str(self.places()[place]["label"])


def known_machine(engine: Engine, file: Path | None, synthetic: str | None) -> KnownMachine:
    """From a file, from hwloc's synthetic description, or this one. Raises `InputError`."""
    if file is not None and synthetic is not None:
        raise InputError("a machine is from a file or from --synthetic, not both; leave one out")
    try:
        if file is not None:
            text = machine_text(file)
            found = engine.Machine.from_xml(text, str(file))
            return KnownMachine(found, str(file), network=read_network(network_path(file), text))
        if synthetic is not None:
            return KnownMachine(engine.Machine.synthetic(synthetic), synthetic)
        import platform

        return KnownMachine(engine.Machine.this_one(), platform.node() or "this machine")
    except ValueError as error:
        raise InputError(str(error)) from error
    except NotImplementedError as error:
        raise NotConfiguredError(
            f"{error}; install libhwloc-dev and build makespan again"
        ) from error
