# SPDX-License-Identifier: Apache-2.0
"""`makespan.map`: results in order, exceptions with their item, on threads and images."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import fake_core
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from job_programs import MPIEXEC, RUN_S_MAX, needs_mpi, run_program
from makespan.tasks import run
from small_grids import wait_for_file

import makespan


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


def test_every_setting_reaches_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_core, "TaskTeam", dict, raising=False)
    monkeypatch.setattr(run, "hold_mpi", lambda _: None)
    usual = {"policy": "equal_time", "dispatcher": "steal", "threads": None, "timeout": None}

    plain = run.map_team(fake_core, usual)

    assert (plain["policy"], plain["dispatcher"], plain["threads"]) == ("equal_time", "steal", 0)
    for asked, changed in (
        ({"policy": "self"}, {"policy": "self"}),
        (
            {"policy": "equal_time:fraction=0.5"},
            {"policy": "equal_time", "policy_options": {"fraction": 0.5}},
        ),
        ({"dispatcher": "counter"}, {"dispatcher": "counter"}),
        ({"threads": 3}, {"threads": 3}),
        ({"timeout": 7}, {"timeout": 7.0}),
    ):
        assert run.map_team(fake_core, {**usual, **asked}) == {**plain, **changed}


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
    assert results is not None
    assert isinstance(results[7], LookupError)
    assert results[:7] + results[8:] == [number for number in range(40) if number != 7]


@pytest.mark.parametrize("kind", [SystemExit, asyncio.CancelledError, KeyboardInterrupt])
def test_an_item_may_raise_anything(kind: type[BaseException]) -> None:
    def broken(number: int) -> int:
        if number == 7:
            raise kind(3)
        return number

    with pytest.raises(makespan.ItemError, match=f"item 7: {kind.__name__}: 3") as caught:
        makespan.map(broken, range(40), threads=2)

    assert isinstance(caught.value.__cause__, kind)
    results = makespan.map(broken, range(40), threads=2, return_exceptions=True)
    assert results is not None
    assert isinstance(results[7], kind)
    assert results[:7] + results[8:] == [number for number in range(40) if number != 7]


@pytest.mark.parametrize("costs", [None, [1.0] * 10 + [3.0] * 10])
def test_progress_counts_items(costs: list[float] | None) -> None:
    told: list[makespan.Progress] = []

    makespan.map(
        lambda _: time.sleep(0.02), range(20), threads=1, costs=costs, on_progress=told.append
    )

    assert {(one.total, one.unit) for one in told} == {(20, "items")}
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert len(told) > 3
    assert (told[-1].done, told[-1].share, told[-1].left_s) == (20, 1.0, 0.0)
    for one in told:
        dear = min(one.done, 10)  # dear items come first
        exact = one.done / 20 if costs is None else (3 * dear + one.done - dear) / 40
        assert one.share == pytest.approx(exact)


def test_what_progress_raises_ends_it() -> None:
    def refuse(_: makespan.Progress) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        makespan.map(lambda _: time.sleep(0.01), range(10**6), threads=2, on_progress=refuse)
    assert makespan.map(square, [3], threads=2) == [9]


def test_a_record_says_what_ran(tmp_path: Path) -> None:
    path = tmp_path / "map.json"

    makespan.map(lambda item: 1 // item, [0, 1, 2], threads=2, return_exceptions=True, record=path)

    record = json.loads(path.read_text())
    assert record["format"] == "makespan map record"
    assert record["items"] == {"total": 3, "raised": 1, "from_journal": 0}
    assert (record["images"], record["threads"]) == (1, 2)
    assert record["settings"]["policy"] == "equal_time"
    assert 0 < record["makespan_s"] <= record["wall_s"] + 0.1


PROGRAM = """
import os, sys, time, makespan

class Odd(Exception):
    def __init__(self, a, b):  # cannot be unpickled from its args
        super().__init__(f"{a} and {b}")

def work(item):
    time.sleep(0.0003)
    if item == bad: raise Odd(1, 2)
    return "x" * item

bad = -1
for costs in (None, [1 + i % 3 for i in range(600)]):
    results = makespan.map(work, range(600), costs=costs, gather="all")
    assert results == ["x" * i for i in range(600)]
