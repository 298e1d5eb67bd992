# SPDX-License-Identifier: Apache-2.0
"""Threads that hang: others do their work, and the run ends without them.

The engine's own part is in tests/bag/overdue_test.cpp; here are the words and the two ways in,
`price` and `map`, alone and on three images.
"""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest
from job_programs import MPIEXEC, needs_mpi
from makespan.base.engine import load_engine
from makespan.base.errors import EngineError, InputError, ItemError
from makespan.job.overdue import item_text, overdue_text
from makespan.pricing.input import Settings
from makespan.tasks.worker import Worker, _Begun

import makespan


def is_hasty_launcher() -> bool:
    """Whether it is that of MPICH 4.2.1, Debian 13's."""
    assert MPIEXEC is not None
    told = subprocess.run([MPIEXEC, "--version"], capture_output=True, text=True, check=False)
    return re.search(r"Version: +4\.2\.1\b", told.stdout) is not None


ITEMS = list(range(40))
SQUARES = [item * item for item in ITEMS]

BOOK = "id,option_type,spot,strike,rate,dividend_yield,volatility,expiry,fixings,fixing_grid\n"
BOOK += "".join(f"o{k},call,100,{80 + k},0.03,0,0.3,1,52,exclude_start\n" for k in range(40))

NOTE = {
    "device": "cpu",
    "image": 0,
    "row": 1,
    "seconds": 2.5,
    "predicted_s": 0.05,
    "lost": False,
}


def test_words() -> None:
    assert overdue_text(NOTE, "option b") == (
        "a thread of device cpu has been at option b for 2.5 s, 50 times what was predicted: "
        "its work goes to others, too"
    )
    assert overdue_text({**NOTE, "image": 2, "lost": True}, "option b") == (
        "a thread of device cpu of image 2 has not answered for 2.5 s at option b: "
        "it is taken as lost, and its work goes to others"
    )
    assert item_text(3, 4, 2.5, 0.0, lost=False) == "item 3 has taken 2.5 s so far"
    assert item_text(3, 6, 2.5, 0.5, lost=False) == (
        "one of items 3 to 5 has taken 2.5 s so far, 5 times what was predicted"
    )


@pytest.mark.parametrize("wrong", [0, -1, float("inf"), float("nan")])
def test_invalid_limits_are_refused(wrong: float) -> None:
    with pytest.raises(InputError, match=r"timeout=.* be used: give a (finite )?number above 0"):
        makespan.map(abs, ITEMS, timeout=wrong)
    with pytest.raises(InputError, match=r"timeout=.*: give a (finite )?number above 0"):
        Settings(timeout=wrong).check(load_engine())


class Hanging:
    """A function that does not return from its first, or each, call with one item."""

    def __init__(self, *, always: bool) -> None:
        self.always = always
        self.calls = 0
        self.free = threading.Event()

    def __call__(self, item: int) -> int:
        if item == 3:
            self.calls += 1
            if self.always or self.calls == 1:
                self.free.wait(60)
        time.sleep(0.002)
        return item * item


def test_an_item_that_hangs_is_given_to_another_thread() -> None:
    function = Hanging(always=False)
    with pytest.warns(RuntimeWarning, match="item 3 has not ended for .*left behind"):
        assert makespan.map(function, ITEMS, threads=3, timeout=1) == SQUARES
    assert function.calls == 2
    assert makespan.map(function, ITEMS, threads=2) == SQUARES  # and the next call works
    function.free.set()


def test_an_item_that_hangs_twice_is_an_error() -> None:
    function = Hanging(always=True)
    with (
        pytest.warns(RuntimeWarning, match="item 3"),
        pytest.raises(ItemError, match=r"item 3: TimeoutError: it has not ended within 1 s"),
    ):
        makespan.map(function, ITEMS, threads=4, timeout=1, return_exceptions=True)
    assert function.calls == 2
    function.free.set()


def test_an_item_that_hangs_in_the_only_thread_is_an_error() -> None:
    function = Hanging(always=True)
    with (
        pytest.warns(RuntimeWarning, match="item 3"),
        pytest.raises(ItemError, match="item 3: TimeoutError"),
    ):
        makespan.map(function, ITEMS, threads=1, timeout=1)
    function.free.set()


# Other threads wait for the GIL, and the engine takes them for threads that are at their items.
# The warnings are of threads that had begun.
@pytest.mark.parametrize("threads", [2, 8])
def test_an_item_that_keeps_the_gil_is_the_one_that_is_blamed(threads: int) -> None:
    usleep = ctypes.PyDLL(None).usleep

    def keep_gil(item: int) -> int:
        if item == 3:
            usleep(700_000)
        return item * item

    with (
        pytest.warns(RuntimeWarning, match="item 3"),
        pytest.raises(ItemError, match=r"item 3: TimeoutError: it has not ended within 0\.3 s"),
    ):
        makespan.map(keep_gil, ITEMS, threads=threads, policy="self", timeout=0.3)
    assert makespan.map(keep_gil, [1, 2], threads=threads) == [1, 4]


