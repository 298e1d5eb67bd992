# SPDX-License-Identifier: Apache-2.0
"""The machine that a melt runs on in virtual time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.base.number_text import count_text
from makespan.base.setting_names import called
from makespan.machines.input import (
    NETWORK_BANDWIDTH_GB,
    NETWORK_LATENCY_US,
    NODES,
    PLACES,
    SPEEDS,
    SYNTHETIC,
)
from makespan.machines.place_source import KnownPlaces, PlaceSource
from makespan.settings.input_file import InputValues
from makespan.settings.kinds import COUNT, OneOf, OrElse, Switch
from makespan.settings.setting import Setting, expect_beside

PLACES_MAX = 4096
"""Each has a stack of its own, and knows all objects."""

_CORES = PLACES.but(
    kind=OrElse(OneOf(("core", "numa", "package")), COUNT, "PART"),
    help="What a place is, or so many equal ones.",
)
"""A melt's objects run on cores alone."""
_OF_MACHINE = (SYNTHETIC, NODES, NETWORK_LATENCY_US, NETWORK_BANDWIDTH_GB, _CORES, SPEEDS)
VIRTUAL_SETTINGS = (
    Setting(
        "virtual",
        Switch(),
        default=False,
        help="Run in virtual time, on the machine that --machine (auto: this one), --synthetic, "
        "--places and --nodes describe.",
    ),
    *(
        one.but(default=None, help=f"Of --virtual: {one.help[:1].lower()}{one.help[1:]}")
        for one in _OF_MACHINE
    ),
)
"""Of a run in virtual time; the machine's file is the input's key."""


def virtual_places(
    engine: Engine, given: Mapping[str, Any], values: InputValues, images: int
) -> KnownPlaces | None:
    """The places of the machine; None for a run in real time. Raises `InputError`."""
    expect_beside(given, {one.name: "virtual" for one in _OF_MACHINE})
    if not given["virtual"]:
        return None
    for name in ("threads", "checkpoint", "restart_from"):
        if given[name] is not None:
            raise InputError(
                f"{called(name)} (a run in virtual time has none): leave it out, or "
                f"{called('virtual')}"
            )
    if images > 1:
        raise InputError(
            f"{called('virtual')} (there are {count_text(images, 'image')}): virtual time is that "
            "of one process; start it without mpiexec"
        )
    machine = str(values["machine"])
    if machine == "none":
        raise InputError(
            f"{values.blamed}: machine = none (a run in virtual time needs a machine): name a "
            "file, or auto for this one"
        )
    source = PlaceSource(
        machine=None if machine == "auto" or given["synthetic"] else Path(machine),
        synthetic=given["synthetic"],
        places="core" if given["places"] is None else given["places"],
        nodes=given["nodes"],
        network_latency_us=given["network_latency_us"],
        network_bandwidth_gb=given["network_bandwidth_gb"],
        speeds=given["speeds"],
    )
    if machine != "auto" and given["synthetic"] is not None:
        raise InputError(
            f"{called('synthetic')} (there is a machine's file, too): leave one of them out"
        )
    places = source.known(engine)
    if len(places.labels) > PLACES_MAX:
        raise InputError(
            f"{places.name} has {len(places.labels)} places (in virtual time there are "
            f"{PLACES_MAX} at most): describe a smaller machine"
        )
    return places