image = int(os.environ["PMI_RANK"])
results = makespan.map(work, range(600))
assert results == (["x" * i for i in range(600)] if image == 0 else None)
assert makespan.map(work, [], gather="all") == []
bad = 599
try:
    makespan.map(work, range(600))
except (makespan.ItemError, RuntimeError) as error:
    assert "item 599" in str(error) and "1 and 2" in str(error), error
else:
    raise AssertionError("nothing was raised")
kept = makespan.map(work, range(600), return_exceptions=True, gather="all")
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
    found = makespan.map(work, range(300), gather=sys.argv[2])
except RuntimeError as error:
    assert "the result of item " in str(error) and "return what can be pickled" in str(error), error
    print("refused")
else:
    print(f"returned {found and len(found)}\\n", end="", flush=True)
"""


@needs_mpi
@pytest.mark.parametrize(
    ("odd", "gather", "said"),
    [
        (0, "all", ["refused"] * 2),
        (1, "all", ["refused"] * 2),
        (1, "first", ["refused"] * 2),
        (0, "first", ["returned 300", "returned None"]),  # it need not travel
    ],
)
def test_a_result_that_cannot_travel_is_an_error_on_all_images(
    tmp_path: Path, odd: int, gather: str, said: list[str]
) -> None:
    (tmp_path / "program.py").write_text(UNPICKLABLE)
    ended = subprocess.run(
        [str(MPIEXEC), "-n", "2", sys.executable, "program.py", str(odd), gather],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    # Lines of images may run into each other.
    for word in set(said):
        assert ended.stdout.count(word) == said.count(word), ended.stdout + ended.stderr


def test_results_that_need_not_travel_can_be_anything() -> None:
    results = makespan.map(lambda item: lambda: item, [1, 2], threads=2)

    assert results is not None
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
    said = sum(makespan.map(work, range(600), gather="all"))
except (TimeoutError, RuntimeError) as error:
    said = f"{type(error).__name__} {error}"
with open(f"said-{image}", "w") as file:
    print(said, file=file)
"""


@needs_mpi
@pytest.mark.parametrize("leaver", [0, 1])
def test_an_image_that_is_interrupted_leaves_no_other_waiting(tmp_path: Path, leaver: int) -> None:
    run_program(tmp_path, f"leaver = {leaver}\n{LEFT_EARLY}", 3)

    said = [(tmp_path / f"said-{image}").read_text() for image in range(3)]
    assert said.pop(leaver) == "TimeoutError too late\n"
    if leaver == 0:
        assert all("TimeoutError: too late" in one for one in said)
    else:
        assert said == [f"{sum(range(600))}\n"] * 2


CTRL_C = """
import os, time, makespan

image = int(os.environ["PMI_RANK"])
def work(item):
    open(f"begun-{image}", "w").close()
    time.sleep(0.005)
    return item

try:
    makespan.map(work, range(10**6), gather=gather)
except makespan.Interrupted as error:
    kept = error.result
    assert kept is None or all(kept[item] == item for item in kept)
    with open(f"said-{image}", "w") as file:
        print(error, None if kept is None else len(kept) == error.done, file=file)
"""


@needs_mpi
@pytest.mark.parametrize(("gather", "others"), [("first", "None"), ("all", "True")])
def test_ctrl_c_is_the_same_on_all_images(tmp_path: Path, gather: str, others: str) -> None:
    (tmp_path / "program.py").write_text(f"gather = '{gather}'\n{CTRL_C}")
    run = subprocess.Popen(
        [str(MPIEXEC), "-n", "3", sys.executable, "program.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for image in range(3):
        wait_for_file(run, tmp_path / f"begun-{image}")
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=RUN_S_MAX)

    said = [(tmp_path / f"said-{image}").read_text().split() for image in range(3)]
    assert [words.pop() for words in said] == ["True", others, others]
    assert said[0] == said[1] == said[2]
    assert said[0][:2] == ["interrupted", "after"]


LEAVING = """
import os, signal, sys, time, makespan

def work(item):
    time.sleep(0.002)
    if loses and os.environ["PMI_RANK"] == "2" and item > 20:
        os.kill(os.getpid(), signal.SIGKILL)
    return item

loses = sys.argv[1] == "lost"
assert makespan.map(work, range(300), gather="all") == list(range(300))
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
