# SPDX-License-Identifier: Apache-2.0
"""`makespan.map`: results in order, exceptions with their item, on threads and images."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import makespan

MPIEXEC = shutil.which("mpiexec.mpich")
RUN_S_MAX = 60

needs_mpi = pytest.mark.skipif(MPIEXEC is None, reason="no mpiexec of MPICH here")


def square(number: int) -> int:
    return number * number


@hypothesis_settings(max_examples=30, deadline=None)
@given(
    items=st.lists(st.integers(), max_size=60),
    has_costs=st.booleans(),
    policy=st.sampled_from(["equal_time", "fac2", "af"]),
    dispatcher=st.sampled_from(["steal", "counter", "static", "boss"]),
)
def test_results_come_in_order(
    items: list[int], *, has_costs: bool, policy: str, dispatcher: str
) -> None:
    costs = [1.0 + abs(item) % 7 for item in items] if has_costs else None

    squares = makespan.map(
        square, items, costs=costs, threads=2, policy=policy, dispatcher=dispatcher
    )

    assert squares == [item * item for item in items]


def test_threads_work_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=20)

    assert makespan.map(lambda _: both.wait() >= 0, [0, 1], threads=2) == [True, True]


def test_an_exception_names_its_item() -> None:
    def broken(number: int) -> int:
        if number == 7:
            raise LookupError("no seven")
        return number

    with pytest.raises(makespan.ItemError, match="item 7: LookupError: no seven") as caught:
        makespan.map(broken, range(40), threads=2)

    assert caught.value.index == 7
    assert isinstance(caught.value.__cause__, LookupError)
    results = makespan.map(broken, range(40), threads=2, return_exceptions=True)
    assert isinstance(results[7], LookupError)
    assert results[:7] + results[8:] == [number for number in range(40) if number != 7]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"costs": [1.0]}, r"shape \(3,\)"),
        ({"costs": [1.0, -1.0, 1.0]}, r"costs\[1\]"),
        ({"policy": "nosuch"}, "policy must be one of"),
        ({"dispatcher": "nosuch"}, "dispatcher must be one of"),
        ({"threads": 0}, "threads must be"),
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(makespan.InputError, match=message):
        makespan.map(square, [1, 2, 3], **arguments)  # type: ignore[arg-type]


def test_a_communicator_that_is_no_world_is_refused() -> None:
    class Half:
        def Get_size(self) -> int:  # noqa: N802
            return 17

    with pytest.raises(makespan.InputError, match="17 processes"):
        makespan.map(square, [1], comm=Half())


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    work = "makespan.map(lambda _: time.sleep(0.01), range(10**6), threads=2)"
    code = f"import makespan, time\n{work}"
    run = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, cwd=tmp_path)
    time.sleep(2)
    run.send_signal(2)
    _, said = run.communicate(timeout=20)

    assert b"KeyboardInterrupt" in said


def left_by(tmp_path: Path, program: str, *signals: int) -> subprocess.CompletedProcess[str]:
    """A program that is sent these signals once its items have begun, one a second."""
    (tmp_path / "program.py").write_text(program)
    run = subprocess.Popen(
        [sys.executable, "program.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    for number in signals:
        time.sleep(1)
        run.send_signal(number)
    try:
        out, err = run.communicate(timeout=20)
    finally:
        run.kill()
    return subprocess.CompletedProcess(run.args, run.returncode, out, err)


BEGUN = """
import makespan, os, signal, sys, threading, time

begun = threading.Event()
def work(item):
    if not begun.is_set():
        begun.set()
        os.write(1, b"begun\\n")
    time.sleep(seconds)
    return item
"""


def test_an_exception_of_a_signal_handler_ends_it(tmp_path: Path) -> None:
    """Method: a handler that exits, as service managers' programs have."""
    program = BEGUN + (
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))\n"
        "seconds = 0.01\n"
        "makespan.map(work, range(10**6), threads=2)\n"
    )

    ended = left_by(tmp_path, program, signal.SIGTERM)

    assert (ended.returncode, ended.stderr) == (3, "")


def test_what_a_handler_raised_can_be_caught_and_another_map_works(tmp_path: Path) -> None:
    program = BEGUN + (
        "def late(*_): raise TimeoutError('too late')\n"
        "signal.signal(signal.SIGALRM, late)\n"
        "seconds = 0.01\n"
        "def timed(item):\n"
        "    if item == 0: signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
        "    return work(item)\n"
        "for _ in range(3):\n"
        "    try: makespan.map(timed, range(10**6), threads=2)\n"
        "    except TimeoutError as error: print(error)\n"
        "print(len(makespan.map(work, range(10), threads=2)))\n"
    )

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "too late\n" * 3 + "10\n"


def test_a_second_ctrl_c_does_not_wait_for_items(tmp_path: Path) -> None:
    program = BEGUN + "seconds = 1000\nmakespan.map(work, range(10), threads=2)\n"

    ended = left_by(tmp_path, program, signal.SIGINT, signal.SIGINT)

    assert ended.returncode == 130
    assert ended.stderr.rstrip().endswith("KeyboardInterrupt")


def test_a_program_that_waits_for_its_items_ends_as_it_likes(tmp_path: Path) -> None:
    program = BEGUN + (
        "seconds = 3\n"
        "try: makespan.map(work, range(10), threads=2)\n"
        "except KeyboardInterrupt: time.sleep(4)\n"
    )

    ended = left_by(tmp_path, program, signal.SIGINT, signal.SIGINT)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_call_after_a_second_ctrl_c_is_refused_until_the_items_have_ended(tmp_path: Path) -> None:
    program = BEGUN + (
        "seconds = 4\n"
        "try: makespan.map(work, range(10), threads=2)\n"
        "except KeyboardInterrupt: pass\n"
        "try: makespan.map(work, range(10), threads=2)\n"
        "except RuntimeError as error: print(error)\n"
        "time.sleep(5)\n"
        "seconds = 0\n"
        "print(makespan.map(work, range(3), threads=2))\n"
    )

    ended = left_by(tmp_path, program, signal.SIGINT, signal.SIGINT)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "an earlier run was interrupted twice" in ended.stdout
    assert ended.stdout.endswith("[0, 1, 2]\n")


