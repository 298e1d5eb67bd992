# SPDX-License-Identifier: Apache-2.0
"""A program that runs alone or as the images of a job, and all its processes."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mpi_launcher import mpich_launcher
from tests.torture.reports import reports, settings

MARK = "MAKESPAN_TORTURE_MARK"
"""In the environment of each process of a job: launchers give them parents and groups anew."""
LOOK_S = 0.02
REPORTS = "reports"
"""A folder beside the job's own: `NAME.reports`."""
SHARED = "/dev/shm/"  # noqa: S108 - the system's own
OF_MPICH = "mpich_shar_tmp"

# A shell in the background starts programs that ignore Ctrl-C. A core tells of a crash.
AS_FROM_A_TERMINAL = (
    *("sh", "-c", 'ulimit -c "$(ulimit -H -c)"; exec env --default-signal=INT,TERM,ALRM "$@"'),
    "sh",
)

# Open MPI as root, with more images than cores; MPICH reads nothing of it.
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}


def launcher() -> str | None:
    """MPICH's where there is one."""
    return mpich_launcher() or shutil.which("mpiexec")


@dataclass(frozen=True)
class Ended:
    """How a job ended."""

    code: int
    out: str
    err: str
    reports: tuple[str, ...] = ()
    """Of sanitizers, in any of its processes."""


class Job:
    """A job that runs in a session of its own; what it says goes into files beside its folder."""

    def __init__(
        self, words: Sequence[str], folder: Path, images: int, environment: Mapping[str, str]
    ) -> None:
        self._mark = uuid.uuid4().hex
        self._said = [folder.with_name(f"{folder.name}.{name}") for name in ("out", "err")]
        # Of a name of its own: programs look at what is in their folder.
        self._reports = folder.with_name(f"{folder.name}.{REPORTS}") / "report"
        self._reports.parent.mkdir(exist_ok=True)
        before = [str(launcher()), "-n", str(images)] if images > 1 else []
        variables = {**os.environ, **SETTINGS, **environment, MARK: self._mark}
        variables |= settings(self._reports, variables)
        with contextlib.ExitStack() as stack:
            out, err = (stack.enter_context(path.open("w")) for path in self._said)
            self._leader = subprocess.Popen(
                [*AS_FROM_A_TERMINAL, *before, sys.executable, *words],
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    @property
    def leader(self) -> int:
        """The launcher, or the program itself."""
        return self._leader.pid

    def processes(self) -> list[int]:
        """All that live."""
        text = f"{MARK}={self._mark}".encode()
        return [pid for pid in _pids() if text in _environment(pid) and not _is_zombie(pid)]

    def pythons(self) -> list[int]:
        """Those that run the program: images, and processes that they started."""
        program = Path(sys.executable).resolve()
        return [pid for pid in self.processes() if _program(pid) == program]

    def shared_memory(self) -> set[Path]:
        """Files in /dev/shm that processes of the job have mapped, but for MPICH's own.

        MPICH makes its file, maps it and then unlinks it: a kill in between leaves it.
        """
        found: set[Path] = set()
        for pid in self.processes():
            with contextlib.suppress(OSError):
                lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
                found |= {Path(line[line.index(SHARED) :]) for line in lines if SHARED in line}
        ours = {path for path in found if not path.name.startswith(OF_MPICH)}
        return {path for path in ours if "(deleted)" not in path.name}

    def is_over(self) -> bool:
        """Whether the launcher has ended."""
        return self._leader.poll() is not None

    def wait(self, limit_s: float, look: Callable[[], object] = lambda: None) -> bool:
        """Until the launcher has ended; False if it has not by then. Calls `look` now and then."""
        return _wait(self.is_over, limit_s, look)

    def wait_for_all(self, limit_s: float) -> bool:
        """The same for all processes."""
        return _wait(lambda: not self.processes(), limit_s)

    def ended(self) -> Ended:
        """After `wait`, and `wait_for_all` for what other processes say."""
        out, err = (path.read_text(errors="replace") for path in self._said)
        return Ended(int(self._leader.returncode), out, err, tuple(reports(self._reports)))

    def end(self) -> None:
        """Kills what is left."""
        while left := self.processes():
            for pid in left:
                send(pid, signal.SIGKILL)
            self._leader.poll()
            time.sleep(LOOK_S)
        self._leader.wait()


def send(pid: int, number: signal.Signals) -> bool:
    """To a process that may have ended; whether it had not."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def stacks(pids: Sequence[int]) -> str:
    """Where the threads of processes are, by gdb or by the kernel."""
    if shutil.which("gdb") is None:
        return "".join(_kernel_stack(pid) for pid in pids)
    said = []
    for pid in pids:
        command = ["gdb", "-p", str(pid), "-batch", "-ex", "thread apply all bt 30"]
        with contextlib.suppress(subprocess.TimeoutExpired):
            shown = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=60, check=False
            )
            said.append(f"process {pid}\n{shown.stdout}\n")
    return "".join(said)


def _kernel_stack(pid: int) -> str:
    with contextlib.suppress(OSError):
        return f"process {pid}\n{Path(f'/proc/{pid}/stack').read_text()}\n"
    return ""


def _wait(
    is_so: Callable[[], bool], limit_s: float, look: Callable[[], object] = lambda: None
) -> bool:
    end = time.monotonic() + limit_s
    while not is_so():
        if time.monotonic() > end:
            return False
        look()
        time.sleep(LOOK_S)
    return True


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208


def _environment(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/environ").read_bytes()
    return b""


def _is_zombie(pid: int) -> bool:
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


def _program(pid: int) -> Path | None:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/exe").resolve()
    return None
