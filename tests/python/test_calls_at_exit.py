# SPDX-License-Identifier: Apache-2.0
"""Programs that end while another thread of theirs is in a call of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from signalled_program import left_by

RUNS = {
    "a grid": (
        "makespan.diffuse(np.zeros((64, 96, 128)), spacing=[1.0] * 3, steps=10**6, threads=2, "
        "on_progress=tell)"
    ),
    "own equations": (
        "makespan.grid(lambda u: {'u': u + 0.1 * u.laplacian()}, {'u': np.zeros((64, 96, 128))})"
        ".run(10**6, threads=2, on_progress=tell)"
    ),
    "a melt": "makespan.melt(steps=10**5, threads=2, on_progress=tell)",
    "a balancer": (
        "n = 4 * 10**6; tell(0); makespan.balance("
        "{'work': np.ones(n), 'place': np.zeros(n, int)}, places=2000, balancer='greedy')"
    ),
}


@pytest.mark.parametrize("run", RUNS)
def test_a_program_may_end_while_another_thread_runs(run: str, tmp_path: Path) -> None:
    program = (
        "import makespan, os, sys, threading, time\n"
        "import numpy as np\n"
        "told = threading.Event()\n"
        "def tell(_):\n"
        "    if not told.is_set():\n"
        "        told.set()\n"
        "        os.write(1, b'begun\\n')\n"
        "def run():\n"
        f"    {RUNS[run]}\n"
        "    print('not reached')\n"
        "threading.Thread(target=run, daemon=True).start()\n"
        "assert told.wait(20)\n"
        "time.sleep(0.5)\n"
        "sys.exit(7)\n"
    )

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stderr, ended.stdout) == (7, "", "")
