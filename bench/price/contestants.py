# SPDX-License-Identifier: Apache-2.0
"""Where the contestants of the pricing bench live, and how each of them is started."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from bench.case import Contestant
from bench.worker import REPLY_TIMEOUT_S, Reply, Worker, WorkerError

BENCH = Path(__file__).resolve().parent.parent
INSTALL_PEERS = "python3 bench/peers/install.py"
OURS = {"engine": "price/engine_worker.py", "rivals": "rivals/ours.py"}


@dataclass(frozen=True)
class Places:
    """Files and cores of this run. `kernel_bench` is None where the engine is not built."""

    output: Path
    peers: Path
    kernel_bench: Path | None
    cores: set[int]

    @property
    def core(self) -> int:
        """The core of every one-core measurement: the last, since the first serves interrupts."""
        return max(self.cores)

    @property
    def peers_python(self) -> Path:
        """The interpreter that the Python peers need."""
        return self.peers / "peers-venv" / "bin" / "python"

    @property
    def fypy_python(self) -> Path:
        """The interpreter with what fypy needs."""
        return self.peers / "fypy-venv" / "bin" / "python"

    @property
    def fypy_package(self) -> Path:
        """Where the package fypy is looked for: the folder `fypy` of a checkout named `fypy`."""
        return self.peers / "fypy" / "fypy"

    @property
    def makespan(self) -> Path:
        """The command of the environment that this program runs in; not there: WorkerError."""
        command = Path(sys.executable).with_name("makespan")
        if not command.is_file():
            msg = f"no command 'makespan' beside {sys.executable} (install the package there)"
            raise WorkerError(msg)
        return command


def command_of(worker: str, places: Places) -> list[Path]:
    """Return how to start a worker; what is not installed raises WorkerError saying what would."""
    mkl = places.peers / "mkl_asian"
    if worker == "kernel" and places.kernel_bench is not None:
        return [places.kernel_bench]
    if worker == "mkl" and mkl.is_file():
        return [mkl]
    if worker in ("quantlib", "numpy") and places.peers_python.is_file():
        return [places.peers_python, BENCH / "peers" / f"{worker}_asian.py"]
    if worker in OURS:
        return [Path(sys.executable), BENCH / OURS[worker]]
    if worker == "quantlib_engines" and places.peers_python.is_file():
        return [places.peers_python, BENCH / "peers" / "quantlib_engines.py"]
    if worker == "fypy" and places.fypy_python.is_file() and places.fypy_package.is_dir():
        return [places.fypy_python, BENCH / "peers" / "fypy_asian.py", places.fypy_package.parent]
    if worker == "kernel":
        msg = "kernel_bench is not built (`make build-bench` builds it)"
    elif worker == "fypy" and places.fypy_python.is_file():
        msg = f"fypy is in no package registry; looked for its package in {places.fypy_package}"
    else:
        msg = f"the peer '{worker}' is not installed ({INSTALL_PEERS} does it)"
    raise WorkerError(msg)


class WorkerPool:
    """One process for each worker and set of cores, started when first asked."""

    def __init__(self, places: Places, timeout_s: float = REPLY_TIMEOUT_S) -> None:
        """Start nothing yet. A reply may take `timeout_s` [s]."""
        self._places = places
        self._timeout_s = timeout_s
        self._workers: dict[tuple[str, frozenset[int]], Worker] = {}

    def ask(self, contestant: Contestant, cores: int = 1) -> Reply:
        """Run the contestant once, pinned to so many cores."""
        chosen = set(sorted(self._places.cores)[-cores:])
        if len(chosen) < cores:
            msg = f"{cores} cores are needed and {len(chosen)} may be used"
            raise WorkerError(msg)
        key = (contestant.worker, frozenset(chosen))
        if key not in self._workers:
            command = command_of(contestant.worker, self._places)
            self._workers[key] = Worker(command, chosen, BENCH.parent, self._timeout_s)
        return self._workers[key].run(contestant.full_request)

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers.values():
            worker.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all processes."""
        self.close()
