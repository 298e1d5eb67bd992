# SPDX-License-Identifier: Apache-2.0
"""No image waits for ever for one that an exception takes out of what all do together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from job_programs import MPIEXEC, needs_mpi
from makespan.base.errors import InputError
from makespan.job import collective
from makespan.job.collective import Collective

RUN_S_MAX = 60


SIGNALLED = """
import os, signal, sys, time
from makespan import _core

def signal_at(name, when, number):
    called = getattr(_core, name)
    def call(*given):
        if when == "before": os.kill(os.getpid(), number)
        made = called(*given)
        if when == "after": os.kill(os.getpid(), number)
        return made
    setattr(_core, name, call)

leaver, when, name = sys.argv[1:4]
is_leaver = os.environ["PMI_RANK"] == leaver
"""
"""Where the engine makes `name`, a signal comes on one image."""

MAP = (
    SIGNALLED
    + """
import makespan

def late(*_):
    if how == "exits": sys.exit(3)
    raise TimeoutError("too late")

signal.signal(signal.SIGALRM, late)
how, first = sys.argv[4], int(sys.argv[5])
for call in range(first + 1):
    if is_leaver and call == first: signal_at(name, when, signal.SIGALRM)
    try:
        makespan.map(lambda item: time.sleep(0.001), range(100))
    except TimeoutError:
        time.sleep(1000)  # a program that goes on
"""
)

COMMAND = (
    SIGNALLED
    + """
signal.signal(signal.SIGINT, signal.default_int_handler)
if is_leaver: signal_at(name, when, signal.SIGINT)
from makespan.cli import main
sys.argv[1:] = sys.argv[4:]
sys.exit(main())
"""
)

BOOK = "id,option_type,S,K,r,sigma,T,N,fixing_grid,paths\na,call,100,100,0,0.2,1,12,all,1000\n"


def ended_by(folder: Path, leaver: int, program: str, *given: str) -> None:
    (folder / "program.py").write_text(program)
    (folder / "book.csv").write_text(BOOK)
    (folder / "input.toml").write_text("")
    ended = subprocess.run(
        [str(MPIEXEC), "-n", "3", sys.executable, "program.py", str(leaver), *given],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert ended.returncode != 0
    assert f"makespan: image {leaver} ends the job: " in ended.stderr


@needs_mpi
@pytest.mark.parametrize(
    ("leaver", "given"),
    [
        (0, ("before", "ProcessHold", "exits", "0")),
        (1, ("before", "ProcessHold", "is caught", "0")),
        (0, ("after", "ProcessHold", "is caught", "0")),
        (1, ("before", "TaskTeam", "exits", "0")),
        (0, ("after", "TaskTeam", "is caught", "0")),
        (1, ("after", "TaskTeam", "exits", "0")),
        (0, ("before", "TaskRun", "is caught", "0")),
        (1, ("before", "TaskRun", "exits", "0")),
        (1, ("before", "TaskRun", "is caught", "0")),
        (1, ("after", "TaskRun", "is caught", "0")),
        (1, ("before", "TaskTeam", "exits", "1")),
        (0, ("before", "TaskTeam", "is caught", "1")),
    ],
)
def test_an_exception_before_the_run_of_a_map_ends_the_job(
    tmp_path: Path, leaver: int, given: tuple[str, ...]
) -> None:
    """Method: handlers of signals, in the first call or the second."""
    ended_by(tmp_path, leaver, MAP, *given)


@needs_mpi
@pytest.mark.parametrize("leaver", [0, 1])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("PricingTeam", ["price", "book.csv"]),
        ("MeltTeam", ["melt", "input.toml"]),
        ("GridTeam", ["diffuse", "input.toml"]),
        ("ImageMeter", ["machine", "--measure"]),
    ],
)
def test_an_exception_while_a_command_makes_its_team_ends_the_job(
    tmp_path: Path, leaver: int, when: str, name: str, command: list[str]
) -> None:
    ended_by(tmp_path, leaver, COMMAND, when, name, *command)


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What would have ended a job."""
    found: list[BaseException] = []
    monkeypatch.setattr(collective, "_end_job", found.append)
    return found


def test_what_all_images_raise_ends_no_job(ends: list[BaseException]) -> None:
    with pytest.raises(InputError), Collective():
        raise InputError("threads must be 1 or more")

    assert not ends
    assert not collective.is_left()


def test_what_comes_after_the_end_of_the_team_ends_no_job(ends: list[BaseException]) -> None:
    class Team:
        def finish(self) -> None:
            pass

    def leave() -> None:
        with Collective() as together:
            together.finish(Team())
            raise TimeoutError

    with pytest.raises(TimeoutError):
        leave()

    assert not ends
    assert not collective.is_left()


def test_what_one_image_raises_does(ends: list[BaseException]) -> None:
    error = TimeoutError("too late")

    with pytest.raises(TimeoutError), Collective():
        raise error

    assert ends == [error]
