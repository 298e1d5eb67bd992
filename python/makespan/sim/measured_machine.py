# SPDX-License-Identifier: Apache-2.0
"""Machines of `makespan machine` as what can be simulated: a device for each place.

Such a file holds latencies and bandwidths, and no speeds of computing: those are given, or equal.
`makespan machine --weights` takes bandwidths of memory as speeds, since it is for programs that go
through more data than caches hold; tasks of a bag compute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError, NotConfiguredError
from makespan.base.setting_names import called
from makespan.machines.input import part_and_gpus
from makespan.machines.known_machine import KnownMachine, known_machine
from makespan.machines.network_file import between_nodes
from makespan.machines.place_source import expect_countable
from makespan.sim.machine import Machine, calm_settings, device_of, network_of

KINDS = ("cpu", "gpu")
"""Of the engine's places, by number."""
_NAMES = ("machine", "synthetic", "nodes", "network_latency_us", "network_bandwidth_gb", "speeds")


def is_asked(given: Mapping[str, Any]) -> bool:
    """Whether one of the settings of places says something."""
    return given["places"] != "core" or any(given[name] is not None for name in _NAMES)


def measured_machine(engine: Engine, given: Mapping[str, Any]) -> Machine:
    """What the settings of places describe. Raises `InputError`, `NotConfiguredError`."""
    try:
        return _machine(engine, given)
    except NotImplementedError as error:
        raise NotConfiguredError(
            f"{error}; install libhwloc-dev and build makespan again, or give a number of equal "
            f"places by {called('places')}"
        ) from error
    except ValueError as error:
        raise error if isinstance(error, InputError) else InputError(str(error)) from error


def _machine(engine: Engine, given: Mapping[str, Any]) -> Machine:
    nodes = given["nodes"] or 1
    known: KnownMachine | None = None
    if isinstance(given["places"], int):
        for name in ("machine", "synthetic"):
            if given[name] is not None:
                raise InputError(
                    f"{called('places')} {given['places']} (a number of equal places needs no "
                    f"machine): leave out {called(name)}, or choose core, numa or package"
                )
        expect_countable(given["places"], nodes)
        source, cores = f"{given['places']} equal places", [("cpu", 1)] * given["places"]
    else:
        file = None if given["machine"] is None else Path(given["machine"])
        known = known_machine(engine, file, given["synthetic"])
        source, cores = known.source, _places(engine, known, given["places"])
    expect_countable(len(cores), nodes)
    devices, notes = _devices(cores, given["speeds"], nodes)
    network, how = _network(None if known is None else known.network, given, nodes)
    images = [{"node": node, "devices": devices[node]} for node in range(nodes)]
    said = [notes, *([how] if nodes > 1 else [])]
    many = f"{nodes} nodes of {source}" if nodes > 1 else source
    return Machine(many, tuple(images), calm_settings(network), notes=tuple(said))


def _places(engine: Engine, known: KnownMachine, word: str) -> list[tuple[str, int]]:
    """Kind and cores of each place."""
    part, with_gpus = part_and_gpus(word)
    table = engine.PlaceTable.of_machine(known.engine_machine, part, with_gpus)
    cores = _cores_below(known.places())
    return [
        (KINDS[kind], cores.get(label, 1) if KINDS[kind] == "cpu" else 1)
        for label, kind in zip(table.labels, table.kinds, strict=True)
    ]


def _cores_below(places: Sequence[Mapping[str, Any]]) -> Mapping[str, int]:
    """How many cores are in each place, by its label; a NUMA node has those beside it."""
    found: Counter[str] = Counter()
    beside: dict[int, list[str]] = {}
    for one in places:
        if one["kind"] == "numa_node":
            beside.setdefault(one["parent"], []).append(one["label"])
    for one in places:
        at = one["parent"] if one["kind"] == "core" else None
        while at is not None:
            found.update([places[at]["label"], *beside.get(at, ())])
            at = places[at]["parent"]
    return found


def _devices(
    places: Sequence[tuple[str, int]], speeds: Sequence[float] | None, nodes: int
) -> tuple[list[list[dict[str, Any]]], str]:
    """By node; and what is said of their speeds."""
    count = len(places)
    if speeds is None:
        own = [float(cores) for _, cores in places]
        note = (
            "speeds: 1 unit of work per second for each core (what is measured is memory, not "
            "computing)"
        )
    elif len(speeds) in (count, count * nodes):
        own = [float(one) for one in speeds]
        note = "speeds: as given, in units of work per second"
    else:
        each = f", or {count * nodes} for those of all nodes" if nodes > 1 else ""
        raise InputError(
            f"{called('speeds')} has {len(speeds)} numbers (a node has {count} places): give one "
            f"for each{each}"
        )
    if len(own) == count:
        own = own * nodes
    devices = [
        [device_of(kind, cores, own[node * count + at]) for at, (kind, cores) in enumerate(places)]
        for node in range(nodes)
    ]
    return devices, note


def _network(
    measured: Mapping[str, Any] | None, given: Mapping[str, Any], nodes: int
) -> tuple[dict[str, Any], str]:
    """As the engine takes it; and what is said of it."""
    latency_us, bandwidth_gb = given["network_latency_us"], given["network_bandwidth_gb"]
    for name in ("network_latency_us", "network_bandwidth_gb"):
        if given[name] is not None and nodes == 1:
            raise InputError(
                f"{called(name)} (there is one node): say how many by {called('nodes')}"
            )
    latency, bandwidth, how = between_nodes(measured, latency_us, bandwidth_gb)
    known = {"latency": latency, "bandwidth": bandwidth}
    network = network_of(**{name: value for name, value in known.items() if value is not None})
    shown = f"{network['latency'] * 1e6:.4g} us and {network['bandwidth'] / 1e9:.4g} GB/s"
    return network, f"network: {shown} ({how})"
