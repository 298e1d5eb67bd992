# SPDX-License-Identifier: Apache-2.0
"""Starts clusters and enters their hosts: the commands of util-linux that do it."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cluster_record import (
    RECORD_VARIABLE,
    Cluster,
    ClusterError,
    find_cluster,
    kill_cluster,
    read_record,
    start_ticks_of,
    write_record,
)

SWITCH_PROGRAM = Path(__file__).with_name("cluster_switch.py")
NEEDED_PROGRAMS = ("unshare", "nsenter", "ip", "tc", "mount", "hostname")
START_LIMIT_S = 30.0

CAP_SYS_ADMIN = 21

# What the system says when it will not, as opposed to what it says when we made a mistake.
REFUSALS = (
    "not permitted",
    "ermission denied",
    "not supported",
    "No space left",
    "Unknown device",
    "cannot change root filesystem propagation",  # the root is a folder: a chroot
)


class NotPermittedError(ClusterError):
    """This machine does not let this process make namespaces."""


@dataclass(frozen=True)
class Wanted:
    """A cluster to be made: hosts PREFIX1 … PREFIXn, recorded as `name`."""

    name: str
    prefix: str
    hosts: int


def may_administrate() -> bool:
    """Say whether this process can make namespaces without being root in a user namespace first."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    effective = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff"))
    return bool(int(effective, 16) >> CAP_SYS_ADMIN & 1)


def check_programs() -> None:
    """Raise NotPermittedError unless the programs that make namespaces are installed."""
    missing = [name for name in NEEDED_PROGRAMS if shutil.which(name, path=search_path()) is None]
    if missing:
        msg = f"no {', '.join(missing)} on PATH: install util-linux, iproute2 and hostname"
        raise NotPermittedError(msg)


def search_path() -> str:
    """Return PATH with the folders where `ip` and `tc` are and which not every user's PATH has."""
    return os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])


def ready_line(ready: int) -> str:
    """Return what the switch says when it is ready; empty if it ended or took too long."""
    with os.fdopen(ready, encoding="utf-8") as pipe, selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        return pipe.readline() if selector.select(START_LIMIT_S) else ""


def refuse(text: str) -> ClusterError:
    """Return the error that tells why no cluster came to be."""
    if any(refusal in text for refusal in REFUSALS):
        return NotPermittedError(text)
    return ClusterError(f"the cluster could not be made ({text})")


def holder_command(wanted: Wanted, ready: int, owner: int) -> list[str]:
    """Return the command whose process is a cluster: its switch, in namespaces of its own."""
    user = [] if may_administrate() else ["--user", "--map-root-user"]
    others = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    switch = [SWITCH_PROGRAM, wanted.hosts, wanted.prefix, ready, owner]
    return ["unshare", *user, *others, "--", sys.executable, "-I", *map(str, switch)]


def start_cluster(wanted: Wanted, owner: int | None = None) -> Cluster:
    """Make a cluster and return it once it is ready.

    With `owner`, the reading end of a pipe, it ends when the writing end is closed: the process
    that holds it may be killed in any way. Without, it stays until `kill_cluster`.
    """
    check_programs()
    if (other := find_cluster(wanted.name)) is not None:
        msg = f"cluster '{other.name}' is up already: say `down`, or choose another --prefix"
        raise ClusterError(msg)
    read_ready, write_ready = os.pipe()
    command = holder_command(wanted, write_ready, -1 if owner is None else owner)
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=(write_ready,) if owner is None else (write_ready, owner),
        start_new_session=True,  # Ctrl-C goes to the caller, which then ends this
        env={**os.environ, "PATH": search_path()},
    )
    os.close(write_ready)
    answer = json.loads(ready_line(read_ready) or "{}")
    if "hosts" not in answer:
        process.kill()
        said = process.communicate()[1].strip()
        raise refuse(answer.get("error") or said or f"not ready within {START_LIMIT_S:.0f} s")
    ticks = start_ticks_of(process.pid) or 0
    cluster = Cluster(wanted.name, process.pid, ticks, "--user" in command, answer["hosts"])
    write_record(cluster)
    return cluster


@contextlib.contextmanager
def temporary_cluster(wanted: Wanted) -> Iterator[Cluster]:
    """Have a cluster that ends with the block, or with this process however that ends."""
    owner, held = os.pipe()  # `held` is closed by the system at the latest
    cluster = None
    try:
        cluster = start_cluster(wanted, owner)
        os.close(owner)
        yield cluster
    finally:
        os.close(held)
        if cluster is not None:
            kill_cluster(cluster)


def enter_from_inside(pid: int, command: Sequence[str]) -> list[str]:
    """Return the command that runs `command` on the host that process `pid` holds.

    The working directory is entered anew: changing mounts loses it.
    """
    namespaces = ["--net", "--uts", "--ipc", "--mount"]
    stay = ["sh", "-c", 'cd "$0" && exec "$@"', str(Path.cwd())]
    return ["nsenter", "--target", str(pid), *namespaces, "--", *stay, *command]


def enter(cluster: Cluster, host: str, command: Sequence[str]) -> list[str]:
    """Return the command that runs `command` on a host, from inside the cluster or outside it."""
    inner = enter_from_inside(cluster.hosts[host], command)
    if RECORD_VARIABLE in os.environ:
        return inner
    user = ["--user", "--preserve-credentials"] if cluster.in_user_namespace else []
    processes = f"--pid=/proc/{cluster.pid}/ns/pid_for_children"
    outer = ["nsenter", "--target", str(cluster.pid), *user, "--mount", processes, "--"]
    return [*outer, *inner]


def environment_in(cluster: Cluster) -> dict[str, str]:
    """Return the environment of a program that runs on a host: it can reach the other hosts.

    UCX takes hosts that share a kernel for one machine and tries shared memory between them too;
    then MPICH's MPI_Finalize waits for ever more often. Real hosts have only a network.
    """
    network_only = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"}
    own = {"PATH": search_path(), RECORD_VARIABLE: str(cluster.path)}
    return {**network_only, **os.environ, **own}


def cluster_around() -> Cluster | None:
    """Return the cluster that this process runs in."""
    path = os.environ.get(RECORD_VARIABLE)
    return read_record(Path(path)) if path else None
