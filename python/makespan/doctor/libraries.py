# SPDX-License-Identifier: Apache-2.0
"""Libraries that an engine is built with or without: UCX, hwloc, SimGrid, Scotch and METIS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from makespan.doctor.finding import Finding, missing, ok, warning

SOURCE = "pip install --no-binary makespan makespan, after apt-get install "


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """What the build has, and the network devices that UCX could use."""

    built_with: frozenset[str] | None
    """Words of `build_info()["with"]`; None without engine, or of an older one."""
    infiniband: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    why_no_simulator: str | None = None
    """Where the build has SimGrid, and its extension does not load."""


def gather_libraries(system: Path = Path("/sys/class")) -> LibraryFacts:
    """Of the engine and this machine."""
    from makespan.base.engine import load_engine, load_simulator
    from makespan.base.errors import NotConfiguredError

    why_no_simulator = None
    try:
        words = load_engine().build_info().get("with")
    except NotConfiguredError:
        words = None
    try:
        load_simulator()
    except NotConfiguredError as error:
        why_no_simulator = str(error.__cause__)
    return LibraryFacts(
        None if words is None else frozenset(words),
        _devices(system / "infiniband"),
        tuple(name for name in _devices(system / "net") if name != "lo"),
        why_no_simulator,
    )


def _devices(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(entry.name for entry in folder.iterdir()))
    except OSError:
        return ()


def probe_ucx(facts: LibraryFacts) -> Finding:
    """How messages go from node to node."""
    devices = f"InfiniBand {', '.join(facts.infiniband)}" if facts.infiniband else "no InfiniBand"
    network = f"{devices}; network {', '.join(facts.network) or 'none'}"
    lost = "between nodes messages go by MPI, one thread at a time"
    if not _has(facts, "ucx"):
        finding = warning if facts.infiniband else missing
        return finding("UCX", f"{_without(facts)}; {network}", lost, f"{SOURCE}libucx-dev")
    meaning = "each thread has its own way into the network"
    if not facts.infiniband:
        meaning = "between nodes by TCP, each thread by its own way"
    return ok("UCX", f"in the engine; {network}", meaning)


def probe_hwloc(facts: LibraryFacts) -> Finding:
    """What is known of the machine's caches and nodes."""
    if not _has(facts, "hwloc"):
        return missing(
            "hwloc",
            _without(facts),
            "makespan machine shows nothing, and makespan balance knows no places but equal ones "
            "(--places N)",
            f"{SOURCE}libhwloc-dev",
        )
    return ok("hwloc", "in the engine", "makespan machine shows packages, caches, cores")


def probe_simgrid(facts: LibraryFacts) -> Finding:
    """Whether bags can be simulated."""
    if not _has(facts, "simgrid"):
        return missing(
            "SimGrid",
            _without(facts),
            "makespan simulate does not run; balance --phases does",
            f"{SOURCE}libsimgrid-dev",
        )
    if facts.why_no_simulator is not None:
        return warning(
            "SimGrid",
            f"in the engine, and does not load: {facts.why_no_simulator}",
            "makespan simulate does not run; balance --phases does",
            "apt-get install libsimgrid-dev, or build makespan again",
        )
    return ok("SimGrid", "in the engine", "makespan simulate runs bags in virtual time")


def probe_partitioners(facts: LibraryFacts) -> Finding:
    """Which of the two balancers by other libraries are there."""
    known = {"scotch": "Scotch", "metis": "METIS"}
    there = [name for word, name in known.items() if _has(facts, word)]
    lost = [word for word in known if not _has(facts, word)]
    if lost:
        return missing(
            "partitioners",
            _without(facts, f" {' and '.join(known[word] for word in lost)}"),
            f"no balancer {' or '.join(lost)} in makespan balance; all others are there",
            f"{SOURCE}{' '.join(f'lib{word}-dev' for word in lost)}",
        )
    return ok("partitioners", " and ".join(there), "balancers scotch and metis of balance")


def _without(facts: LibraryFacts, what: str = "") -> str:
    """How it is said that the engine has not got it."""
    return (
        "not known (no engine, or an older one)"
        if facts.built_with is None
        else f"the engine is without{what}"
    )


def _has(facts: LibraryFacts, word: str) -> bool:
    return facts.built_with is not None and word in facts.built_with
