# SPDX-License-Identifier: Apache-2.0
"""What Python keeps for the threads of a map, and how they end."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest
from job_programs import RUN_S_MAX
from makespan.base.errors import ExitCode
from makespan.tasks.worker import Worker
from signalled_program import left_by

import makespan

THREADS = 2
ITEMS = 40
ITEM_S = 0.003
"""A piece has one of them or few."""


DENOMINATORS = [0, 1, 2, 0, 4, 5, 0, 7, 8, 0]


class _Value:
    """Stands for a connection or a buffer that each thread opens once."""


def test_values_of_a_thread_last_from_item_to_item_and_end_with_the_call() -> None:
    of_thread = threading.local()
    made: list[weakref.ref[_Value]] = []

    def work(item: int) -> int:
        if not hasattr(of_thread, "value"):
            of_thread.value = _Value()
            made.append(weakref.ref(of_thread.value))
        time.sleep(ITEM_S)
        return item

    assert makespan.map(work, range(ITEMS), threads=THREADS) == list(range(ITEMS))
    assert 1 <= len(made) <= THREADS
    assert [value() for value in made] == [None] * len(made)


def test_what_a_value_of_a_thread_raises_at_its_end_is_not_the_map_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Bad:
        def __del__(self) -> None:
            raise ValueError("at the end")

    of_thread = threading.local()
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told_of: told.append(told_of.exc_value))

    def work(item: int) -> int:
        if item == 0:
            of_thread.value = Bad()
        return item

    assert makespan.map(work, range(3), threads=1) == [0, 1, 2]
    assert [str(error) for error in told] == ["at the end"]


def test_values_of_a_thread_end_with_a_call_that_raises() -> None:
    of_thread = threading.local()
    made: list[weakref.ref[_Value]] = []

    def work(item: int) -> int:
        of_thread.value = _Value()
        made.append(weakref.ref(of_thread.value))
        return 1 // item

    with pytest.raises(makespan.ItemError) as raised:
        makespan.map(work, [0], threads=1)
    assert [value() for value in made] == [None]
    assert raised.value.index == 0  # held until here, with all that its traceback holds


VALUE_THAT_LASTS = """
import makespan, os, threading, time

class Value:
    def __del__(self):
        os.write(1, b"begun\\n")
        time.sleep(SECONDS)

of_thread = threading.local()

def work(item):
    of_thread.value = Value()

makespan.map(work, [0], threads=1)
"""


def test_a_second_ctrl_c_does_not_wait_for_the_end_of_a_value(tmp_path: Path) -> None:
    program = VALUE_THAT_LASTS.replace("SECONDS", str(RUN_S_MAX))

    ended = left_by(tmp_path, program, signal.SIGINT, signal.SIGINT)

    assert "Interrupted: interrupted after 1 of 1 items" in ended.stderr
    assert ended.returncode == ExitCode.INTERRUPTED


def test_an_item_may_end_the_process() -> None:
    """Method: as C libraries do, with Python's lock held."""
    program = (
        "import ctypes, makespan\n"
        "python = ctypes.PyDLL(None)\n"
        "makespan.map(lambda _: python.exit(3), [0], threads=1)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], timeout=RUN_S_MAX, check=False)
    assert ended.returncode == 3


def worker_of_reciprocals(*, is_first: bool, keep_on: bool = True) -> Worker:
    return Worker(
        lambda denominator: 1 / denominator,
        DENOMINATORS,
        is_first=is_first,
        to_all=True,
        keep_on=keep_on,
        timeout=None,
    )


def test_a_piece_goes_on_after_items_that_raise() -> None:
    """Method: what two images say to each other, without them."""
    here = worker_of_reciprocals(is_first=True)
    there = worker_of_reciprocals(is_first=False)
    assert not here.run(0, 0, 2)
    here.keep(0)
    there.run(0, 2, 7)
    there.run(0, 9, 10)
    there.run(1, 7, 9)

    assert not here.unpack(there.pack(0))
    assert not here.unpack(there.pack(1))
    there.receive(here.everything())

    for worker in (here, there):
        assert [type(result) for result in worker.results] == [
            ZeroDivisionError if denominator == 0 else float for denominator in DENOMINATORS
        ]
        assert sorted(worker.failures) == [0, 3, 6, 9]
        assert sorted(worker.kept) == list(range(len(DENOMINATORS)))
        assert worker.results[5] == 1 / DENOMINATORS[5]
    assert there.pack(0) == b""


def test_a_piece_ends_at_the_first_item_that_raises() -> None:
    worker = worker_of_reciprocals(is_first=True, keep_on=False)
    assert worker.run(0, 1, 6)
    assert worker.keep(0)
    assert worker.kept == [1, 2, 3]
    assert list(worker.failures) == [3]
