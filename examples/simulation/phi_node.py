# SPDX-License-Identifier: Apache-2.0
"""The node of "Heterogeneous CAF-based Load Balancing on Intel Xeon Phi", as a simulation has it.

Two processors of 8 threads and two Xeon Phi of 240, a process on each. With an option on each
thread (MO) a processor does 2.0e9 random values a second, with one option on all (MT) 1.56e9; a
Phi does twice that (sections VI.D and VII.A). Options are those of the paper's reference program:
2^20 paths of 365 values. Latencies are ours: the paper has none.
"""

from __future__ import annotations

from typing import Any

import makespan

VALUES = 2**20 * 365
"""Of an option."""
BLOCKS = 1024
"""That an option can be claimed in."""
MO_CPU, MT_CPU = 2.0e9, 1.56e9
MO_PHI, MT_PHI = 2 * MO_CPU, 2 * MT_CPU
OPTION_S = VALUES / MT_CPU
"""An option on a processor, in MT."""
FAST_US, SLOW_US = 10.0, 300.0
"""One way between two processes."""

Kinds = dict[str, dict[str, Any]]


def mt(cpu0_part: float = 1.0) -> Kinds:
    """Every device does one option after the other, on all its threads."""
    return {
        "cpu0": {"speed": MT_CPU * cpu0_part},
        "cpu1": {"speed": MT_CPU},
        "phi": {"speed": MT_PHI},
    }


def mo() -> Kinds:
    """Every thread has an option of its own."""
    cpu = {"threads": 8, "speed": MO_CPU, "mode": "mo"}
    return {"cpu0": cpu, "cpu1": cpu, "phi": {"threads": 240, "speed": MO_PHI, "mode": "mo"}}


def mth() -> Kinds:
    """The same as `mt`, but cpu1 takes eight options at a time, one on each thread."""
    return {**mt(), "cpu1": {"threads": 8, "speed": MO_CPU, "together": MT_CPU, "mode": "mth"}}


def blocks() -> Kinds:
    """Every thread claims blocks of options; no thread needs a whole option."""
    return {name: {**kind, "mode": "auto"} for name, kind in mo().items()}


def node(kinds: Kinds, *, latency_us: float = FAST_US, progress: str = "helper") -> dict[str, Any]:
    """The description: a process for each device."""
    return {
        "kind": kinds,
        "node": [{"devices": ["cpu0", "cpu1", "2 phi"], "image": "device"}],
        "network": {
            "latency_us": latency_us,
            "node_latency_us": latency_us,
            "message_us": 10.0,
            "progress": progress,
        },
    }


def book(options: int, parts: int = 1) -> dict[str, list[float]]:
    """So many options, each in equal parts."""
    return {"cost": [VALUES / parts] * options, "items": [parts] * options}


def chunks_of(seconds: float) -> str:
    """The policy equal_time, with chunks that all take so long."""
    return f"equal_time:chunk_s_min={seconds!r},chunk_s_max={seconds!r}"


def values_per_second(options: int, ran: makespan.SimulatedBag) -> float:
    """As the paper counts."""
    return options * VALUES / ran.makespan_s
