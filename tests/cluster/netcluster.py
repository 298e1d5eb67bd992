#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several hosts on one Linux machine, made of namespaces: for tests that need a network.

    netcluster.py launch --hosts 3 -- PROGRAM ARGS   MPI job on three hosts that exist meanwhile
    netcluster.py up 3 [--prefix node]               hosts node1, node2, node3, until `down`
    netcluster.py exec node1 -- COMMAND              runs a command on a host
    netcluster.py shape node1 tbf rate 200mbit burst 64kb latency 50ms
    netcluster.py list
    netcluster.py down [--prefix node | --all-mine]

Each host has a network, a host name, System V memory, a /dev/shm and an /etc/hosts of its own;
files and users are those of the machine. Nothing outside a cluster changes, clusters do not see one
another, and two may have hosts of the same name. Needs no root where user namespaces are permitted.

Exit codes: 77, namespaces are not permitted here, or the kernel refuses a shape (tests skip); 124,
the time limit was reached; 2, wrong use; 1, the cluster could not be made; otherwise that of the
program.
"""

from __future__ import annotations

import argparse
import enum
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from types import FrameType

from cluster_entry import (
    NotPermittedError,
    Wanted,
    cluster_around,
    enter,
    environment_in,
    start_cluster,
    temporary_cluster,
)
from cluster_record import (
    Cluster,
    ClusterError,
    cluster_with,
    descendants_of,
    find_cluster,
    kill_all,
    kill_cluster,
    running_clusters,
)
from mpi_command import Layout, MpiLauncher, find_launcher

HOSTS_MAX = 200
TIME_LIMIT_S = 60.0
TC_REFUSED = 2
"""By the kernel, which has no discipline of that name, or refuses its values."""


class KernelLacksError(ClusterError):
    """What a host sends cannot be shaped by this kernel."""


class ExitCode(enum.IntEnum):
    """What our own exit codes mean; programs bring theirs."""

    FAILED = 1
    WRONG_USE = 2
    NOT_PERMITTED = 77
    TIME_LIMIT = 124
    SIGNALLED = 128  # plus the signal's number, as shells say it


def say(text: str) -> None:
    """Print a line for people."""
    sys.stderr.write(f"netcluster: {text}\n")
    sys.stderr.flush()


def exit_code_of(returned: int) -> int:
    """Return the exit code that tells of a child's: signals come as negative numbers."""
    return returned if returned >= 0 else ExitCode.SIGNALLED - returned


def run_on(cluster: Cluster, host: str, command: Sequence[str], limit_s: float | None) -> int:
    """Run a command on a host and return its exit code; it and what it started end with us."""
    process = subprocess.Popen(enter(cluster, host, command), env=environment_in(cluster))
    try:
        return exit_code_of(process.wait(limit_s))
    except subprocess.TimeoutExpired:
        say(f"time limit of {limit_s:g} s reached: ended '{' '.join(command)}'")
        return ExitCode.TIME_LIMIT
    finally:
        if process.returncode is None:
            kill_all([process.pid, *descendants_of(process.pid)])
            process.wait()


def launch(arguments: argparse.Namespace) -> int:
    """Run an MPI program on hosts that exist only for it.

    What its launcher leaves in the folder for temporary files goes with it: after a job that was
    killed, Open MPI's daemons of a later one stumble over it (exit status 213).
    """
    launcher: MpiLauncher = find_launcher(arguments.mpirun)
    wanted = Wanted(f"launch-{os.getpid()}", arguments.prefix, arguments.hosts)
    litter = tempfile.TemporaryDirectory(prefix="launch-", ignore_cleanup_errors=True)
    with litter as folder, temporary_cluster(wanted) as cluster:
        os.environ["TMPDIR"] = folder
        for host in cluster.hosts if arguments.shape else ():
            shape_host(cluster, host, arguments.shape.split())
        layout = Layout(list(cluster.hosts), arguments.ranks_per_host, arguments.outlive_losses)
        os.environ.update(launcher.environment)
        command = launcher.command(layout, arguments.command)
        return run_on(cluster, layout.hosts[0], command, arguments.limit)


def up(arguments: argparse.Namespace) -> int:
    """Make a cluster that stays."""
    cluster = start_cluster(Wanted(arguments.prefix, arguments.prefix, arguments.hosts))
    sys.stdout.write(" ".join(cluster.hosts) + "\n")
    return 0


def down(arguments: argparse.Namespace) -> int:
    """End one cluster, or all of this user's."""
    if arguments.all_mine:
        for cluster in running_clusters():
            kill_cluster(cluster)
        return 0
    found = find_cluster(arguments.prefix)
    if found is None:
        say(f"no cluster '{arguments.prefix}' is up")
    else:
        kill_cluster(found)
    return 0


def list_clusters(_: argparse.Namespace) -> int:
    """Print the clusters that are up, one a line."""
    for cluster in running_clusters():
        sys.stdout.write(f"{cluster.name}: {' '.join(cluster.hosts)}\n")
    return 0


