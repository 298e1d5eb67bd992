# SPDX-License-Identifier: Apache-2.0
"""A second Ctrl-C ends a call at once that the engine is at for long."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from job_programs import end_of_program, needs_mpi
from makespan.melting.input import MELT_FILE
from signalled_program import left_by

ENDED_S_MAX = 5.0
BEGUN = """
import makespan, numpy as np, os, sys

def begun(*_):
    os.write(1, b"begun\\n")

objects = 200_000
graph = {"work": np.ones(objects), "place": np.zeros(objects, dtype=int)}
places = 64
where = {"speed": [1.0] * places, "domain": [0] * places, "node": [0],
         "latency_s": [0.0], "bandwidth_bytes_s": [1e10]}
grid = {"grid": {"points": [512, 512, 4096], "steps": 1_000_000},
        "kind": {"cpu": {"points_per_s": 1e8}}, "node": [{"devices": ["4 cpu"], "count": 64}]}
"""
CALLS = {
    "simulate_phases": (
        'makespan.simulate_phases(graph, where, phases=4000, balancer="greedy", on_progress=begun)',
        "interrupted after 0 of 1 steps",
    ),
    "balance": (
        "makespan.balance(graph, places=places, phases=4000, balancer='greedy', when=1,\n"
        "    on_progress=lambda one: begun() if one.note == 'phases by never' else None)",
        "interrupted after 2 of 4 steps",
    ),
    "simulate_grid": (
        "from makespan.sim.grids import run\n"
        "candidate = run._candidate\n"
        "run._candidate = lambda *given: [begun(), candidate(*given)][1]\n"
        "makespan.simulate_grid(grid)",
        "interrupted after 0 of 1 cases",
    ),
    "melt": (
        "makespan.melt(phase_steps=80_000, steps=100_000, threads=1, lattice_cells=[12] * 3,\n"
        "    cells=[3] * 3, on_line=begun)",
        "interrupted after 0 of 100000 steps",
    ),
    "melt in virtual time": (
        "makespan.melt(phase_steps=80_000, steps=100_000, virtual=True, lattice_cells=[12] * 3,\n"
        "    cells=[3] * 3, synthetic='core:2 pu:1', on_line=begun)",
        "interrupted after 0 of 100000 steps",
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_second_ctrl_c_does_not_wait_for_the_engine(tmp_path: Path, call: str) -> None:
    code, words = CALLS[call]

    ended = left_by(tmp_path, BEGUN + code, signal.SIGINT, signal.SIGINT, ended_s=ENDED_S_MAX)

    assert ended.returncode == 130, ended.stderr
    assert ended.stderr.rstrip().splitlines()[-1].endswith(f"Interrupted: {words}")


def test_a_command_says_it_and_ends_with_its_code(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(MELT_FILE.example())
    program = BEGUN + (
        "from makespan.cli import main\n"
        "from makespan.melting import run\n"
        "run._Watch.thermo = begun\n"
        "sys.argv = ['makespan', 'melt', 'in.toml', '--phase-steps', '80000',\n"
        "    '--steps', '100000', '--threads', '1', '-o', 'melt.dcd', '--checkpoint', 'saved',\n"
        "    '-q']\n"
        "sys.exit(main())\n"
    )

    ended = left_by(tmp_path, program, signal.SIGINT, signal.SIGINT, ended_s=ENDED_S_MAX)

    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr.startswith("makespan: interrupted after 0 of 100000 steps")
    assert ended.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*melt.dcd*"))


def test_a_call_is_refused_until_the_one_before_has_ended(tmp_path: Path) -> None:
    """Method: the run that was left hears of it when its phase ends, and keeps its folder."""
    melt = (
        "makespan.melt(steps={}, phase_steps=6_000, threads=1, checkpoint='{}', on_line=begun,\n"
        "    lattice_cells=[8] * 3, cells=[3] * 3)\n"
    )
    program = BEGUN + (
        "import time\n"
        f"try: {melt.format(12_000, 'saved')}"
        "except makespan.Interrupted as error: print(error.result)\n"
        "print(os.listdir('saved'))\n"
        f"try: {melt.format(1, 'other')}"
        "except RuntimeError as error: print(error)\n"
        "while os.path.exists('saved/.makespan.lock'): time.sleep(0.1)\n"
        "begun = None\n"
        "while True:\n"
        f"  try: print({melt.strip().format(1, 'other')}.steps); break\n"
        "  except RuntimeError: time.sleep(0.1)\n"
    )

    ended = left_by(tmp_path, program, signal.SIGINT, signal.SIGINT, ended_s=240)

    assert (ended.returncode, ended.stderr) == (0, "")
    said = ended.stdout.splitlines()
    assert said[:2] == ["None", "['.makespan.lock']"]
    assert said[2].startswith("an earlier run was interrupted twice")
    assert said[3:] == ["1"]


@needs_mpi
@pytest.mark.parametrize("gather", ["first", "all"])
def test_the_images_of_a_job_end_with_the_one_that_leaves(tmp_path: Path, gather: str) -> None:
    """Method: image 0 signals itself; the others serve the run that it has left."""
    program = (
        "import makespan, os, signal, threading, time\n"
        "def press():\n"
        "    for _ in range(2):\n"
        "        time.sleep(1)\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "makespan.melt(phase_steps=80_000, steps=100_000, threads=1, lattice_cells=[12] * 3,\n"
        "    cells=[3] * 3, on_line=lambda _: threading.Thread(target=press).start(),\n"
        f"    gather='{gather}')\n"
    )

    ended = end_of_program(tmp_path, program, 2)

    assert ended.returncode != 0
    assert "Interrupted: interrupted after 0 of 100000 steps" in ended.stderr
