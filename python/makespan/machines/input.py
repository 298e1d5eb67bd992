# SPDX-License-Identifier: Apache-2.0
"""The settings of machines: what describes one and its places, and those of `makespan machine`."""

from __future__ import annotations

from makespan.machines.speed_list import SPEEDS as SPEED_LIST
from makespan.machines.weights.formats import FORMATS
from makespan.machines.weights.part import LEVELS
from makespan.settings.kinds import (
    ABOVE_0,
    COUNT,
    FROM_0,
    FilePath,
    Number,
    OneOf,
    OrElse,
    Switch,
    Text,
)
from makespan.settings.setting import Setting
from makespan.settings.shared import FILE, GATHER, OUTPUT, RECORD, REPORT

SECONDS_DEFAULT = 9.0
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
    OrElse(place_words("core", "numa", "package"), COUNT, "PART"),
    default="core",
    help="What a place is (+gpu: each GPU, too), or so many equal ones.",
)
SPEEDS = Setting(
    "speeds",
    SPEED_LIST,
    help="Of places, as in 1,1,0.25 or 4*1,4*0.25; 1 by default: what is measured of a machine is "
    "memory, not computing.",
    of_text=("1,1,0.25 or 4*1,4*0.25", "[1, 1, 0.25]"),
)

PLACE_SETTINGS = (
    *(MACHINE, SYNTHETIC, NODES, NETWORK_LATENCY_US, NETWORK_BANDWIDTH_GB, PLACES, SPEEDS),
)
"""Of commands that put something in the places of a machine."""

FILES = Setting(
    "files",
    FilePath(),
    help="A machine file; this machine by default. For --weights one or more.",
    is_argument=True,
    is_repeated=True,
    only_flag=True,
)
MACHINE_SETTINGS = (
    SYNTHETIC,
    Setting(
        "measure",
        Switch(),
        default=False,
        help="Measure latencies and bandwidths of this machine; under mpiexec between images, too.",
    ),
    Setting(
        "seconds",
        Number(least=0.01, most=3600),
        unit="s",
        help="Time for --measure, and a quarter more for messages; as long again for images; "
        f"{SECONDS_DEFAULT:g} by default.",
    ),
    Setting(
        "weights",
        OneOf(tuple(known.name for known in FORMATS)),
        help="Weights for another program, instead of the tree; --list describes them.",
    ),
    PLACES.but(
        kind=OrElse(OneOf(LEVELS), OneOf(tuple(level + WITH_GPUS for level in LEVELS)), "PART"),
        default=None,
        help="Of --weights, what gets a weight; core by default; with +gpu each GPU, too (needs "
        "--speeds).",
    ),
    SPEEDS.but(help="Of --weights, instead of what was measured: 1,1,0.25 or 4*1,4*0.25."),
    OUTPUT.but(help="Write the machine here, as hwloc's XML; with --weights the weights."),
    REPORT.but(help="Write a page: the tree, and heat maps of what was measured."),
    RECORD.but(help="Write all figures of the machine here, with what measured them, and when."),
)
"""All that `makespan machine` and `makespan.machine` have in common."""

PYTHON_SETTINGS = (*MACHINE_SETTINGS, GATHER)