def execute(arguments: argparse.Namespace) -> int:
    """Run a command on a host."""
    cluster = cluster_around() or cluster_with(arguments.host)
    return run_on(cluster, arguments.host, arguments.command, arguments.limit)


def shape_host(cluster: Cluster, host: str, words: Sequence[str]) -> None:
    """Give what a host sends a queueing discipline, in the words of `tc qdisc`."""
    command = ["tc", "qdisc", "replace", "dev", "eth0", "root", *words]
    code = run_on(cluster, host, command, TIME_LIMIT_S)
    text = f"'{' '.join(command)}' failed on {host} (exit code {code})"
    if code == TC_REFUSED:
        raise KernelLacksError(text)
    if code != 0:
        raise ClusterError(text)


def shape(arguments: argparse.Namespace) -> int:
    """Slow down what a host sends."""
    shape_host(cluster_with(arguments.host), arguments.host, arguments.words)
    return 0


def answer_rsh(words: Sequence[str]) -> int:
    """Run a command on a host as `rsh [OPTIONS] HOST COMMAND…` does: MPI starts its daemons so.

    Takes the place of this process, so that signals and exit codes are those of the command.
    """
    names = list(words)
    while names and names[0].startswith("-"):
        names.pop(0)
    cluster = cluster_around()
    if not names or cluster is None or names[0] not in cluster.hosts:
        msg = f"rsh {' '.join(words)}: no such host here (this is for programs inside a cluster)"
        raise ClusterError(msg)
    command = enter(cluster, names[0], ["sh", "-c", " ".join(names[1:])])
    os.execvp(command[0], command)  # noqa: S606 - becomes the command, which rsh means


def host_count(text: str) -> int:
    """Read a number of hosts."""
    count = int(text)
    if not 1 <= count <= HOSTS_MAX:
        msg = f"{count} hosts (1 to {HOSTS_MAX} can be made)"
        raise argparse.ArgumentTypeError(msg)
    return count


def command_after_dashes(words: list[str]) -> tuple[list[str], list[str]]:
    """Split our own words from those of the program, at the first `--`."""
    if "--" not in words:
        return words, []
    place = words.index("--")
    return words[:place], words[place + 1 :]


def argument_parser() -> argparse.ArgumentParser:
    """Return the parser of our own words."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    verb = verbs.add_parser("launch", help="run an MPI program on hosts of its own")
    verb.add_argument("--hosts", type=host_count, required=True)
    verb.add_argument("--ranks-per-host", type=int, default=1)
    verb.add_argument("--mpirun", default="mpiexec", help="of MPICH or of Open MPI 5")
    verb.add_argument("--prefix", default="node", help="hosts are PREFIX1, PREFIX2, …")
    verb.add_argument("--shape", help="slow down what each host sends, as in `shape`")
    verb.add_argument("--limit", type=float, default=TIME_LIMIT_S, help="seconds")
    verb.add_argument("--outlive-losses", action="store_true", help="a rank may die alone")
    verb.set_defaults(act=launch)

    verb = verbs.add_parser("up", help="make hosts that stay")
    verb.add_argument("hosts", type=host_count)
    verb.add_argument("--prefix", default="node")
    verb.set_defaults(act=up)

    verb = verbs.add_parser("down", help="end the hosts of `up`")
    verb.add_argument("--prefix", default="node")
    verb.add_argument("--all-mine", action="store_true", help="every cluster of this user")
    verb.set_defaults(act=down)

    verbs.add_parser("list", help="say what is up").set_defaults(act=list_clusters)

    verb = verbs.add_parser("exec", help="run a command on a host")
    verb.add_argument("host")
    verb.add_argument("--limit", type=float, default=None, help="seconds; default: none")
    verb.set_defaults(act=execute)

    verb = verbs.add_parser("shape", help="slow down what a host sends")
    verb.add_argument("host")
    verb.add_argument("words", nargs=argparse.REMAINDER, help="as in `tc qdisc`: tbf rate …")
    verb.set_defaults(act=shape)
    return parser


def end_by_signal(number: int, _: FrameType | None) -> None:
    """Leave by way of every `finally`, so that what was made is taken down."""
    sys.exit(ExitCode.SIGNALLED + number)


def main(words: list[str]) -> int:
    """Carry out one command; return the exit code."""
    try:
        if words[:1] == ["rsh"]:
            return answer_rsh(words[1:])
        parser = argument_parser()
        own, command = command_after_dashes(words)
        arguments = parser.parse_args(own)
        if arguments.act in (launch, execute):
            arguments.command = command or parser.error("no program: give it after --")
        return int(arguments.act(arguments))
    except NotPermittedError as error:
        say(f"namespaces are not permitted here ({error})")
        return ExitCode.NOT_PERMITTED
    except KernelLacksError as error:
        say(str(error))
        return ExitCode.NOT_PERMITTED
    except ClusterError as error:
        say(str(error))
        return ExitCode.FAILED


if __name__ == "__main__":
    # Not in main(): a test that calls it would have these handlers from then on.
    signal.signal(signal.SIGTERM, end_by_signal)
    signal.signal(signal.SIGINT, end_by_signal)
    sys.exit(main(sys.argv[1:]))
