# SPDX-License-Identifier: Apache-2.0
"""Shared memory, through which processes of a node read and write each other's values."""

from __future__ import annotations

import os
from dataclasses import dataclass

from makespan.doctor.finding import Finding, missing, ok, warning

HEAP_BYTES = 32 << 20
"""`RuntimeOptions::heap_bytes`, of an engine that does not tell."""
HEAP_VARIABLE = "MAKESPAN_HEAP_MIB"
FOLDER = "/dev/shm"  # noqa: S108 - the folder itself is what is looked at


@dataclass(frozen=True, slots=True)
class SharedMemoryFacts:
    """What there is, and what a job of one process for each core takes at least."""

    total_bytes: int | None
    """None: there is no such folder."""
    free_bytes: int
    is_writable: bool
    heap_bytes: int
    """Of one process."""
    processes: int


def gather_shared_memory(processes: int) -> SharedMemoryFacts:
    """Of this machine."""
    heap = _heap_bytes()
    try:
        disk = os.statvfs(FOLDER)
    except OSError:
        return SharedMemoryFacts(None, 0, is_writable=False, heap_bytes=heap, processes=processes)
    return SharedMemoryFacts(
        disk.f_frsize * disk.f_blocks,
        disk.f_frsize * disk.f_bavail,
        os.access(FOLDER, os.W_OK),
        heap,
        processes,
    )


def _heap_bytes() -> int:
    from makespan.base.engine import load_engine
    from makespan.base.errors import NotConfiguredError

    asked = os.environ.get(HEAP_VARIABLE, "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked) << 20
    try:
        return int(load_engine().build_info().get("heap_bytes", HEAP_BYTES))
    except NotConfiguredError:
        return HEAP_BYTES


def probe_shared_memory(facts: SharedMemoryFacts) -> Finding:
    """Whether heaps of all processes have room."""
    each = f"{_mib(facts.heap_bytes)} each"
    if facts.total_bytes is None or not facts.is_writable:
        state = "not there" if facts.total_bytes is None else "not writable"
        return missing(
            "shared memory",
            f"{FOLDER} is {state}",
            "several processes on this machine cannot run one job; one with threads can",
            f"mount -t tmpfs -o size=1g tmpfs {FOLDER} (as root)",
        )
    room = facts.free_bytes // facts.heap_bytes
    found = f"{_mib(facts.free_bytes)} free of {_mib(facts.total_bytes)} in {FOLDER}"
    if room < facts.processes:
        few = "not one process" if room == 0 else f"{room} process{'es' * (room > 1)}"
        small = max(1, (facts.free_bytes >> 21) // facts.processes)
        return warning(
            "shared memory",
            found,
            f"room for the heaps of {few} of a job ({each}), and there are {facts.processes} cores",
            f"docker run --shm-size=1g, mount -o remount,size=1g {FOLDER} (as root), "
            f"or {HEAP_VARIABLE}={small}",
        )
    return ok("shared memory", found, f"heaps of {facts.processes} processes ({each}) have room")


def _mib(size: int) -> str:
    return f"{size >> 30} GiB" if size >= 10 << 30 else f"{size >> 20} MiB"
