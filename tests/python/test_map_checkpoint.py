# SPDX-License-Identifier: Apache-2.0
"""`makespan.map` that keeps results in a journal: what is there is not run again, and is the same.

Method: items say in a file that they ran; runs are left by an error, Ctrl-C and kill -9.
"""

from __future__ import annotations

import copy
import functools
import operator
import os
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from damage import COUNTS, damaged
from job_programs import needs_mpi, run_program
from limited_files import files_of_at_most
from makespan.base.errors import EngineError, InputError, ItemError, JournalError
from makespan.job.progress import Progress
from signalled_program import left_by

import makespan
from tests.torture.journal_rows import rows_in, wait_for_rows


def square(number: int) -> int:
    return number * number


def cube(number: int) -> int:
    return number**3


class Power:
    def __init__(self, exponent: int) -> None:
        self.exponent = exponent

    def __call__(self, number: int) -> int:
        return int(number**self.exponent)

    def of(self, number: int) -> int:
        return int(number**self.exponent)


def failing_at(places: Sequence[int], ran: list[int]) -> Callable[[int], int]:
    @functools.wraps(square)  # the same function by its name
    def run(number: int) -> int:
        ran.append(number)
        if number in places:
            raise ValueError(number)
        return number * number

    return run


def journal_of(path: Path, results: Sequence[int]) -> Path:
    """Of a run that is complete, for these items."""
    makespan.map(square, results, checkpoint=path, threads=2)
    return path


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


@pytest.mark.parametrize(
    ("function", "items", "text"),
    [
        (cube, range(10), r"function \(journal \S+square, now \S+cube\)"),
        (square, range(11), r"items \(journal 10, now 11\)"),
        (square, [*range(7), 70, 8, 9], r"belongs to other items \(item 7 is another one\)"),
        (Power(2), range(10), r"function \(journal \S+square, now \S+Power\)"),
    ],
)
def test_another_run_is_told_what_differs(
    tmp_path: Path, function: Callable[[int], int], items: Sequence[int], text: str
) -> None:
    path = journal_of(tmp_path / "run.db", range(10))

    with pytest.raises(JournalError, match=text):
        makespan.map(function, items, restart_from=path)

    assert makespan.map(square, range(10), restart_from=path) == [item**2 for item in range(10)]


@pytest.mark.parametrize(
    ("function", "other"),
    [
        (functools.partial(pow, 2), functools.partial(pow, 3)),
        (functools.partial(pow, exp=2), functools.partial(pow, exp=3)),
        (Power(2), Power(3)),
        (Power(2).of, Power(3).of),
        (operator.mul, functools.partial(operator.mul)),
        ((5).__add__, (6).__add__),
    ],
)
def test_what_is_bound_to_a_function_is_a_part_of_it(
    tmp_path: Path, function: Callable[[int], int], other: Callable[[int], int]
) -> None:
    """Method: with `operator.mul` each item raises, and nothing is kept."""
    path, ended = tmp_path / "run.db", {"return_exceptions": True}
    found = makespan.map(function, range(5), checkpoint=path, **ended)

    if function is not operator.mul:
        text = "belongs to other arguments of the function, or another object|now"
        with pytest.raises(JournalError, match=text):
            makespan.map(other, range(5), restart_from=path)
    again = makespan.map(copy.copy(function), range(5), restart_from=path, **ended)
    assert list(map(str, again)) == list(map(str, found))


@pytest.mark.parametrize("function", [str.upper, len, "abc".index, [].count, str])
def test_any_function_can_be_kept(tmp_path: Path, function: Callable[[str], Any]) -> None:
    path = tmp_path / "run.db"
    found = makespan.map(function, ["a", "b"], checkpoint=path)

    assert makespan.map(function, ["a", "b"], restart_from=path) == found


def test_content_is_never_overwritten(tmp_path: Path) -> None:
    path = journal_of(tmp_path / "run.db", range(10))

    with pytest.raises(JournalError, match="already holds 10 finished items; restart_from"):
        makespan.map(square, range(10), checkpoint=path)
    with pytest.raises(JournalError, match="does not exist: to begin one give checkpoint"):
        makespan.map(square, range(10), restart_from=tmp_path / "none.db")
    with pytest.raises(InputError, match="leave out checkpoint"):
        makespan.map(square, range(10), restart_from=path, checkpoint=tmp_path / "other.db")
    with pytest.raises(InputError, match="would be written over what is read or written"):
        makespan.map(square, range(10), restart_from=path, record=path)

    assert rows_in(path) == 10


