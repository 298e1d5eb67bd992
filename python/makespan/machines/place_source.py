# SPDX-License-Identifier: Apache-2.0
"""The places that objects can be in, from what a command was told of the machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError, NotConfiguredError
from makespan.base.number_text import count_text
from makespan.base.setting_names import called
from makespan.machines.input import PLACE_SETTINGS, part_and_gpus
from makespan.machines.network_file import between_nodes
from makespan.settings.from_python import plain

KINDS = ("cpu", "gpu")
"""Of the engine's places, by number."""
PLACES_MAX = 1 << 20
"""Of all nodes: more are a mistake of typing, that would fill the memory."""


def expect_countable(places: int, nodes: int) -> None:
    """Raises `InputError` for too many places of too many nodes, before they are made."""
    if places * nodes <= PLACES_MAX:
        return
    each = f" on each of {nodes} nodes" if nodes > 1 else ""
    raise InputError(
        f"{called('places')} ({count_text(places, 'place')}{each}): there are {PLACES_MAX} at "
        "most: give fewer"
    )


@dataclass(frozen=True, slots=True)
class PlaceSource:
    """The values of `PLACE_SETTINGS`; None is what was not said."""

    machine: Path | None = None
    synthetic: str | None = None
    places: str | int = "core"
    nodes: int | None = None
    network_latency_us: float | None = None
    network_bandwidth_gb: float | None = None
    speeds: Sequence[float] | None = None

    @staticmethod
    def of(given: Mapping[str, Any]) -> PlaceSource:
        """Flags or keywords."""
        mine = {one.name: given[one.name] for one in PLACE_SETTINGS}
        machine = None if mine["machine"] is None else Path(mine["machine"])
        return PlaceSource(**{**mine, "machine": machine, "speeds": plain(mine["speeds"])})

    def known(self, engine: Engine) -> KnownPlaces:
        """The places. Raises `InputError`."""
        try:
            return self._known(engine)
        except ValueError as error:
            raise error if isinstance(error, InputError) else InputError(str(error)) from error
        except NotImplementedError as error:
            raise NotConfiguredError(
                f"{error}; install libhwloc-dev and build makespan again, or give a number of "
                f"equal places by {called('places')}"
            ) from error

    def _known(self, engine: Engine) -> KnownPlaces:
        self._check_network()
        if isinstance(self.places, int):
            self._check_equal()
            expect_countable(self.places, self.nodes or 1)
            table = engine.PlaceTable.equal(self.places)
            name, network = count_text(int(self.places), "equal place"), None
        else:
            from makespan.machines.known_machine import known_machine

            machine = known_machine(engine, self.machine, self.synthetic)
            part, gpus = part_and_gpus(self.places)
            table = engine.PlaceTable.of_machine(machine.engine_machine, part, gpus)
            is_here = self.machine is None and self.synthetic is None
            name = f"this machine {machine.source}" if is_here else machine.source
            network = machine.network
        if self.nodes is None:
            return KnownPlaces(self._with_speeds(table), name)
        expect_countable(len(table.labels), self.nodes)
        table, how = self._repeated(table, self.nodes, network)
        return KnownPlaces(
            self._with_speeds(table), f"{count_text(self.nodes, 'node')} of {name}", how
        )

    def _check_network(self) -> None:
        for name in ("network_latency_us", "network_bandwidth_gb"):
            if getattr(self, name) is not None and self.nodes is None:
                raise InputError(
                    f"{called(name)} (there is one node): say how many by {called('nodes')}"
                )

    def _check_equal(self) -> None:
        for name in ("machine", "synthetic"):
            if getattr(self, name) is not None:
                raise InputError(
                    f"{called(name)} ({called('places')} {self.places}, equal ones, need no "
                    f"machine): leave it out, or let {called('places')} be core, numa or package"
                )

    def _repeated(self, table: Any, nodes: int, network: Any) -> tuple[Any, str]:
        latency_us, bandwidth_gb = self.network_latency_us, self.network_bandwidth_gb
        is_said = latency_us is not None or bandwidth_gb is not None
        if network is not None and not is_said and len(set(network["hosts"])) == nodes:
            tables = (network[name] for name in ("hosts", "latencies", "bandwidths"))
            return table.on_hosts(*tables), "measured between these hosts"
        latency_s, bandwidth, how = between_nodes(network, latency_us, bandwidth_gb)
        return table.repeated(nodes, latency_s, bandwidth), how

    def _with_speeds(self, table: Any) -> Any:
        if self.speeds is None:
            return table
        speeds = list(map(float, self.speeds))
        places = len(table.labels)
        if self.nodes and len(speeds) * self.nodes == places:
            speeds = speeds * self.nodes
        if len(speeds) != places:
            each = f", or {places // self.nodes} for those of a node" if self.nodes else ""
            raise InputError(
                f"{called('speeds')} has {len(speeds)} numbers (there are {places} places): give "
                f"one for each{each}"
            )
        return table.with_speeds(speeds)


@dataclass(frozen=True, slots=True)
class KnownPlaces:
    """The engine's table of places; `name` is the machine as messages name it."""

    table: Any
    name: str
    network: str = ""

    @property
    def labels(self) -> list[str]:
        """By place: `Core 3`, `node 1 Core 3`."""
        return list(self.table.labels)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of places that there are, as graphs name them."""
        return KINDS[: 1 + max(self.table.kinds)]

    def costs_text(self) -> str:
        """Where the costs of messages come from."""
        sources = [_source_text(self.table.latency_source, "latency")]
        sources.append(_source_text(self.table.bandwidth_source, "bandwidth"))
        if self.network:
            sources.append(f"network {self.network}")
        return "; ".join(sources)


def _source_text(matrix: str, what: str) -> str:
    """`latency by core latency`, `bandwidth assumed`."""
    if matrix == "assumed":
        return f"{what} assumed"
    return f"{what} by {matrix.removeprefix('makespan:').replace('_', ' ')}"
