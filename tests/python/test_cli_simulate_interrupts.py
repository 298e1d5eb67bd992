# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in `makespan simulate`: what was done is said, and nothing is written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from makespan.cli import main
from makespan.sim.example import MACHINE_EXAMPLE
from makespan.sim.runs import StoppedError
from with_simulator import needs_simulator

from makespan.sim import comparison

pytestmark = needs_simulator


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a description in it."""
    (tmp_path / "machine.toml").write_text(MACHINE_EXAMPLE)
    return tmp_path


def test_ctrl_c_says_what_was_done_and_writes_nothing(folder: Path) -> None:
    """Method: a signal once the progress of the first case is there, while a long one runs."""
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], cwd=folder, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip

    assert ended.returncode == 130, ended.stderr
    assert ended.stderr == "makespan: interrupted after 1 of 2 cases; nothing was written\n"
    assert ended.stdout == ""
    assert not (folder / "cases.csv").exists()


def test_ctrl_c_while_schedules_are_drawn_is_one_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Method: the simulation that is repeated for its schedule is stopped."""
    sound = comparison.simulate_each
    calls = []

    def simulate_each(*given: Any) -> Any:
        calls.append(given)
        if len(calls) > 1:
            raise StoppedError({})
        return sound(*given)

    monkeypatch.setattr(comparison, "simulate_each", simulate_each)
    monkeypatch.chdir(folder)

    assert main(["simulate", "machine.toml", "--tasks", "10", "--trace", "t.json"]) == 130

    assert capsys.readouterr().err == (
        "makespan: interrupted after 1 of 1 cases; nothing was written\n"
    )
    assert not Path("t.json").exists()


INTERRUPTED = """
import signal, sys
from makespan.cli import main
from makespan.sim import run
from makespan.job import progress

def of_steps(*given):
    signal.raise_signal(signal.SIGINT)
    return progress.of_steps(*given)

run.of_steps = of_steps
flags = "--tasks 5 --sweep tasks=10,1000000 --threads 1 -o cases.csv"
sys.exit(main(["simulate", "machine.toml", *flags.split()]))
"""
