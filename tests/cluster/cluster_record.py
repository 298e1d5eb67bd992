# SPDX-License-Identifier: Apache-2.0
"""What is written down of each running cluster, so that later commands find it and clean it up.

One file a cluster, in a folder of this user's. A cluster lives as long as one process, which the
record names by its id and the time of its start: ids are used again, the pair is not.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

# Names the record to processes inside a cluster: there, process ids are others than outside.
RECORD_VARIABLE = "MAKESPAN_CLUSTER_RECORD"

KILL_WAIT_S = 10.0


class ClusterError(RuntimeError):
    """A command cannot be carried out; the text says why and what would help."""


@dataclass(frozen=True)
class Cluster:
    """One running cluster.

    `pid` and `start_ticks` are those of the process that holds it, seen from outside; `hosts` maps
    each host to the process that holds it, seen from inside.
    """

    name: str
    pid: int
    start_ticks: int
    in_user_namespace: bool
    hosts: dict[str, int]

    @property
    def path(self) -> Path:
        """The file of this record."""
        return record_folder() / f"{self.name}.json"

    @property
    def is_running(self) -> bool:
        """Whether the process that holds the cluster is still that process."""
        return start_ticks_of(self.pid) == self.start_ticks


def record_folder() -> Path:
    """Return the folder of this user's records."""
    return Path(tempfile.gettempdir()) / f"makespan-clusters-{os.getuid()}"


def start_ticks_of(pid: int) -> int | None:
    """Return when a process was started [clock ticks since boot]; None if it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The second field is the program's name in parentheses, and may hold anything, blanks too.
    fields = text.rpartition(")")[2].split()
    is_dead = fields[0] in ("Z", "X")
    return None if is_dead else int(fields[19])


def write_record(cluster: Cluster) -> None:
    """Write the record so that a reader sees all of it or nothing."""
    cluster.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = cluster.path.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(asdict(cluster)) + "\n", encoding="utf-8")
    partial.replace(cluster.path)


def read_record(path: Path) -> Cluster | None:
    """Read one record; None if it is gone, or is none."""
    try:
        return Cluster(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def running_clusters() -> list[Cluster]:
    """Return the clusters that run, and drop the records of those that do not."""
    running = []
    for path in sorted(record_folder().glob("*.json")):
        cluster = read_record(path)
        if cluster is not None and cluster.is_running:
            running.append(cluster)
        else:
            path.unlink(missing_ok=True)
    return running


def find_cluster(name: str) -> Cluster | None:
    """Return the running cluster of that name."""
    return next((entry for entry in running_clusters() if entry.name == name), None)


def cluster_with(host: str) -> Cluster:
    """Return the running cluster that has this host."""
    running = running_clusters()
    found = [entry for entry in running if host in entry.hosts]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(entry.name for entry in found)
        msg = f"host '{host}' is in several clusters ({names}): give --prefix to `up`"
    else:
        hosts = ", ".join(name for entry in running for name in entry.hosts) or "none"
        msg = f"no host '{host}' (hosts that are up: {hosts}): `up N` makes them"
    raise ClusterError(msg)


def children_of(pid: int) -> list[int]:
    """Return the children of a process; none where the system does not tell."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in text.split()]


def descendants_of(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that these have started."""
    return [found for child in children_of(pid) for found in (child, *descendants_of(child))]


def kill_all(pids: list[int]) -> None:
    """End processes; those that are gone already do not matter."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_cluster(cluster: Cluster) -> None:
    """End every process of the cluster, and with the last one its hosts and its network.

    The record's process is the parent of process 1 of the cluster, and waits for it; with process 1
    the system ends all processes of its process namespace.
    """
    if cluster.is_running:
        kill_all(children_of(cluster.pid) or [cluster.pid])
    give_up_s = time.monotonic() + KILL_WAIT_S
    while cluster.is_running:
        if time.monotonic() > give_up_s:
            msg = f"process {cluster.pid} of cluster '{cluster.name}' does not end: kill -9 it"
            raise ClusterError(msg)
        time.sleep(0.01)
    cluster.path.unlink(missing_ok=True)