def test_a_gil_that_is_kept_elsewhere_is_no_items_fault() -> None:
    """Method: while the only thread waits for it; it is not run later, either."""
    ran: list[int] = []
    worker = Worker(ran.append, ITEMS, is_first=True, to_all=False, keep_on=False, timeout=0.3)

    assert not worker.on_overdue(0, (5, 6), 0.4, 0.0, lost=True)

    assert not worker.run(0, 5, 6)
    assert (ran, worker.lost) == ([], [])
    with pytest.raises(EngineError, match=r"kept Python \(its GIL\) for longer than .* 0\.3 s"):
        worker.fail_without_threads()


def test_of_items_that_have_taken_threads_one_without_a_result_is_blamed() -> None:
    """Method: image 0 lost a thread at item 4, others lost theirs at 3, 5 and twice at 7."""
    worker = Worker(abs, ITEMS, is_first=True, to_all=False, keep_on=False, timeout=1.0)
    worker.lost.append(_Begun(4, 0.0, 0))
    for item in (3, 4):
        worker.results[item] = item

    assert worker.fail_without_threads([3, 5, 7, 7])

    with pytest.raises(ItemError, match=r"item 7: TimeoutError: it has not ended within 1 s"):
        worker.outcome()
    other = Worker(abs, ITEMS, is_first=True, to_all=False, keep_on=False, timeout=1.0)
    other.results[3] = 3
    assert not other.fail_without_threads([3])  # what ended the run is said instead


# Many cheap items make no item slow.
def test_the_limit_is_of_an_item(tmp_path: Path) -> None:
    code = (
        "import time, makespan\n"
        "def f(x):\n"
        "    if x > 20000: time.sleep(0.004)\n"
        "    return x\n"
        "assert makespan.map(f, range(21000), threads=2, timeout=1) == list(range(21000))\n"
    )
    ended = run_python(code, tmp_path)
    assert (ended.stderr, ended.returncode) == ("", 0)


def test_of_several_failures_the_one_that_ended_the_run_is_raised() -> None:
    function = Hanging(always=True)

    def first_fails(item: int) -> int:
        if item == 0:
            raise ValueError
        return function(item)

    with (
        pytest.warns(RuntimeWarning, match="item 3"),
        pytest.raises(ItemError, match="item 3: TimeoutError"),
    ):
        makespan.map(first_fails, ITEMS, threads=4, timeout=1, return_exceptions=True)
    function.free.set()


def test_a_warning_that_is_an_error_ends_the_run() -> None:
    function = Hanging(always=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="item 3"):
            makespan.map(function, ITEMS, threads=2, timeout=1)
    function.free.set()


