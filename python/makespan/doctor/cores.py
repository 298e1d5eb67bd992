# SPDX-License-Identifier: Apache-2.0
"""Cores: those of the machine, those that this process may use, and how much of them."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

from makespan.doctor.finding import Finding, ok, warning


@dataclass(frozen=True, slots=True)
class CoreFacts:
    """Counts of logical cores, as the system numbers them."""

    machine: int
    allowed: int
    """By affinity: taskset, cpusets, a launcher that binds."""
    quota: float | None
    """Cores' worth of time that the cgroup grants (docker --cpus, Kubernetes limits); None: all."""
    is_launched: bool
    """A process of a job has its share only, and should."""


def gather_cores(*, is_launched: bool) -> CoreFacts:
    """Of this process."""
    machine = os.cpu_count() or 1
    allowed = len(os.sched_getaffinity(0))
    return CoreFacts(machine, allowed, cpu_quota(Path("/")), is_launched)


def cpu_quota(root: Path) -> float | None:
    """The least of this process's cgroup and all above it; of version 2 and of version 1."""
    quotas = []
    for controller, path in _cgroups(root / "proc" / "self" / "cgroup"):
        base = root / "sys" / "fs" / "cgroup" / controller
        # In a container the names of groups above are not to be seen: what is there is looked at.
        for group in (base / path, *(base / path).parents):
            if base != group and base not in group.parents:
                break
            quotas.append(_quota_of(group))
    return min((quota for quota in quotas if quota is not None), default=None)


def _cgroups(listing: Path) -> list[tuple[str, str]]:
    """Folders of controllers, and this process's group in each."""
    found = [("", ""), ("cpu", ""), ("cpu,cpuacct", "")]
    try:
        lines = listing.read_text(encoding="utf-8").splitlines()
    except OSError:
        return found
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers or "cpu" in controllers.split(","):
            found.append((controllers, path.lstrip("/")))
    return found


def _quota_of(group: Path) -> float | None:
    try:
        if (group / "cpu.max").is_file():
            quota, period = (group / "cpu.max").read_text(encoding="ascii").split()
        else:
            quota = (group / "cpu.cfs_quota_us").read_text(encoding="ascii").strip()
            period = (group / "cpu.cfs_period_us").read_text(encoding="ascii").strip()
        return None if quota in ("max", "-1") else float(quota) / float(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None


def probe_cores(facts: CoreFacts) -> Finding:
    """Whether runs get what the machine has."""
    found = f"{facts.allowed} of {facts.machine} allowed to this process"
    if facts.quota is not None and facts.quota < facts.allowed:
        whole = max(1, math.floor(facts.quota))
        return warning(
            "cores",
            f"{found}, and time of {facts.quota:g} of them",
            "as many threads as cores are stopped again and again; those that wait for each other "
            "wait longer",
            f"--threads {whole}, or a container with more: docker run --cpus={facts.allowed}",
        )
    if facts.allowed < facts.machine and not facts.is_launched:
        return warning(
            "cores",
            found,
            "runs leave the others idle",
            f"taskset -pc 0-{facts.machine - 1} $$ (in a container: docker run --cpuset-cpus)",
        )
    return ok("cores", found, "a run uses all of them, unless --threads or --devices says less")
