# SPDX-License-Identifier: Apache-2.0
"""Which journals `makespan.map` goes on with, and which results can be in one.

Method: another function, other items, other users; objects without a pickle.
"""

from __future__ import annotations

import copy
import functools
import operator
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kept_maps import journal_of, square
from makespan.base.errors import EngineError, InputError, JournalError
from makespan.tasks.journal import MapJournal

import makespan
from tests.torture.journal_rows import rows_in


def cube(number: int) -> int:
    return number**3


class Power:
    def __init__(self, exponent: int) -> None:
        self.exponent = exponent

    def __call__(self, number: int) -> int:
        return int(number**self.exponent)

    def of(self, number: int) -> int:
        return int(number**self.exponent)


class LockedPower(Power):
    """Has no pickle."""

    def __init__(self, exponent: int) -> None:
        super().__init__(exponent)
        self.lock = threading.Lock()


class SlottedPower:
    """Has no pickle, and no dictionary."""

    __slots__ = ("exponent", "lock")

    def __init__(self, exponent: int) -> None:
        self.exponent = exponent
        self.lock = threading.Lock()

    def __call__(self, number: int) -> int:
        return int(number**self.exponent)


def locked_power(exponent: int, number: int, lock: object = None) -> int:
    return int(number**exponent) if lock is None or lock else 0


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
        (
            functools.partial(locked_power, 2, lock=threading.Lock()),
            functools.partial(locked_power, 3, lock=threading.Lock()),
        ),
        (LockedPower(2).of, LockedPower(3).of),
        (LockedPower(2), LockedPower(3)),
        (SlottedPower(2), SlottedPower(3)),
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


def test_one_of_another_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Method: this makespan takes itself for the next one."""
    path = journal_of(tmp_path / "run.db", range(3))
    now = MapJournal.KIND.format
    monkeypatch.setattr(MapJournal, "KIND", replace(MapJournal.KIND, format=now + 1))

    with pytest.raises(JournalError, match=f"has format {now}, this makespan writes {now + 1}"):
        makespan.map(square, range(3), restart_from=path)


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


def test_another_users_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Method: this process takes itself for another user. Files of others only root could make."""
    path = journal_of(tmp_path / "run.db", range(3))
    others = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: others)

    with pytest.raises(JournalError, match=r"run\.db is another user's.*\(mode 600\)"):
        makespan.map(square, range(3), restart_from=path)


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_a_strangers_log_beside_it_is_not_read(tmp_path: Path, end: str) -> None:
    """Method: one that others may write to."""
    path = journal_of(tmp_path / "run.db", range(3))
    log = tmp_path / f"run.db{end}"
    log.write_bytes(b"whatever")
    log.chmod(0o606)

    with pytest.raises(JournalError, match=rf"{end} is another user's, or others may write to it"):
        makespan.map(square, range(3), restart_from=path)


def test_a_folder_in_which_any_user_can_replace_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    path = tmp_path / "open" / "run.db"

    with pytest.raises(JournalError, match="lies in a folder in which any user can replace it"):
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


def test_a_file_may_have_a_name_that_sqlite_takes_for_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    makespan.map(square, range(3), checkpoint=":memory:")
    assert makespan.map(square, range(3), restart_from=":memory:") == [0, 1, 4]

    assert rows_in(tmp_path / ":memory:") == 3


def test_a_module_that_is_bound_is_the_same_in_another_process(tmp_path: Path) -> None:
    """Method: two processes that hash texts differently, and load other modules."""
    program = """
import functools, sys
import numpy as np
if sys.argv[1] != "checkpoint": import numpy.testing
import makespan

def square(xp, item): return float(xp.square(item))
print(makespan.map(functools.partial(square, np), [1, 2], **{sys.argv[1]: "j.db"}))
"""
    (tmp_path / "program.py").write_text(program)
    for seed, how in (("1", "checkpoint"), ("2", "restart_from")):
        ended = subprocess.run(
            [sys.executable, "program.py", how],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ended.returncode, ended.stdout) == (0, "[1.0, 4.0]\n"), ended.stderr
