# SPDX-License-Identifier: Apache-2.0
"""The fixed part of `make torture`: few rounds, and that faults are found."""

from __future__ import annotations

import dataclasses
import itertools
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.torture import inputs
from tests.torture.__main__ import parsed, summary, wanted
from tests.torture.disturbance import Disturbance, Kind, disturb
from tests.torture.fault import Fault
from tests.torture.job import Ended, Job, launcher
from tests.torture.last_words import check_last_words
from tests.torture.programs import PROGRAMS, Program, Results
from tests.torture.rounds import Arena, Round, Undisturbed, round_of

WAIT_S_MAX = 15
TRIES = 5
# Each program and each kind of disturbance stands in one of them.
QUICK = [
    ("price", 1, Kind.KILL_ALL, 0.6),
    ("price", 1, Kind.INTERRUPT, 0.8),
    ("diffuse", 1, Kind.KILL_ONE, 0.85),
    ("melt", 1, Kind.KILL_ONE, 0.8),
    ("price", 3, Kind.KILL_ONE, 0.7),
    ("price", 3, Kind.TERMINATE, 0.5),
    ("price", 3, Kind.STOP, 0.5),
    ("price-script", 1, Kind.ALARM, 0.8),
    ("map", 1, Kind.INTERRUPT_TWICE, 0.7),
    ("map-journal", 3, Kind.KILL_ONE, 0.7),
    ("calcium", 1, Kind.KILL_ALL, 0.8),
    ("simulate", 1, Kind.INTERRUPT_TWICE, 0.7),
    ("machine", 1, Kind.INTERRUPT, 0.7),
]
TO_KEEP = ("price", "diffuse", "calcium")


def shorter(name: str) -> Program:
    """Less of what `make torture` takes for seconds: no pictures, and fewer items."""
    program = PROGRAMS[name]
    texts = {one: text.replace("range(6000)", "range(1000)") for one, text in program.files.items()}
    if name == "calcium":
        texts = {"in.toml": inputs.calcium(0.012).replace("scan_ms = 0.0015", "scan_ms = 0")}

    def words(folder: Path) -> list[str]:
        # Nothing is measured: on a busy machine that may take half a minute.
        left_out = ("--measure", "--seconds", "0.3")
        every = (word.replace("20000", "500") for word in program.words(folder))
        return [word for word in every if word not in left_out]

    return dataclasses.replace(program, files=texts, words=words)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Arena:
    return Arena(tmp_path_factory.mktemp("torture"))


@pytest.mark.parametrize("drawn", QUICK, ids=lambda one: "-".join(map(str, one)))
def test_a_round_costs_no_result(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, drawn: tuple[str, int, Kind, float]
) -> None:
    name, images, kind, moment = drawn
    if images > 1 and launcher() is None:
        pytest.skip("no mpiexec here")

    program = shorter(name)
    if kind is Kind.STOP:  # the others go on, or all end: an image is lost after 1.25 s of silence
        monkeypatch.setattr("tests.torture.disturbance.STOPPED_S", 2.0)
        arena.play(Round(0, program, images, Disturbance(kind, moment, 0.5, 0.1)))
        return
    is_to_keep = name in TO_KEEP and kind in (Kind.KILL_ONE, Kind.KILL_ALL)
    # On a busy machine a run may be over, or not far yet, at a moment that another one has shown.
    for _ in range(TRIES):
        how = arena.play(Round(0, program, images, Disturbance(kind, moment, 0.5, 0.1)))
        if "went on" not in how:
            moment *= 0.7
        elif is_to_keep and how.endswith("from 0"):
            moment *= 1.2
        else:
            return
    pytest.fail(f"each run had ended before it was disturbed, or had kept nothing: {how}")


def test_the_fixed_rounds_have_each_program_and_each_disturbance() -> None:
    assert {name for name, _, _, _ in QUICK} == set(PROGRAMS)
    assert {kind for _, _, kind, _ in QUICK} == set(Kind)


def test_a_seed_says_all_of_a_round() -> None:
    rounds = [round_of(seed) for seed in range(300)]

    assert rounds[7] == round_of(7)
    assert {one.program.name for one in rounds} == set(PROGRAMS)
    assert {one.disturbance.kind for one in rounds} == set(Kind)


def test_there_are_as_many_rounds_alone_as_on_three_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.torture.__main__.launcher", lambda: "mpiexec")

    rounds = list(wanted(parsed(["--rounds", "70", "--first-seed", "7"])))
    counts = Counter((one.program.name, one.images) for one in rounds)

    assert Counter(one.images for one in rounds) == {1: 70, 3: 70}
    assert summary(counts, 2) == "140 rounds: 70 alone, 70 on 3 images; 2 failed"
    # One that only runs alone has no rounds of the other kind to wait for.
    asked = parsed(["--rounds", "5", "--first-seed", "7", "--programs", "price-script"])
    assert [one.images for one in wanted(asked)] == [1] * 5
    stopped = wanted(parsed(["--until-stopped", "--first-seed", "7"]))
    assert len(list(itertools.islice(stopped, 300))) == 300


def script(text: str) -> Program:
    """One that writes out.txt and prints a result."""

    def results(folder: Path, stdout: str) -> Results:
        return {"out": (folder / "out.txt").read_text(), "said": stdout}

    def check(folder: Path, expected: Results) -> None:
        found = (folder / "out.txt").read_text() if (folder / "out.txt").exists() else ""
        if found not in ("", expected["out"]):
            raise Fault("out.txt is half written")

    def kept(_: Path) -> int:
        return 3 if text.endswith(BEGINS_ANEW) else 0

    words = ["run.py"]
    return Program("script", {"run.py": text}, lambda _: words, results, check, kept, images=(1,))


