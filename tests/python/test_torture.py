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
from tests.torture.__main__ import parsed, summary, wanted, ways
from tests.torture.disturbance import Disturbance, Kind, disturb
from tests.torture.fault import Fault
from tests.torture.job import Ended, Job, launcher
from tests.torture.last_words import check_last_words
from tests.torture.programs import PROGRAMS, Program, Results
from tests.torture.rounds import UNMET, Arena, Round, Undisturbed, round_of

WAIT_S_MAX = 15
TRIES = 10
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
    # The others go on, or all end: an image is lost after 1.25 s of silence.
    monkeypatch.setattr("tests.torture.disturbance.STOPPED_S", 2.0)
    is_to_keep = name in TO_KEEP and kind in (Kind.KILL_ONE, Kind.KILL_ALL)
    # On a busy machine a run may be over, or not far yet, at a moment that another one has shown.
    for _ in range(TRIES):
        how = arena.play(Round(0, program, images, Disturbance(kind, moment, 0.5, 0.1)))
        if UNMET in how or (kind is not Kind.STOP and "went on" not in how):
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


@pytest.mark.parametrize("has_launcher", [True, False])
def test_only_images_on_which_an_asked_kind_happens_are_waited_for(
    monkeypatch: pytest.MonkeyPatch, *, has_launcher: bool
) -> None:
    """Method: an alarm is for scripts that catch it, of which one runs alone only."""
    monkeypatch.setattr(
        "tests.torture.__main__.launcher", lambda: "mpiexec" if has_launcher else None
    )
    alarms = ["--rounds", "5", "--first-seed", "7", "--kinds", "alarm"]

    asked = parsed([*alarms, "--programs", "price-script,melt"])
    assert ways(asked) == {1}
    assert [one.program.name for one in wanted(asked)] == ["price-script"] * 5
    asked = parsed([*alarms, "--programs", "map,melt"])
    assert ways(asked) == ({1, 3} if has_launcher else {1})
    assert {one.program.name for one in wanted(asked)} == {"map"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--rounds -3", "'-3' is no number of rounds: give 1 or more"),
        ("--rounds 0", "'0' is no number of rounds"),
        ("--programs price,prise", "'prise' is none of price, map, "),
        ("--kinds stop,alarms", "'alarms' is none of kill-one, "),
        ("--images 2", "'2' is none of 1, 3"),
        ('--folder it\'s-a-"folder"', "both kinds of quotes"),
        ("--kinds alarm --programs melt", "no round is possible: none of melt on 1 or 3 images"),
        ("--kinds alarm --programs price-script --images 3", "none of price-script on 3 images"),
    ],
)
def test_what_cannot_be_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    monkeypatch.setattr("tests.torture.__main__.launcher", lambda: "mpiexec")

    with pytest.raises(SystemExit, match="2"):
        parsed(words.split())
    assert said in " ".join(capsys.readouterr().err.split())


