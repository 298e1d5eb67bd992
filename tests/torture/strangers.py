# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.torture.strangers`: sends garbage to every port that a running job listens on.

Each round starts a program on three images, over MPI or over UCX on TCP, and throws bytes at all
ports that its images listen on. The job must end with the results of an undisturbed one, or not
well and with a sentence; what MPI or UCX says counts, too. With `--launcher` the ports of
mpiexec and its proxies get garbage as well: MPICH's die of it without a word (SIGPIPE, 4.0).
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import re
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.torture.fault import Fault, expect
from tests.torture.job import Ended, Job, launcher
from tests.torture.last_words import check_reports
from tests.torture.programs import PROGRAMS, Program, Results

LISTENS = "0A"
"""A socket's state in /proc/net/tcp."""
IMAGES = 3
LIMIT_S = 420.0
"""More than the limit of any wait (300 s), and of MPI_Finalize (60 s) after it."""
SEND_S = 0.2
BYTES_MAX = 1 << 16

WAYS: Mapping[str, Mapping[str, str]] = {
    "mpi": {"MAKESPAN_TRANSPORT": "am"},
    "ucx": {"MAKESPAN_TRANSPORT": "ucx", "UCX_TLS": "tcp"},
    "auto": {},
}


@dataclass(frozen=True)
class Port:
    """Of a process of the job; the address that it listens at."""

    host: str
    number: int


def listening(pids: list[int]) -> set[Port]:
    """Ports of these processes."""
    inodes = {inode for pid in pids for inode in _sockets(pid)}
    return {
        port for port, inode in itertools.chain(_table("tcp"), _table("tcp6")) if inode in inodes
    }


def _sockets(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                found = re.fullmatch(r"socket:\[(\d+)\]", str(entry.readlink()))
                if found:
                    yield found[1]


def _table(name: str) -> Iterator[tuple[Port, str]]:
    for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
        words = line.split()
        address, _, port = words[1].partition(":")
        if words[3] != LISTENS:
            continue
        yield Port(_host(address), int(port, 16)), words[9]


def _host(address: str) -> str:
    """IPv4 as the kernel prints it; of IPv6 any and its own are told apart only."""
    if len(address) > 8:
        return "::1" if int(address, 16) else "127.0.0.1"
    number = bytes.fromhex(address)[::-1]
    host = socket.inet_ntoa(number)
    return "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104, as the kernel says it


class Strangers:
    """Threads that send garbage to the ports of a job until they are told to stop."""

    def __init__(self, job: Job, seed: int, *, launcher: bool) -> None:
        self.job = job
        self.launcher = launcher
        self.random = random.Random(seed)
        self.ports: set[Port] = set()
        self.sent = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Strangers:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._over.wait(0.02):
            ports = self._ports()
            self.ports |= ports
            for port in ports:
                self._send(port)

    def _ports(self) -> set[Port]:
        # A process that becomes an image has the launcher's sockets for a moment.
        every, images = self.job.processes(), self.job.pythons()
        others = listening([pid for pid in every if pid not in images])
        return listening(every) if self.launcher else listening(images) - others

    def _send(self, port: Port) -> None:
        with contextlib.suppress(OSError), socket.socket(_family(port)) as there:
            there.settimeout(SEND_S)
            there.connect((port.host, port.number))
            for _ in range(self.random.randint(0, 4)):
                there.sendall(self._garbage())
                self.sent += 1
            if self.random.random() < 0.5:
                there.recv(1 << 12)

    def _garbage(self) -> bytes:
        """Noise, or noise that begins as what programs send: lengths, zeros, text."""
        size = int(BYTES_MAX ** self.random.random())
        noise = self.random.randbytes(size)
        begin = self.random.choice(
            (
                b"",
                size.to_bytes(4, "little"),
                size.to_bytes(8, "little"),
                size.to_bytes(4, "big"),
                bytes(64),
                b"\xff" * 64,
                b"GET / HTTP/1.0\r\n\r\n",
                b"cmd=init pmi_version=1 pmi_subversion=1\n",
            )
        )
        return begin + noise


def _family(port: Port) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in port.host else socket.AF_INET


def undisturbed(program: Program, folder: Path) -> Results:
    """What comes of a run that no stranger reaches."""
    job = _started(program, folder, {})
    expect(job.wait(LIMIT_S), "an undisturbed run does not end")
    ended = job.ended()
    check_reports(ended)
    expect(ended.code == 0, f"an undisturbed run fails: {ended.err}")
    return program.results(folder, ended.out)


def _started(program: Program, folder: Path, variables: Mapping[str, str]) -> Job:
    program.prepare(folder)
    return Job(program.words(folder), folder, IMAGES, variables)


@dataclass(frozen=True)
class Round:
    """A job that strangers reach."""

    program: Program
    way: str
    seed: int
    launcher: bool


def play(one: Round, folder: Path, wanted: Results) -> tuple[str, int]:
    """How it ended, and at how many ports. Raises `Fault`."""
    job = _started(one.program, folder, WAYS[one.way])
    try:
        with Strangers(job, one.seed, launcher=one.launcher) as strangers:
            expect(job.wait(LIMIT_S), "it does not end")
        expect(job.wait_for_all(LIMIT_S), "processes are left")
        ended = job.ended()
        if ended.code != 0:
            check_end(ended)
            return "ended with a sentence", len(strangers.ports)
        check_reports(ended)
        expect(one.program.results(folder, ended.out) == wanted, "its results are others")
        return "right", len(strangers.ports)
    finally:
        job.end()


def check_end(ended: Ended) -> None:
    """Of a job that did not end well."""
    check_reports(ended)
    expect(ended.err.strip() or ended.out.strip(), f"status {ended.code} without a word")
    for text in ("Segmentation fault", "Traceback (most recent", "free(): "):
        expect(text not in ended.err, f"it said '{text}': {ended.err[-2000:]}")


def main() -> int:
    """Rounds for `--seconds`; 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.strangers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--programs", default="price,map", help="with commas between")
    parser.add_argument("--ways", default=",".join(WAYS), help="with commas between")
    parser.add_argument("--launcher", action="store_true", help="ports of the launcher, too")
    asked = parser.parse_args()
    if launcher() is None:
        print("no mpiexec here: there are no ports")
        return 0
    end = time.monotonic() + asked.seconds
    counts: Counter[str] = Counter()
    ports = 0
    with tempfile.TemporaryDirectory() as root:
        programs = [PROGRAMS[name] for name in asked.programs.split(",")]
        wanted = {one.name: undisturbed(one, Path(root) / f"{one.name}-alone") for one in programs}
        rounds = itertools.cycle(itertools.product(programs, asked.ways.split(",")))
        for number, (program, way) in enumerate(rounds):
            if time.monotonic() > end:
                break
            folder = Path(root) / str(number)
            try:
                one = Round(program, way, asked.seed + number, asked.launcher)
                how, seen = play(one, folder, wanted[program.name])
            except Fault as fault:
                print(f"seed {asked.seed + number}, {program.name} over {way}: {fault}", flush=True)
                how, seen = "FAILED", 0
            counts[f"{way}: {how}"] += 1
            ports += seen
    for how, count in sorted(counts.items()):
        print(f"{count:6d} rounds {how}")
    print(f"{ports} ports got garbage")
    return 1 if any("FAILED" in how for how in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