def test_a_journal_of_prices_is_none_of_items(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    connection = sqlite3.connect(path)
    connection.executescript("pragma application_id = 1296782160; create table header (name text);")
    connection.close()
    path.chmod(0o600)

    with pytest.raises(JournalError, match="is a database but no journal of items"):
        makespan.map(square, range(10), restart_from=path)


def test_only_its_user_can_have_written_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = journal_of(tmp_path / "run.db", range(10))
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600

    path.chmod(0o660)
    with pytest.raises(JournalError, match=r"others may write to it \(mode 660\).*chmod 600"):
        makespan.map(square, range(10), restart_from=path)


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_a_strangers_log_beside_it_is_not_read(tmp_path: Path, end: str) -> None:
    """Method: one that others may write to."""
    path = journal_of(tmp_path / "run.db", range(3))
    log = tmp_path / f"run.db{end}"
    log.write_bytes(b"whatever")
    log.chmod(0o606)

    with pytest.raises(JournalError, match=rf"{end} is another user's, or others may write to it"):
        makespan.map(square, range(3), restart_from=path)


def test_a_folder_in_which_anybody_can_replace_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    path = tmp_path / "open" / "run.db"

    with pytest.raises(JournalError, match="lies in a folder in which anybody can replace it"):
        makespan.map(square, range(3), checkpoint=path)

    (tmp_path / "open").chmod(0o1777)
    assert makespan.map(square, range(3), restart_from=path) == [0, 1, 4]


def test_a_link_to_nothing_is_made_for_its_user_alone(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "run.db")
    before = os.umask(0)
    try:
        makespan.map(square, range(3), checkpoint=tmp_path / "link.db")
    finally:
        os.umask(before)

    assert (tmp_path / "run.db").stat().st_mode & 0o777 == 0o600


def test_a_warning_that_is_an_error_leaves_the_journal_free(tmp_path: Path) -> None:
    path = journal_of(tmp_path / "run.db", range(10))
    connection = sqlite3.connect(path)
    connection.execute("update finished set result = x'00' where item = 3")
    connection.commit()
    connection.close()

    with pytest.raises(RuntimeWarning, match=r"a row of journal .* run again") as caught:
        makespan.map(square, range(10), restart_from=path)

    assert caught.tb is not None  # which holds what was not closed
    assert makespan.map(square, range(10), restart_from=path) == [item**2 for item in range(10)]


class Unwritable:
    def __reduce__(self) -> Any:
        raise TypeError("not this one")


class UnreadableError(Exception):
    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def test_items_without_a_pickle_count_by_their_places(tmp_path: Path) -> None:
    path, ran = tmp_path / "run.db", []

    def run(item: object) -> int:
        ran.append(item)
        return 5

    items = [Unwritable(), 3]
    makespan.map(run, items, checkpoint=path)
    assert makespan.map(run, [Unwritable(), 3], restart_from=path) == [5, 5]
    assert len(ran) == 2
    with pytest.raises(JournalError, match="item 0 is another one"):
        makespan.map(run, [1, 3], restart_from=path)


@pytest.mark.parametrize(
    "result", [Unwritable(), UnreadableError(1, 2), {"within": UnreadableError(1, 2)}]
)
def test_a_result_that_cannot_be_kept_costs_no_other(tmp_path: Path, result: object) -> None:
    """Method: the first item to end has such a result; those under way end well, and later."""
    path = tmp_path / "run.db"

    def run(item: int) -> object:
        threading.Event().wait(0.1 if item == 0 else 0.6)
        return result if item == 0 else {"within": item}

    with pytest.raises(EngineError, match=r"result of item 0 cannot be kept in a journal"):
        makespan.map(run, range(4), checkpoint=path, threads=4, policy="self")

    assert rows_in(path) == 3


def test_a_result_that_is_too_long_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("makespan.tasks.pickles.BYTES_MAX", 100)

    with pytest.raises(EngineError, match=r"item 3 .*1\d\d bytes are more than the 100 of a row"):
        makespan.map("x".__mul__, [1, 2, 3, 111], checkpoint=tmp_path / "run.db", threads=1)


def test_what_a_signals_handler_raises_while_items_are_known_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Method: pickle raises once, as if a handler had."""
    path = tmp_path / "run.db"
    dumps, raised = pickle.dumps, []

    def once(what: object, **keywords: Any) -> bytes:
        if what == 7 and not raised:
            raised.append(what)
            raise TimeoutError("the alarm rang")
        return dumps(what, **keywords)

    with monkeypatch.context() as rung:
        rung.setattr("makespan.tasks.pickles.pickle.dumps", once)
        with pytest.raises(TimeoutError, match="the alarm rang"):
            makespan.map(square, range(10), checkpoint=path)

    journal_of(path, range(10))


def test_a_result_whose_class_is_gone_names_its_item(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.db"
    makespan.map(Fraction, range(3), checkpoint=path)

    monkeypatch.delattr(sys.modules[__name__], "Fraction")
    with pytest.raises(
        JournalError, match=r"result of item 0 cannot be read .*import what it needs"
    ):
        makespan.map(FRACTION, range(3), restart_from=path)


class Fraction:
    def __init__(self, whole: int) -> None:
        self.whole = whole


FRACTION = Fraction


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