def test_several_images_without_a_launcher(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.torture.__main__.launcher", lambda: None)

    with pytest.raises(SystemExit, match="2"):
        parsed(["--images", "3"])
    assert "without mpiexec, which several images need" in capsys.readouterr().err


def script(text: str) -> Program:
    """One that writes out.txt and prints a result."""

    def results(folder: Path, stdout: str) -> Results:
        out = folder / "out.txt"
        shown = {"out": out.read_text()} if out.exists() else {}
        return {"said": stdout, **shown}

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
NOT_ALL = """
ready()
print("same")
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
log_path = os.environ["TOOL_OPTIONS"].rpartition("log_path=")[2].strip("'")
with open(f"{log_path}.{os.getpid()}", "w") as file:
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
        (NOT_ALL, Kind.KILL_ALL, "going on: out missing"),
        (BEGINS_ANEW, Kind.KILL_ALL, "3 were kept, and it went on from 0"),
        (WITH_A_TRACEBACK, Kind.TERMINATE, "Traceback"),
        (LEAVES_A_PROCESS, Kind.TERMINATE, "leaves processes"),
        (IN_A_CHILD.format(report=OF_ADDRESS), Kind.KILL_ALL, "AddressSanitizer: overflow"),
        (IN_A_CHILD.format(report=OF_BEHAVIOUR), Kind.KILL_ALL, "runtime error: 7"),
    ],
    ids=[
        "half written",
        "another",
        "not all",
        "anew",
        "traceback",
        "process",
        "address",
        "behaviour",
    ],
)
def test_what_is_wrong_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, kind: Kind, sentence: str
) -> None:
    def disturb_when_ready(job: Job, what: Disturbance) -> bool:
        end = time.monotonic() + WAIT_S_MAX
        while not (tmp_path / "seed-0" / "ready").exists() and time.monotonic() < end:
            time.sleep(0.01)
        return disturb(job, what)

    monkeypatch.setattr("tests.torture.rounds.disturb", disturb_when_ready)
    monkeypatch.setattr("tests.torture.rounds.LEFTOVER_S_MAX", 0.5)
    arena = Arena(tmp_path)
    arena.known["script", 1] = Undisturbed(0.0, {"out": "whole", "said": "same\n"})

    with pytest.raises(Fault, match=sentence):
        arena.play(Round(0, script(READY + text), 1, Disturbance(kind, 0.0, 0.5, 0.1)))


@pytest.mark.parametrize("kind", list(Kind))
def test_a_round_says_whether_it_disturbed_a_process(tmp_path: Path, kind: Kind) -> None:
    """Method: a program that is over before its moment."""
    arena = Arena(tmp_path)
    whole = {"out": "whole", "said": "same\n"}
    ends = script("import pathlib\npathlib.Path('out.txt').write_text('whole')\nprint('same')\n")
    arena.known["script", 1] = Undisturbed(WAIT_S_MAX, whole)
    over = Round(0, ends, 1, Disturbance(kind, 1.0, 0.5, 0.1))

    assert arena.play(over) == f"done, {UNMET}"


@pytest.mark.parametrize("kind", list(Kind))
def test_a_process_that_runs_is_disturbed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    monkeypatch.setattr("tests.torture.disturbance.STOPPED_S", 0.0)
    folder = tmp_path / "job"
    folder.mkdir()
    job = Job(["-c", "import time; time.sleep(60)"], folder, 1, {})
    try:
        end = time.monotonic() + WAIT_S_MAX
        while not job.pythons() and time.monotonic() < end:
            time.sleep(0.01)
        assert disturb(job, Disturbance(kind, 0.0, 0.5, 0.1))
        assert job.is_over() or job.wait(WAIT_S_MAX) or kind is Kind.STOP
    finally:
        job.end()


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


@pytest.mark.parametrize(
    "frames",
    [
        '  File "/a/seed-7/map.py", line 0, in <module>\n',
        '  File "/a/seed-7/map.py", line 2, in <module>\n    import os\n',
        '  File "/a/seed-7/map.py", line 2, in <module>\n    import os\n'
        '  File "/usr/lib/python3.11/signal.py", line 3, in <module>\n',
    ],
)
def test_ctrl_c_in_the_first_lines_of_a_script_is_pythons(frames: str) -> None:
    err = f"Traceback (most recent call last):\n{frames}KeyboardInterrupt\n"
    check_last_words(Ended(2, "", err), Kind.INTERRUPT_TWICE, 3)
    with pytest.raises(Fault, match="Traceback"):
        check_last_words(Ended(2, "", err), Kind.TERMINATE, 3)
    in_main = err.replace(frames, '  File "/a/map.py", line 9, in <module>\n    main()\n')
    with pytest.raises(Fault, match="Traceback"):
        check_last_words(Ended(2, "", in_main), Kind.INTERRUPT_TWICE, 3)


def test_ctrl_c_before_pythons_streams_are_there_is_pythons() -> None:
    err = (
        "Fatal Python error: init_sys_streams: can't initialize sys standard streams\n"
        "Python runtime state: core initialized\n"
        "Traceback (most recent call last):\n"
        '  File "<frozen io>", line 110, in <module>\n'
        "TypeError: expected a message argument\n"
    )
    check_last_words(Ended(2, "", err), Kind.INTERRUPT, 3)
    in_a_run = err.replace("core initialized", "initialized")
    with pytest.raises(Fault, match="Traceback"):
        check_last_words(Ended(2, "", in_a_run), Kind.INTERRUPT, 3)


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
