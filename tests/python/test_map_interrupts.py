# SPDX-License-Identifier: Apache-2.0
"""`makespan.map` that signals leave: what was done is kept, and nothing hangs."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from signalled_program import left_by

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


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    program = BEGUN + "seconds = 0.01\nmakespan.map(work, range(10**6), threads=2)\n"

    ended = left_by(tmp_path, program, signal.SIGINT)

    assert "Interrupted: interrupted after " in ended.stderr
    assert " of 1000000 items" in ended.stderr
    assert ended.returncode == 130
    assert "nanobind" not in ended.stderr


def test_results_that_had_come_are_kept_on_ctrl_c(tmp_path: Path) -> None:
    """Method: an item that raises is no result; with return_exceptions it is one."""
    program = BEGUN + (
        "def odd(item):\n"
        "    work(item)\n"
        "    return item * item if item != 1 else int('x')\n"
        "seconds = 0.01\n"
        "try: makespan.map(odd, range(10**6), threads=2, return_exceptions=True)\n"
        "except makespan.Interrupted as caught: last = caught\n"
        "assert isinstance(last.result.pop(1), ValueError)\n"
        "assert all(value == item * item for item, value in last.result.items())\n"
        "assert (last.done, last.total, last.unit) == (len(last.result) + 1, 10**6, 'items')\n"
        "assert last.done > 10 and last.restart_from is None\n"
        "print('kept')\n"
    )

    ended = left_by(tmp_path, program, signal.SIGINT)

    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "kept\n")


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
    said = ended.stderr.rstrip().splitlines()[-1]
    assert said == "makespan.Interrupted: interrupted after 0 of 10 items"


def test_a_program_that_waits_for_its_items_ends_as_it_likes(tmp_path: Path) -> None:
    program = BEGUN + (
        "seconds = 3\n"
        "try: makespan.map(work, range(10), threads=2)\n"
        "except KeyboardInterrupt:\n"
        "    print('caught')\n"
        "    time.sleep(4)\n"
    )

    ended = left_by(tmp_path, program, signal.SIGINT, signal.SIGINT)

    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "caught\n")


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


def test_a_prompt_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    """Method: what an interactive Python sets; the hook is called as Python calls it."""
    program = BEGUN + (
        "sys.ps1 = '> '\n"
        "seconds = 0.01\n"
        "try: makespan.map(work, range(10**6), threads=2)\n"
        "except makespan.Interrupted as error: sys.excepthook(type(error), error, None)\n"
        "print('goes on')\n"
    )

    ended = left_by(tmp_path, program, signal.SIGINT)

    assert (ended.returncode, ended.stdout) == (0, "goes on\n")
    assert "Interrupted: interrupted after " in ended.stderr


IN_A_THREAD = BEGUN + (
    "def run():\n"
    "    makespan.map(work, range(10**6), threads=2)\n"
    "    print('not reached')\n"
    "threading.Thread(target=run, daemon=True).start()\n"
    "begun.wait()\n"
    "time.sleep(0.2)\n"
)


@pytest.mark.parametrize("last", ["", "sys.exit(7)\n"])
def test_a_program_may_end_while_another_thread_maps(tmp_path: Path, last: str) -> None:
    ended = left_by(tmp_path, IN_A_THREAD.replace("def run", "seconds = 0.01\ndef run") + last)

    assert (ended.returncode, ended.stderr, ended.stdout) == (7 if last else 0, "", "")


@pytest.mark.parametrize("item", ["time.sleep(60)", "while True: pass"])
def test_a_program_ends_while_an_item_of_another_thread_does_not(tmp_path: Path, item: str) -> None:
    program = IN_A_THREAD.replace("time.sleep(seconds)", item) + "sys.exit(7)\n"

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stderr, ended.stdout) == (7, "", "")


PRESSED_AT_THE_END = (
    "import atexit, subprocess\n"
    "press = ['sh', '-c', f'sleep 0.2; kill -INT {os.getpid()}']\n"
    "atexit.register(subprocess.Popen, press)\n"
)


def test_ctrl_c_while_a_program_waits_for_a_thread_at_its_end_is_no_traceback(
    tmp_path: Path,
) -> None:
    program = IN_A_THREAD.replace("time.sleep(seconds)", "time.sleep(60)") + PRESSED_AT_THE_END

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "")


def test_nor_while_it_waits_for_one_that_was_left_behind(tmp_path: Path) -> None:
    program = BEGUN + (
        "from makespan.job import overdue\n"
        "overdue.COME_BACK_S = 60.0\n"
        "thread = threading.Thread(target=time.sleep, args=[60], daemon=True)\n"
        "thread.start()\n"
        "overdue.interrupt_thread(thread.ident)\n"
        "print('begun', flush=True)\n"
    )

    ended = left_by(tmp_path, program + PRESSED_AT_THE_END)

    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "")


def test_what_runs_at_the_end_may_map(tmp_path: Path) -> None:
    program = BEGUN + (
        "import atexit\n"
        "seconds = 0.0\n"
        "atexit.register(lambda: print(makespan.map(abs, [-1, -2], threads=1)))\n"
        "thread = threading.Thread(target=lambda: makespan.map(work, range(3), threads=2))\n"
        "thread.start()\n"
        "thread.join()\n"
    )

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "[1, 2]\n")


def test_a_fork_ends_on_its_own(tmp_path: Path) -> None:
    program = IN_A_THREAD.replace("def run", "seconds = 0.01\ndef run") + (
        "child = os.fork()\n"
        "if child == 0: sys.exit(5)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stdout) == (0, "5\n")


def test_a_thread_that_python_did_not_start_may_map(tmp_path: Path) -> None:
    program = IN_A_THREAD.replace("def run", "seconds = 0.01\nimport _thread\ndef run").replace(
        "threading.Thread(target=run, daemon=True).start()", "_thread.start_new_thread(run, ())"
    )

    ended = left_by(tmp_path, program)

    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "")
