# SPDX-License-Identifier: Apache-2.0
"""The fixed part of `make torture`: few rounds, and that faults are found."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.torture.disturbance import Disturbance, Kind
from tests.torture.fault import Fault
from tests.torture.job import Ended, launcher
from tests.torture.last_words import check_last_words
from tests.torture.programs import PROGRAMS, Program, Results
from tests.torture.rounds import Arena, Round, round_of

QUICK = [
    ("price", 1, Kind.KILL_ALL, 0.6),
    ("price", 1, Kind.INTERRUPT, 0.8),
    ("diffuse", 1, Kind.KILL_ONE, 0.85),
    ("melt", 1, Kind.KILL_ONE, 0.8),
    ("price", 3, Kind.KILL_ONE, 0.7),
    ("price", 3, Kind.TERMINATE, 0.5),
]


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Arena:
    return Arena(tmp_path_factory.mktemp("torture"))


@pytest.mark.parametrize(("name", "images", "kind", "moment"), QUICK)
def test_a_round_costs_no_result(
    arena: Arena, name: str, images: int, kind: Kind, moment: float
) -> None:
    if images > 1 and launcher() is None:
        pytest.skip("no mpiexec here")

    arena.play(Round(0, PROGRAMS[name], images, Disturbance(kind, moment, 0.5, 0.1)))


def test_a_seed_says_all_of_a_round() -> None:
    rounds = [round_of(seed) for seed in range(300)]

    assert rounds[7] == round_of(7)
    assert {one.program.name for one in rounds} == set(PROGRAMS)
    assert {one.disturbance.kind for one in rounds} == set(Kind)


def script(text: str) -> Program:
    """One that writes out.txt and prints a result."""

    def results(folder: Path, stdout: str) -> Results:
        return {"out": (folder / "out.txt").read_text(), "said": stdout}

    def check(folder: Path, expected: Results) -> None:
        found = (folder / "out.txt").read_text() if (folder / "out.txt").exists() else ""
        if found not in ("", expected["out"]):
            raise Fault("out.txt is half written")

    return Program("script", {"run.py": text}, lambda _: ["run.py"], results, check, images=(1,))


HALF_WRITTEN = """
import time
with open("out.txt", "w", buffering=1) as file:
    for number in range(40):
        file.write(f"{number}\\n")
        time.sleep(0.01)
"""
LEAVES_A_PROCESS = """
import pathlib, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(0.6)"])
pathlib.Path("out.txt").write_text("1")
time.sleep(0.5)
"""
ANOTHER_RESULT = """
import pathlib, time
again = pathlib.Path("again").exists()
pathlib.Path("again").touch()
time.sleep(0.5)
pathlib.Path("out.txt").write_text("1")
print(again)
"""
WITH_A_TRACEBACK = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: 1 / 0)
time.sleep(0.3)
pathlib.Path("out.txt").write_text("1")
"""


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        (HALF_WRITTEN, Kind.KILL_ALL, "half written"),
        (ANOTHER_RESULT, Kind.KILL_ALL, "differs"),
        (WITH_A_TRACEBACK, Kind.TERMINATE, "Traceback"),
    ],
    ids=["half written", "another result", "traceback"],
)
def test_what_is_wrong_is_found(tmp_path: Path, text: str, kind: Kind, sentence: str) -> None:
    one = Round(0, script(text), 1, Disturbance(kind, 0.6, 0.5, 0.1))

    with pytest.raises(Fault, match=sentence):
        Arena(tmp_path).play(one)


def test_a_process_that_stays_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.torture.rounds.LEFTOVER_S_MAX", 0.0)
    one = Round(0, script(LEAVES_A_PROCESS), 1, Disturbance(Kind.KILL_ONE, 0.9, 0.0, 0.1))

    with pytest.raises(Fault, match="leaves processes"):
        Arena(tmp_path).play(one)


@pytest.mark.parametrize(
    ("code", "err", "sentence"),
    [
        (-signal.SIGSEGV, "", "died of SIGSEGV"),
        (-signal.SIGKILL, "", "died of SIGKILL"),
        (4, "", "0 messages"),
        (4, "makespan: a\nmakespan: b\n", "2 messages"),
        (4, "terminate called after", "terminate called"),
    ],
)
def test_last_words_that_are_none(code: int, err: str, sentence: str) -> None:
    with pytest.raises(Fault, match=sentence):
        check_last_words(Ended(code, "", err), Kind.INTERRUPT, 1)