def run_python(code: str, folder: Path, images: int = 1) -> subprocess.CompletedProcess[str]:
    script = folder / "script.py"
    script.write_text(code)
    launcher = [] if images == 1 else [str(MPIEXEC), "-n", str(images)]
    return subprocess.run(
        [*launcher, sys.executable, str(script)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


POLLING = "while True: time.sleep(0.01)"
BUSY = "while True: pass"
ASLEEP = "time.sleep(600)"


# The process ends although a thread hangs in it for longer, and with its own exit code.
@pytest.mark.parametrize("hang", [POLLING, BUSY, ASLEEP])
def test_the_process_ends_without_the_thread(tmp_path: Path, hang: str) -> None:
    code = (
        "import sys, time, makespan\n"
        "first = []\n"
        "def f(x):\n"
        "    if x == 3 and not first:\n"
        "        first.append(x)\n"
        f"        {hang}\n"
        "    return x * x\n"
        f"print(makespan.map(f, list(range(40)), threads=2, timeout=1) == {SQUARES})\n"
        "sys.exit(7)\n"
    )
    ended = run_python(code, tmp_path)
    assert (ended.stdout, ended.returncode) == ("True\n", 7), ended.stderr


# It comes out of Python while the process is at its end: the last atexit function waits for the GIL
# when the thread gives it back, and keeps it until the interpreter lets no other thread in.
COMES_OUT = """
import atexit, sys, threading, time
at_end = threading.Event()
@atexit.register
def end():
    at_end.set()
    time.sleep(0.05)
import makespan
first = []
def f(x):
    if x == 3 and not first:
        first.append(x)
        try:
            while True: time.sleep(0.01)
        except BaseException:
            at_end.wait()
            7 ** 3_000_000  # in one step of Python
            raise
    return x * x
sys.setswitchinterval(0.05)
"""

# It waits outside Python, and is woken when the interpreter lets no other thread in.
WAKES_UP = """
import os, sys, time
import makespan
to_read, to_write = os.pipe()
class Last:
    write, sleep = os.write, time.sleep
    def __del__(self):
        self.write(1, b"woken ")
        self.write(to_write, b"x")
        self.sleep(0.5)
first = []
def f(x):
    if x == 3 and not first:
        first.append(x)
        os.read(to_read, 1)
    return x * x
sys.modules["last"] = Last()
"""


@pytest.mark.parametrize(("code", "said"), [(COMES_OUT, ""), (WAKES_UP, "woken ")])
def test_the_thread_may_come_back_when_the_process_ends(
    tmp_path: Path, code: str, said: str
) -> None:
    code += f"ok = makespan.map(f, {ITEMS}, threads=2, timeout=1) == {SQUARES}\n"
    code += "print(ok, flush=True)\nsys.exit(7)\n"
    ended = run_python(code, tmp_path)
    assert (ended.stdout, ended.returncode) == (f"True\n{said}", 7), ended.stderr


@needs_mpi
def test_a_process_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    code = (
        "import os, time, makespan\n"
        "later = os.environ['PMI_RANK'] != '0'\n"
        "def f(x):\n"
        "    if later: time.sleep(600)\n"
        "    time.sleep(0.01)\n"
        "    return x * x\n"
        f"print(makespan.map(f, list(range(40)), timeout=1, gather='all') == {SQUARES})\n"
    )
    ended = run_python(code, tmp_path, images=3)
    # The launcher may put the lines of two images into one; that of MPICH 4.2.1 may end an image
    # that has not ended when the first one does (docs/how-to/run-on-several-nodes.md).
    assert ended.stdout.count("True") == 3, ended.stderr
    assert ended.returncode in ((0, 9) if is_hasty_launcher() else (0,)), ended.stderr


@needs_mpi
def test_the_item_that_takes_all_processes_is_told_by_all_of_them(tmp_path: Path) -> None:
    """Method: the first process hangs in an item that others finish, then all in another."""
    code = (
        "import os, time, makespan\n"
        "is_first, calls = os.environ['PMI_RANK'] == '0', []\n"
        "def f(x):\n"
        "    calls.append(x)\n"
        "    if x == 150 or (is_first and len(calls) == 3): time.sleep(600)\n"
        "    time.sleep(0.005)\n"
        "    return x * x\n"
        "try: makespan.map(f, list(range(200)), timeout=1)\n"
        "except makespan.ItemError as error:\n"
        "    is_so = error.index == 150 and isinstance(error.__cause__, TimeoutError)\n"
        "    print(f'told {is_so}\\n', end='', flush=True)\n"
    )
    ended = run_python(code, tmp_path, images=3)
    assert ended.stdout.count("told True") == 3, ended.stdout + ended.stderr


MC = ("--method", "mc", "--no-memory", "-q")
"""Rows take long enough to be overdue."""


def price(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "book.csv").write_text(BOOK)
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "makespan",
            "price",
            "book.csv",
            *MC,
            "--no-memory",
            "-q",
            *arguments,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def prices(folder: Path, *arguments: str) -> tuple[str, str]:
    """The hash of all prices, and what was said."""
    ended = price(folder, *arguments)
    assert ended.returncode == 0, ended.stderr
    record = json.loads((folder / "prices.record.json").read_text())
    return record["result_hash"], ended.stderr


def test_prices_are_the_same_bits_whether_a_thread_hangs_and_comes_back_or_not(
    tmp_path: Path,
) -> None:
    alone, said = prices(tmp_path, "--threads", "2")
    assert said == ""
    hung, said = prices(tmp_path, "--threads", "2", "--perturb", "hang:0@1:3")
    assert hung == alone
    assert "its work goes to others, too" in said
    assert "lost" not in said
    lost, said = prices(tmp_path, "--threads", "2", "--perturb", "hang:0@1:600", "--timeout", "1")
    assert lost == alone
    assert "a thread of device cpu has not answered for 1" in said


def test_a_price_without_a_device_left_is_an_error(tmp_path: Path) -> None:
    ended = price(tmp_path, "--threads", "1", "--perturb", "hang:0@1:600", "--timeout", "1")
    assert ended.returncode == 4
    assert "device 0 has not answered for 1" in ended.stderr
    assert not (tmp_path / "prices.csv").exists()
