# SPDX-License-Identifier: Apache-2.0
"""Process 1 of a cluster: makes the network and the hosts, then buries the dead.

Started by netcluster.py inside namespaces of its own (processes, mounts, network), so that no other
process sees what it makes, and all of it vanishes with it. The network is one bridge; each host is
a sleeping process with its own network, host name, System V memory, /dev/shm, /sys and /etc/hosts.

    cluster_switch.py HOSTS PREFIX READY_FD OWNER_FD

One line of JSON goes to READY_FD: the hosts and their processes, or an error. When OWNER_FD is
given (not -1), the cluster ends as soon as no process holds the pipe's other end.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import IO

COMMAND_LIMIT_S = 20.0

# Run with the namespaces of a host. The last line keeps them: a namespace lives by its processes.
# The list of hosts lies in a memory of its own, which the next one then covers: no file is left
# behind. /sys is mounted anew because it shows the network of the process that mounts it, and
# programs look there for network devices.
HOST_SCRIPT = """
set -e
hostname "$1"
mount -t tmpfs tmpfs /dev/shm
printf '%s\\n' "$2" > /dev/shm/hosts
mount --bind /dev/shm/hosts /etc/hosts
mount -t tmpfs -o size=50% tmpfs /dev/shm
mount -t sysfs sysfs /sys
ip link set lo up
echo ready
exec sleep infinity
"""


def run(*words: str) -> None:
    """Run a command; a failure is a RuntimeError with the command and what it said."""
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=COMMAND_LIMIT_S, check=False
    )
    if done.returncode != 0:
        msg = f"{' '.join(words)}: {done.stderr.strip() or done.returncode}"
        raise RuntimeError(msg)


def address_of(index: int) -> str:
    """Return the address of the host with this number, from 1."""
    return f"10.77.0.{index}"


def opened(pipe: IO[str] | None) -> IO[str]:
    """Return a pipe of a process that was started with one."""
    if pipe is None:
        msg = "a process was started without a pipe to it"
        raise RuntimeError(msg)
    return pipe


def start_host(name: str, hosts: str) -> int:
    """Start the process that holds a host; return its id once its namespaces are made."""
    script = ["sh", "-c", HOST_SCRIPT, "sh", name, hosts]
    process = subprocess.Popen(
        ["unshare", "--net", "--uts", "--ipc", "--mount", "--", *script],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    answer = opened(process.stdout).readline()
    if answer.strip() != "ready":
        msg = f"host {name}: {opened(process.stderr).read().strip()}"
        raise RuntimeError(msg)
    return process.pid


def connect(index: int, pid: int) -> None:
    """Plug a host into the switch."""
    port = f"port{index}"
    run("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", str(pid))
    run("ip", "link", "set", port, "master", "switch", "up")
    inside = ["nsenter", "--target", str(pid), "--net", "--"]
    run(*inside, "ip", "address", "add", f"{address_of(index)}/24", "dev", "eth0")
    run(*inside, "ip", "link", "set", "eth0", "up")


def build(count: int, prefix: str) -> dict[str, int]:
    """Make switch and hosts; return each host's process."""
    names = [f"{prefix}{index}" for index in range(1, count + 1)]
    lines = [f"{address_of(index)} {name}" for index, name in enumerate(names, start=1)]
    hosts = "\n".join(["127.0.0.1 localhost", *lines])

    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "switch", "type", "bridge")
    run("ip", "link", "set", "switch", "up")
    pids = {}
    for index, name in enumerate(names, start=1):
        pids[name] = start_host(name, hosts)
        connect(index, pids[name])
    return pids


def bury_the_dead() -> None:
    """Take the exit codes of processes whose parents are gone, which come to process 1."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def wait_for_end(owner: int) -> None:
    """Stay until the owner's end of the pipe is closed; without an owner, until killed."""
    signal.signal(signal.SIGCHLD, lambda *_: bury_the_dead())
    bury_the_dead()
    if owner >= 0:
        os.read(owner, 1)
        return
    while True:
        signal.pause()


def main() -> int:
    """Build, tell, wait."""
    count, prefix, ready, owner = sys.argv[1:]
    try:
        answer: dict[str, object] = {"hosts": build(int(count), prefix)}
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        answer = {"error": str(error)}
    with os.fdopen(int(ready), "w", encoding="utf-8") as pipe:
        pipe.write(json.dumps(answer) + "\n")
    if "error" in answer:
        return 1
    wait_for_end(int(owner))
    return 0


if __name__ == "__main__":
    sys.exit(main())
