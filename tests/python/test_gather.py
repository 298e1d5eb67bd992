# SPDX-License-Identifier: Apache-2.0
"""What image 0 has found comes to all images; none waits for one that an exception took out."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from job_programs import MPIEXEC, RUN_S_MAX, needs_mpi, run_program
from makespan.job.failure import Failure
from makespan.job.teams import serve

PRICE = """
import os, signal, sys
import makespan

BOOK = {
    "id": ["a"], "option_type": ["call"], "spot": [100.0], "strike": [100.0], "rate": [0.0],
    "volatility": [0.2], "expiry": [1.0], "fixings": [12], "fixing_grid": ["exclude_start"],
    "paths": [10**5],
}
"""

EXIT = (
    PRICE
    + """
def leave(*_):
    sys.exit(5)

def by_signal(*_):
    os.kill(os.getpid(), signal.SIGTERM)

signal.signal(signal.SIGTERM, leave)
makespan.price(BOOK, gather="all", on_progress=by_signal if sys.argv[1] == "signal" else leave)
"""
)

OWN_ERROR = (
    PRICE
    + """
class Refused(Exception):
    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")

def refuse(_):
    raise Refused("this", "that")

try:
    makespan.price(BOOK, gather="all", on_progress=refuse)
except Exception as error:
    print(f"{type(error).__name__}: {error}\\n", end="", flush=True)
"""
)


NO_PICKLE = """
from makespan.job.gather import gathered

try:
    found = gathered(lambda: lambda: None, "all")  # of such a function pickle knows no name
    print(f"got {found}\\n", end="", flush=True)
except Exception as error:
    print(f"{type(error).__name__}: {error}\\n", end="", flush=True)
"""


@needs_mpi
def test_a_result_that_pickle_refuses_is_an_error_on_all(tmp_path: Path) -> None:
    said = run_program(tmp_path, NO_PICKLE, 2).splitlines()

    assert len(said) == 2
    assert len(set(said)) == 1
    assert said[0].startswith("EngineError: the result cannot travel to the other images (")


@needs_mpi
@pytest.mark.parametrize("by", ["call", "signal"])
def test_a_program_that_exits_leaves_no_image_waiting(tmp_path: Path, by: str) -> None:
    (tmp_path / "program.py").write_text(EXIT)
    ended = subprocess.run(
        [str(MPIEXEC), "-n", "2", sys.executable, "program.py", by],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert ended.returncode == 5, ended.stderr


@needs_mpi
def test_an_exception_that_pickle_cannot_make_again_comes_as_its_text(tmp_path: Path) -> None:
    said = run_program(tmp_path, OWN_ERROR, 2).splitlines()

    assert sorted(said) == ["Refused: this and that", "RuntimeError: Refused: this and that"]


def test_a_failure_that_pickle_takes_comes_as_it_is() -> None:
    there = pickle.loads(pickle.dumps(Failure(LookupError("no seven"))))  # noqa: S301, our own

    assert repr(there.error) == "LookupError('no seven')"


class Team:
    """One that says how Ctrl-C is handled while it serves."""

    image = 1

    def __init__(self) -> None:
        self.found: list[object] = []

    def serve(self) -> None:
        """As the engine's."""
        self.found.append(signal.getsignal(signal.SIGINT))


def test_ctrl_c_is_ignored_while_an_image_serves() -> None:
    team, before = Team(), signal.getsignal(signal.SIGINT)

    serve(team)

    assert team.found == [signal.SIG_IGN]
    assert signal.getsignal(signal.SIGINT) is before


def test_an_image_serves_in_any_thread() -> None:
    """Goal: only the main one may set handlers; Python delivers no signals to others."""
    team, before = Team(), signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=serve, args=(team,))

    thread.start()
    thread.join()

    assert team.found == [before]


def test_a_handler_that_is_not_python_s_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Method: for such a one Python's answer is None."""
    team, asked = Team(), []
    monkeypatch.setattr(signal, "getsignal", lambda _: None)
    monkeypatch.setattr(signal, "signal", lambda *given: asked.append(given))

    serve(team)

    assert team.found == [None]
    assert asked == []