PROGRAM = """
import sys, time, makespan

class Odd(Exception):
    def __init__(self, a, b):  # cannot be unpickled from its args
        super().__init__(f"{a} and {b}")

def work(item):
    time.sleep(0.0003)
    if item == bad: raise Odd(1, 2)
    return "x" * item

bad = -1
for costs in (None, [1 + i % 3 for i in range(600)]):
    assert makespan.map(work, range(600), costs=costs) == ["x" * i for i in range(600)]
assert makespan.map(work, []) == []
bad = 599
try:
    makespan.map(work, range(600))
except (makespan.ItemError, RuntimeError) as error:
    assert "item 599" in str(error) and "1 and 2" in str(error), error
else:
    raise AssertionError("nothing was raised")
kept = makespan.map(work, range(600), return_exceptions=True)
assert "1 and 2" in str(kept[599]) and kept[598] == "x" * 598
print("all is well")
"""


@needs_mpi
@pytest.mark.parametrize("images", [1, 2, 3])
def test_images_share_the_items_and_all_get_the_results(tmp_path: Path, images: int) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    ended = subprocess.run(
        [str(MPIEXEC), "-n", str(images), sys.executable, "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("all is well") == images


UNPICKLABLE = """
import os, sys, time, makespan

rank = int(os.environ["PMI_RANK"])

def work(item):
    time.sleep(0.001)
    return (lambda: item) if rank == odd else item

odd = int(sys.argv[1])
try:
    found = makespan.map(work, range(300))
except RuntimeError as error:
    assert "the result of item " in str(error) and "return what can be pickled" in str(error), error
    print("refused")
else:
    print("returned", found[:3])
"""


@needs_mpi
@pytest.mark.parametrize("odd", [0, 1])
def test_a_result_that_cannot_travel_is_an_error_on_all_images(tmp_path: Path, odd: int) -> None:
    (tmp_path / "program.py").write_text(UNPICKLABLE)
    ended = subprocess.run(
        [str(MPIEXEC), "-n", "2", sys.executable, "program.py", str(odd)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    # Lines of images may run into each other.
    assert ended.stdout.count("refused") == 2, ended.stdout + ended.stderr


def test_results_that_need_not_travel_can_be_anything() -> None:
    results = makespan.map(lambda item: lambda: item, [1, 2], threads=2)

    assert [one() for one in results] == [1, 2]


LEFT_EARLY = """
import os, signal, time
import makespan

def late(*_):
    raise TimeoutError("too late")

def work(item):
    global begun
    if image == leaver and not begun:
        begun = True
        signal.setitimer(signal.ITIMER_REAL, 0.3)
    time.sleep(0.01)
    return item

begun = False
image = int(os.environ["PMI_RANK"])
signal.signal(signal.SIGALRM, late)
try:
    said = sum(makespan.map(work, range(600)))
except (TimeoutError, RuntimeError) as error:
    said = f"{type(error).__name__} {error}"
with open(f"said-{image}", "w") as file:
    print(said, file=file)
"""


@needs_mpi
@pytest.mark.parametrize("leaver", [0, 1])
def test_an_image_that_is_interrupted_leaves_no_other_waiting(tmp_path: Path, leaver: int) -> None:
    (tmp_path / "program.py").write_text(f"leaver = {leaver}\n{LEFT_EARLY}")

    ended = subprocess.run(
        [str(MPIEXEC), "-n", "3", sys.executable, "program.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert ended.returncode == 0, ended.stderr
    said = [(tmp_path / f"said-{image}").read_text() for image in range(3)]
    assert said.pop(leaver) == "TimeoutError too late\n"
    if leaver == 0:
        assert all("TimeoutError: too late" in one for one in said)
    else:
        assert said == [f"{sum(range(600))}\n"] * 2


LEAVING = """
import os, signal, sys, time, makespan

def work(item):
    time.sleep(0.002)
    if loses and os.environ["PMI_RANK"] == "2" and item > 20:
        os.kill(os.getpid(), signal.SIGKILL)
    return item

loses = sys.argv[1] == "lost"
assert makespan.map(work, range(300)) == list(range(300))
sys.exit(3)
"""


@needs_mpi
@pytest.mark.parametrize("kind", ["whole", "lost"])
def test_a_program_ends_with_its_own_exit_code(tmp_path: Path, kind: str) -> None:
    """Goal: also where MPI cannot be ended, since an image was lost."""
    (tmp_path / "program.py").write_text(LEAVING)
    # See test_job.py for the shell. The launcher ends the others when the first shell has ended.
    wait = "for look in $(seq 300); do [ $(ls code.* | wc -l) = 3 ] && break; sleep 0.1; done"
    program = f"{sys.executable} program.py {kind}; echo $? > code.$PMI_RANK"
    shell = f"trap '' USR1; {program}; {wait}; sleep 0.5"
    subprocess.run(
        [str(MPIEXEC), "-disable-auto-cleanup", "-n", "3", "sh", "-c", shell],
        cwd=tmp_path,
        capture_output=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    codes = [(tmp_path / f"code.{image}").read_text().strip() for image in range(3)]
    assert codes == ["3", "3", "137" if kind == "lost" else "3"]