# The first time each waits to be disturbed, the second time it goes on.
READY = """
import os, pathlib, signal, subprocess, sys, time
def ready():
    if not pathlib.Path("ready").exists():
        pathlib.Path("ready").touch()
        time.sleep(60)
"""
HALF_WRITTEN = """
pathlib.Path("out.txt").write_text("who")
ready()
"""
ANOTHER_RESULT = """
ready()
pathlib.Path("out.txt").write_text("whole")
print("another")
"""
BEGINS_ANEW = """
ready()
pathlib.Path("out.txt").write_text("whole")
print("same")
"""
WITH_A_TRACEBACK = """
signal.signal(signal.SIGTERM, lambda *_: 1 / 0)
ready()
"""
LEAVES_A_PROCESS = """
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
ready()
"""
# As a sanitizer does in a process that the package starts, and whose end tells it something.
REPORT = """
with open(f"{os.environ['TOOL_OPTIONS'].rpartition('log_path=')[2]}.{os.getpid()}", "w") as file:
    file.write("==7==TEXT")
os.abort()
"""
OF_ADDRESS = REPORT.replace("TOOL", "ASAN").replace("TEXT", "ERROR: AddressSanitizer: overflow")
OF_BEHAVIOUR = REPORT.replace("TOOL", "UBSAN").replace("TEXT", "a.cpp:3:9: runtime error: 7")
IN_A_CHILD = """
report = "import os" + {report!r}
subprocess.run([sys.executable, "-c", report], capture_output=True, check=False)
ready()
"""


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        (HALF_WRITTEN, Kind.KILL_ALL, "half written"),
        (ANOTHER_RESULT, Kind.KILL_ALL, "differs"),
        (BEGINS_ANEW, Kind.KILL_ALL, "3 were kept, and it went on from 0"),
        (WITH_A_TRACEBACK, Kind.TERMINATE, "Traceback"),
        (LEAVES_A_PROCESS, Kind.TERMINATE, "leaves processes"),
        (IN_A_CHILD.format(report=OF_ADDRESS), Kind.KILL_ALL, "AddressSanitizer: overflow"),
        (IN_A_CHILD.format(report=OF_BEHAVIOUR), Kind.KILL_ALL, "runtime error: 7"),
    ],
    ids=["half written", "another", "anew", "traceback", "process", "address", "behaviour"],
)
def test_what_is_wrong_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, kind: Kind, sentence: str
) -> None:
    def disturb_when_ready(job: Job, what: Disturbance) -> None:
        end = time.monotonic() + WAIT_S_MAX
        while not (tmp_path / "seed-0" / "ready").exists() and time.monotonic() < end:
            time.sleep(0.01)
        disturb(job, what)

    monkeypatch.setattr("tests.torture.rounds.disturb", disturb_when_ready)
    monkeypatch.setattr("tests.torture.rounds.LEFTOVER_S_MAX", 0.5)
    arena = Arena(tmp_path)
    arena.known["script", 1] = Undisturbed(0.0, {"out": "whole", "said": "same\n"})

    with pytest.raises(Fault, match=sentence):
        arena.play(Round(0, script(READY + text), 1, Disturbance(kind, 0.0, 0.5, 0.1)))


@pytest.mark.parametrize(
    ("code", "err", "sentence"),
    [
        (-signal.SIGSEGV, "", "died of SIGSEGV"),
        (-signal.SIGKILL, "", "died of SIGKILL"),
        (4, "", "0 messages"),
        (4, "makespan: a\nmakespan: b\n", "2 messages"),
        (4, "terminate called after", "terminate called"),
        (0, "a.cpp:3:9: runtime error: signed integer overflow", "overflow"),
        (4, "makespan: a\n==7==ERROR: AddressSanitizer: heap-use-after-free on", "use-after-free"),
        (4, "makespan: a\nSUMMARY: UndefinedBehaviorSanitizer: undefined-behavior", "a sanitizer"),
    ],
)
def test_last_words_that_are_none(code: int, err: str, sentence: str) -> None:
    with pytest.raises(Fault, match=sentence):
        check_last_words(Ended(code, "", err), Kind.INTERRUPT, 1)


def test_a_report_beside_many_images_or_none_of_ours_is_none_the_less_one() -> None:
    before_python_began = 'File "<frozen site>"\nKeyboardInterrupt\n'
    check_last_words(Ended(1, "", before_python_began), Kind.INTERRUPT, 3)
    report = "a.cpp:3:9: runtime error: overflow\n"
    with pytest.raises(Fault, match="overflow"):
        check_last_words(Ended(1, "", before_python_began + report), Kind.INTERRUPT, 3)
    with pytest.raises(Fault, match="overflow"):
        check_last_words(Ended(0, "", "", (report,)), Kind.KILL_ONE, 3)


def test_an_alarm_while_python_ends_is_the_scripts_own() -> None:
    err = (
        "Exception ignored in atexit callback: <function _let_go at 0x7f>\n"
        "Traceback (most recent call last):\n"
        "RuntimeError: the alarm rang\n"
    )
    check_last_words(Ended(0, "", err), Kind.ALARM, 3)
    with pytest.raises(Fault, match="Traceback"):
        check_last_words(Ended(0, "", err), Kind.TERMINATE, 3)
    with pytest.raises(Fault, match="Traceback"):
        check_last_words(Ended(0, "", err + "Traceback (most recent call last)"), Kind.ALARM, 3)
