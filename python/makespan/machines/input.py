# SPDX-License-Identifier: Apache-2.0
"""The settings by which commands are told of a machine: its description, and its places."""

from __future__ import annotations

from makespan.machines.speed_list import SPEEDS as SPEED_LIST
from makespan.settings.kinds import ABOVE_0, COUNT, FROM_0, OneOf, OrElse, Text
from makespan.settings.setting import Setting
from makespan.settings.shared import FILE

WITH_GPUS = "+gpu"
"""After a part of a machine: each GPU, too."""


def place_words(*parts: str) -> OneOf:
    """These parts of a machine, alone or with its GPUs: `core`, `core+gpu`."""
    return OneOf((*parts, *(f"{part}{WITH_GPUS}" for part in parts)))


def part_and_gpus(word: str) -> tuple[str, bool]:
    """The part that a word of `place_words` says, and whether GPUs are meant, too."""
    return word.removesuffix(WITH_GPUS), word.endswith(WITH_GPUS)


MACHINE = Setting(
    "machine", FILE, help="The machine, of `makespan machine -o`; this machine by default."
)
SYNTHETIC = Setting(
    "synthetic",
    Text("a machine in hwloc's words, as 'package:2 numa:2 core:8 pu:1'"),
    help="A machine made up, in hwloc's words: 'package:2 numa:2 core:8 pu:1'.",
)
NODES = Setting("nodes", COUNT, help="So many of that machine, as one.")
NETWORK_LATENCY_US = Setting(
    "network_latency_us", FROM_0, unit="us", help="Of a message from node to node."
)
NETWORK_BANDWIDTH_GB = Setting(
    "network_bandwidth_gb", ABOVE_0, unit="10^9 B/s", help="From node to node, in 10^9 bytes/s."
)
PLACES = Setting(
    "places",
    OrElse(COUNT, place_words("core", "numa", "package"), "PART"),
    default="core",
    help="What a place is (+gpu: each GPU, too), or so many equal ones.",
)
SPEEDS = Setting(
    "speeds", SPEED_LIST, help="Of places, as in 1,1,0.25 or 4*1,4*0.25; 1 by default."
)

PLACE_SETTINGS = (
    *(MACHINE, SYNTHETIC, NODES, NETWORK_LATENCY_US, NETWORK_BANDWIDTH_GB, PLACES, SPEEDS),
)
"""Of commands that put something in the places of a machine."""
