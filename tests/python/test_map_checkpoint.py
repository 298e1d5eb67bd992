# SPDX-License-Identifier: Apache-2.0
"""`makespan.map` that goes on with a journal: what is there is not run again, and is the same.

Method: items say in a file that they ran; runs are left by an error, Ctrl-C, kill -9 and a full
disk, and journals are damaged.
"""

from __future__ import annotations

import functools
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pytest
from damage import COUNTS, damaged
from job_programs import needs_mpi, run_program
from kept_maps import failing_at, journal_of, square
from limited_files import files_of_at_most
from makespan.base.errors import ItemError, JournalError
from makespan.job.progress import Progress
from signalled_program import left_by

import makespan
from tests.torture.journal_rows import rows_in, wait_for_rows


@pytest.mark.parametrize("costs", [None, [1.0 + item % 7 for item in range(100)]])
@pytest.mark.parametrize("timeout", [None, 60.0])
def test_only_what_a_journal_lacks_is_run(
    tmp_path: Path, costs: list[float] | None, timeout: float | None
) -> None:
    """Method: a third of the items raise at first, so that many stretches are left to do."""
    path, odd = tmp_path / "run.db", range(1, 100, 3)
    first: list[int] = []
    makespan.map(
        failing_at(odd, first),
        range(100),
        checkpoint=path,
        return_exceptions=True,
        costs=costs,
        timeout=timeout,
    )
    second: list[int] = []
    found = makespan.map(
        failing_at((), second), range(100), restart_from=path, costs=costs, timeout=timeout
    )

    assert sorted(first) == list(range(100))
    assert sorted(second) == list(odd)
    assert found == [item * item for item in range(100)]
    third: list[int] = []
    assert makespan.map(failing_at((), third), range(100), restart_from=path) == found
    assert third == []


def test_an_item_that_raises_ends_a_run_that_another_goes_on_with(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    first: list[int] = []
    with pytest.raises(ItemError, match="item 40"):
        makespan.map(failing_at([40], first), range(200), checkpoint=path, threads=1)
    kept = rows_in(path)
    second: list[int] = []
    record = tmp_path / "record.json"

    found = makespan.map(failing_at((), second), range(200), restart_from=path, record=record)

    assert kept == len(first) - 1 > 0
    assert sorted(first + second) == sorted([*range(200), 40])
    assert found == [item * item for item in range(200)]
    assert f'"from_journal": {kept}' in record.read_text()


PROGRAM = """
import os, sys, time, makespan

def work(item):
    with open("ran", "a") as ran:
        ran.write(str(item) + "\\n")
    if os.path.exists("fail") and item == 77:
        raise ValueError(item)
    time.sleep(0.002)
    return [item * item]

costs = [1.0 + item % 5 for item in range(150)] if {costs} else None
try:
    found = makespan.map(work, range(150), costs=costs, {how}="run.db", gather="{gather}")
    print("nothing" if found is None else [one[0] for one in found] == [
        item * item for item in range(150)])
except makespan.ItemError as error:
    print(f"item {{error.index}}")
"""


@needs_mpi
@pytest.mark.parametrize("costs", ["0", "1"])
@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 2), (3, 1)])
def test_a_job_goes_on_with_any_number_of_images(
    tmp_path: Path, before: int, after: int, costs: str
) -> None:
    (tmp_path / "fail").touch()
    program = functools.partial(PROGRAM.format, costs=costs)
    said = run_program(tmp_path, program(how="checkpoint", gather="first"), before)
    kept, ran = rows_in(tmp_path / "run.db"), (tmp_path / "ran").read_text().split()
    (tmp_path / "fail").unlink()
    (tmp_path / "ran").unlink()

    again = run_program(tmp_path, program(how="restart_from", gather="all"), after)

    # A launcher may put the lines of two images into one.
    assert (said.count("item 77"), again.count("True")) == (before, after)
    # An image may have run more items than had come when the run ended.
    left = (tmp_path / "ran").read_text().split()
    assert len(set(left)) == len(left) == 150 - kept
    assert {*ran, *left} == {str(item) for item in range(150)}


