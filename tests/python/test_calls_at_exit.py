# SPDX-License-Identifier: Apache-2.0
"""Programs that end while another thread of theirs is in a call of the engine.

Method: in each the engine's threads are at work for hours when the main thread leaves.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from job_programs import MPIEXEC, needs_mpi
from signalled_program import left_by

BEGIN = """
import makespan, os, sys, threading, time
import numpy as np
from makespan import _core

told = threading.Event()
def tell(*_):
    if not told.is_set():
        told.set()
        os.write(1, b"begun\\n")

decide = _core.balance
def decide_for_hours(*asked):
    tell()
    while True:
        decide(*asked)
_core.balance = decide_for_hours

def run():
    {run}
    print("not reached")

threading.Thread(target=run, daemon=True).start()
told.wait()
time.sleep(0.5)
"""
RUNS = {
    "a grid": (
        "makespan.diffuse(np.zeros((64, 96, 128)), spacing=[1.0] * 3, steps=10**8, threads=2, "
        "on_progress=tell)"
    ),
    "own equations": (
        "makespan.grid(lambda u: {'u': u + 0.1 * u.laplacian()}, {'u': np.zeros((64, 96, 128))})"
        ".run(10**8, threads=2, on_progress=tell)"
    ),
    "a melt": "makespan.melt(steps=10**7, threads=2, on_progress=tell)",
    "a balancer": "makespan.balance({'work': np.ones(10**5), 'place': np.zeros(10**5, int)}, "
    "places=100, balancer='makespan')",
}


@pytest.mark.parametrize("run", RUNS)
def test_a_program_may_end_while_another_thread_runs(run: str, tmp_path: Path) -> None:
    ended = left_by(tmp_path, BEGIN.replace("{run}", RUNS[run]) + "sys.exit(7)\n")

    assert (ended.returncode, ended.stderr, ended.stdout) == (7, "", "")


@pytest.mark.slow  # 13 s
def test_a_thread_that_comes_back_when_the_interpreter_is_gone_stays(tmp_path: Path) -> None:
    """It took the lock of an interpreter that had ended, and the process died (SIGSEGV).

    Method: a phase takes some seconds, so that the run does not end in the two that it is waited
    for. At the process's exit, before the engine's own, it sleeps for as many seconds as its exit
    code says; meanwhile the thread tells of its phase.
    """
    first = (
        "import atexit, ctypes\n"
        "libc = ctypes.CDLL(None)\n"
        "atexit.register(lambda: libc.on_exit(libc.sleep, None))\n"
    )
    phases = "steps=10**7, phase_steps=150, lattice_cells=[40, 40, 40], threads=2"
    begin = BEGIN.replace("{run}", f"makespan.melt({phases}, on_progress=tell)")

    ended = left_by(tmp_path, first + begin + "sys.exit(5)\n")

    assert (ended.returncode, ended.stderr, ended.stdout) == (5, "", "")


@needs_mpi
def test_an_image_says_so_and_ends_its_job(tmp_path: Path) -> None:
    """Method: items of hours; the other image's main thread has hours to wait, too."""
    items = (
        "import os, time\n"
        "is_first = os.environ['PMI_RANK'] == '0'\n"
        "def item(_):\n"
        "    if is_first: tell()\n"
        "    time.sleep(3600)\n"
    )
    begin = BEGIN.replace("{run}", "makespan.map(item, range(2), threads=1)")
    leaves = "sys.exit(7)\n"

    ended = left_by(tmp_path, items + begin + leaves, launch=[str(MPIEXEC), "-n", "2"])

    assert (ended.returncode, ended.stdout) == (1, "")
    said = (
        "makespan: the program ends while a thread's run does not; its own exit code is not known"
    )
    assert ended.stderr.count(said) == 1


def test_a_child_of_fork_ends_on_its_own(tmp_path: Path) -> None:
    program = BEGIN.replace("{run}", RUNS["a grid"]) + (
        "child = os.fork()\n"
        "if child == 0: sys.exit(5)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "5\n")
