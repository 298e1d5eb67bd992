# SPDX-License-Identifier: Apache-2.0
"""Programs that end while another thread of theirs is in a call of the engine.

Method: in each the engine's threads are at work for hours when the main thread leaves.
"""

from __future__ import annotations

from pathlib import Path

import pytest
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


def test_a_child_of_fork_ends_on_its_own(tmp_path: Path) -> None:
    program = BEGIN.replace("{run}", RUNS["a grid"]) + (
        "child = os.fork()\n"
        "if child == 0: sys.exit(5)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "5\n")