def test_kill_9_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    text = PROGRAM.format(costs=True, how="checkpoint", gather="first").replace("0.002", "0.02")
    (tmp_path / "program.py").write_text(text)
    process = subprocess.Popen([sys.executable, "program.py"], cwd=tmp_path)
    seen = wait_for_rows(tmp_path / "run.db", 20, lambda: process.poll() is not None)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    kept = rows_in(tmp_path / "run.db")
    (tmp_path / "ran").unlink()

    again = run_program(tmp_path, text.replace("checkpoint=", "restart_from="), 1)

    assert again.split() == ["True"]
    assert seen <= kept < 150
    assert len((tmp_path / "ran").read_text().split()) == 150 - kept


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_says_which_journal_to_go_on_with(tmp_path: Path, times: int) -> None:
    program = (
        "import makespan, os, time\n"
        "def work(item):\n"
        "    if item == 3: os.write(1, b'begun\\n')\n"
        "    time.sleep(0.01 if item < 4 or times == 1 else 5)\n"
        "    return item\n"
        f"times = {times}\n"
        "try: makespan.map(work, range(10**6), threads=1, checkpoint='run.db')\n"
        "except makespan.Interrupted as error:\n"
        "    print(error.restart_from, error.done, sorted(error.result.items()))\n"
    )
    ended = left_by(tmp_path, program, *[signal.SIGINT] * times)

    path, done, results = ended.stdout.split(maxsplit=2)
    assert (path, int(done)) == ("run.db", rows_in(tmp_path / "run.db"))
    assert results.strip() == str([(item, item) for item in range(int(done))])


def test_what_is_told_is_on_disk(tmp_path: Path) -> None:
    """Method: at each report, a copy of the files as they are must hold what was reported."""
    path, told = tmp_path / "run.db", []

    def slowly(item: int) -> int:
        threading.Event().wait(0.02)
        return item

    def look(progress: Progress) -> None:
        told.append((progress.done, rows_in(path)))

    makespan.map(slowly, range(60), checkpoint=path, threads=2, on_progress=look)

    assert len(told) > 2
    assert all(done <= kept for done, kept in told)
    assert told[-1] == (60, 60)


def test_progress_begins_with_what_is_there(tmp_path: Path) -> None:
    path, told = tmp_path / "run.db", []
    with pytest.raises(ItemError):
        makespan.map(failing_at([30], []), range(40), checkpoint=path, threads=1)
    kept = rows_in(path)

    makespan.map(failing_at((), []), range(40), restart_from=path, on_progress=told.append)

    assert told[0].done >= kept > 0
    assert told[-1].done == 40


@pytest.mark.parametrize("size", [0, 40_000, 200_000])
def test_a_full_disk_ends_the_run_and_keeps_what_is_there(tmp_path: Path, size: int) -> None:
    path, told = tmp_path / "run.db", [0]

    def text(item: int) -> str:
        threading.Event().wait(0.01)
        return str(item) * 10_000

    with (
        files_of_at_most(size),
        pytest.raises(JournalError, match=r"cannot write journal .* go on with restart_from"),
    ):
        makespan.map(
            text,
            range(100),
            checkpoint=path,
            threads=1,
            on_progress=lambda one: told.append(one.done),
        )
    kept = rows_in(path) if size else 0
    record = tmp_path / "record.json"
    found = makespan.map(text, range(100), restart_from=path, record=record)

    assert found == [str(item) * 10_000 for item in range(100)]
    assert max(told) <= kept < 100
    assert f'"from_journal": {kept}' in record.read_text()
    assert kept > 0 or size < 200_000


@COUNTS
def test_damage_is_run_again_or_refused(tmp_path: Path, count: int) -> None:
    whole = journal_of(tmp_path / "whole.db", range(40)).read_bytes()
    expected, outcomes = [item * item for item in range(40)], set()

    for what, data in damaged(whole, count):
        path = tmp_path / "run.db"
        for file in tmp_path.glob("run.db*"):
            file.unlink()
        path.write_bytes(data)
        path.chmod(0o600)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                found = makespan.map(square, range(40), restart_from=path, threads=1)
            except JournalError as error:
                outcomes.add("refused" if "\n" not in str(error) else f"{what}: {error}")
            else:
                assert found == expected, what
                outcomes.add("warned" if warned else "whole")

    assert {"refused", "warned"} <= outcomes <= {"refused", "warned", "whole"}


def test_a_copy_without_its_log_is_what_was_in_it(tmp_path: Path) -> None:
    """A journal is one file once a run has ended."""
    path = journal_of(tmp_path / "run.db", range(10))
    assert [file.name for file in tmp_path.iterdir()] == ["run.db"]
    shutil.copy(path, tmp_path / "copy.db")
    (tmp_path / "copy.db").chmod(0o600)
    ran: list[int] = []

    makespan.map(failing_at((), ran), range(10), restart_from=tmp_path / "copy.db")

    assert ran == []
