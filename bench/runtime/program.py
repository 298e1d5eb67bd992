# SPDX-License-Identifier: Apache-2.0
"""Starts the programs of a case, each with a time limit, and reads what they print."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.runtime.case import Program

ROOT = Path(__file__).resolve().parents[2]
NETCLUSTER = ROOT / "tests" / "cluster" / "netcluster.py"
SETTLE_S = 10.0  # for mpiexec, or what made the hosts, to take everything down

# Contestant → one dictionary of figures for each of its blocks, in the order of the blocks.
Replies = dict[str, list[dict[str, float]]]


class ProgramError(RuntimeError):
    """A program is not there, could not be started, failed or took too long.

    `printed`: what one that failed had printed on its standard output.
    """

    def __init__(self, message: str, printed: str = "") -> None:
        super().__init__(message)
        self.printed = printed


@dataclass(frozen=True)
class Places:
    """Where programs lie: those of the build, and peers that were compiled apart."""

    build: Path
    peers: Path

    def program(self, name: str) -> Path:
        """Return the file of a program."""
        candidates = [self.build / "bench" / "runtime" / name, self.peers / name]
        for path in candidates:
            if path.is_file() and os.access(path, os.X_OK):
                return path.resolve()
        note = self.peers / f"{name}.missing"  # by the installer of peers
        why = f": {note.read_text(encoding='utf-8').strip()}" if note.is_file() else ""
        msg = f"{name} is not built{why} (`make build-bench`, `make bench-peers-runtime`)"
        raise ProgramError(msg)

    def mpiexec(self) -> str:
        """Return the mpiexec of the MPI that the build found."""
        cache = self.build / "CMakeCache.txt"
        text = cache.read_text(encoding="utf-8") if cache.is_file() else ""
        match = re.search(r"^MPIEXEC_EXECUTABLE:FILEPATH=(/.+)$", text, re.MULTILINE)
        if match is None:
            msg = (
                f"the build in {self.build} has no MPI (install libmpich-dev and mpich, and build)"
            )
            raise ProgramError(msg)
        return match.group(1)


def launcher_of(program: Program, places: Places) -> str:
    """Return the launcher of a program that has one."""
    if program.launcher == "mpiexec":
        return places.mpiexec()
    found = shutil.which(program.launcher)
    if found is None:
        msg = f"{program.name}: no {program.launcher} (`make bench-peers-runtime`)"
        raise ProgramError(msg)
    return found


def command_of(program: Program, places: Places) -> list[str]:
    """Return how to start a program on its hosts."""
    own = [str(places.program(program.name)), *program.arguments]
    if program.launcher == "none":
        return own
    mpiexec = launcher_of(program, places)
    if program.hosts == 1:
        return [mpiexec, "-n", str(program.ranks), *own]
    launch = [sys.executable, str(NETCLUSTER), "launch", "--mpirun", mpiexec]
    hosts = ["--hosts", str(program.hosts), "--ranks-per-host", "1"]
    shape = ["--shape", program.shape] if program.shape else []
    return [*launch, *hosts, *shape, "--limit", f"{program.limit_s:g}", "--", *own]


def end_group(process: subprocess.Popen[str]) -> None:
    """End a process and its group: kindly, so that it ends what it started elsewhere, then not."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(SETTLE_S)


def run_limited(
    command: Sequence[str],
    limit_s: float,
    environment: dict[str, str],
    folder: Path | None = None,
) -> str:
    """Run a command and return what it printed; a failure is a ProgramError with its last words."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=folder,
        env={**os.environ, **environment},
    ) as process:
        try:
            printed, said = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            msg = f"'{' '.join(command)}' took more than {limit_s:.0f} s"
            raise ProgramError(msg) from None
        finally:
            if process.returncode is None:
                end_group(process)
    if process.returncode != 0:
        # mpiexec may say on its standard output that a process was killed, and by what.
        lines = said.strip().splitlines() or [
            line for line in printed.splitlines() if not line.startswith("{")
        ]
        last_words = " ".join(lines[-3:])
        message = f"exit code {process.returncode}: {last_words}".removesuffix(": ")
        raise ProgramError(message, printed)
    return printed


def parse_replies(printed: str, program: Program) -> Replies:
    """Return the figures of each contestant, by its name in the case."""
    replies: Replies = {}
    for line in printed.splitlines():
        if not line.startswith("{"):
            continue
        reply = json.loads(line)
        name = program.full_name(reply.pop("contestant"))
        reply.pop("round")
        replies.setdefault(name, []).append({key: float(value) for key, value in reply.items()})
    return replies


def run_program(program: Program, places: Places) -> Replies:
    """Run a program once."""
    command = command_of(program, places)
    # What makes the hosts has the limit itself, and needs some time around it.
    limit_s = program.limit_s + (2 * SETTLE_S if program.hosts > 1 else 0.0)
    return parse_replies(run_limited(command, limit_s, program.environment), program)


def priority() -> list[str]:
    """Return what gives a command real-time priority, where that is permitted.

    Where others use the cores, threads that have slept would wake when these let them, and a
    network's measurement and the runs beside it would not be of one machine.
    """
    words = ["chrt", "--rr", "1"]
    if shutil.which(words[0]) is None:
        return []
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if tried.returncode == 0 else []
