# SPDX-License-Identifier: Apache-2.0
"""Runs of the engine that an exception leaves: stopped and waited for before what they use goes.

The engine's threads work on after an exception has left Python's wait for them, on memory that
the run, its team and the caller own. So the run is cancelled and waited for first. If that wait is
interrupted, too (a second Ctrl-C, a handler of signals that raises again), run and team stay as
they are until the process ends, which it then does without waiting for the threads.

Where the main thread ends while another one waits for a run, the run is cancelled and waited for,
too, for a while: so what it has done is kept, and its files are whole. Runs that have not ended by
then, and other calls of the engine that a daemon of threading is in, go on until the process ends
without them (python/bindings/exit.cpp); a job of several processes is ended.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from makespan.base.engine import load_engine
from makespan.base.errors import EngineError, ExitCode
from makespan.job.interrupts import Interrupts

LOOK_S = 0.05
"""Between two looks at whether a run is over: how long an interrupt of the wait may take."""
HEARD_S = 0.2
"""A launcher that ends a job does not read on what its processes have written: now it can."""

END_LOOK_S = 0.01
END_S = 2.0
"""What runs of other threads are given to stop in when the main thread has ended."""

_kept: list[Any] = []
"""What threads use that hang, and that their team has left behind (bag/device_team.hpp)."""

_left: list[tuple[Any, Any]] = []
"""Runs whose threads may be at work still, and the teams that they use (or None)."""

_elsewhere: dict[threading.Thread, tuple[Any, Any]] = {}
"""Runs that threads other than the main one wait for, and their teams (or None)."""

_at_exit = threading.Event()
"""Whether the main thread has ended while they do."""

os.register_at_fork(after_in_child=_elsewhere.clear)


@contextmanager
def stopped_on_error(run: Any, team: Any, interrupts: Interrupts | None = None) -> Iterator[None]:
    """Lets no exception out before the run has ended; a second Ctrl-C, and the run is left behind.

    `run` has `cancel()` and `wait(seconds)`. Blocks for the items under way. Once the main thread
    has ended it raises `SystemExit` in others, which ends them without a word.
    """
    thread = threading.current_thread()
    is_main = thread is threading.main_thread()
    if not is_main:
        _end_with_main_thread(thread, run, team)
    try:
        yield
        if not is_main:
            _leave_at_exit()
    except BaseException as error:
        is_second = interrupts is not None and interrupts.asked
        if is_second and isinstance(error, KeyboardInterrupt):
            _leave(run, team)
        else:
            stop(run, team)
        raise
    finally:
        _elsewhere.pop(thread, None)


def _end_with_main_thread(thread: threading.Thread, run: Any, team: Any) -> None:
    if not _elsewhere:
        atexit.unregister(_end_elsewhere)
        atexit.register(_end_elsewhere)
    _elsewhere[thread] = (run, team)


def _leave_at_exit() -> None:
    if _at_exit.is_set():
        raise SystemExit


def _end_elsewhere() -> None:
    """At the end of the main thread. Blocks until the threads have ended, for a while or Ctrl-C."""
    runs = dict(_elsewhere)
    if not runs:
        return
    _at_exit.set()
    for run, _ in runs.values():
        run.cancel()
    end = time.monotonic() + END_S
    try:
        while time.monotonic() < end and not all(map(_has_left, runs)):
            time.sleep(END_LOOK_S)
    except KeyboardInterrupt:
        pass  # Python would tell of it as of an exception of this function
    finally:
        left = [(run, team) for run, team in _elsewhere.values() if not is_over(run, 0)]
        if left and load_engine().images_launched() == 1:
            _kept.extend(left)
            load_engine().leave_threads_at_exit()
        elif left:
            _left.extend(left)
            # The other images must be ended, and Python tells no exit code to what runs at its end.
            sys.stderr.write(
                "makespan: the program ends while a thread's run does not; its own exit code is "
                "not known\n"
            )
            end_if_left_behind(_code_of_last_error())


def _has_left(thread: threading.Thread) -> bool:
    """Whether it uses the engine no more; of threads of others that is not seen to its end."""
    is_foreign = isinstance(thread, threading._DummyThread)
    return thread not in _elsewhere and (is_foreign or not thread.is_alive())


@contextmanager
def threads_may_stay(run: Any, watched: Any = None) -> Iterator[None]:
    """Keeps the run to the process's end if threads were left behind in it; they are not joined.

    `watched` says so, the run itself without it.
    """
    try:
        yield
    finally:
        if (watched or run).has_left_threads_behind:
            if not _kept:
                atexit.register(load_engine().leave_threads_at_exit)
            _kept.append(run)


def stop(run: Any, team: Any) -> None:
    """Cancels the run and blocks until none of its threads works, unless it was left behind."""
    if any(left is run for left, _ in _left):
        return
    run.cancel()
    try:
        while not is_over(run, LOOK_S):
            pass
    except BaseException:
        _leave(run, team)
        raise


def is_over(run: Any, seconds: float) -> bool:
    """Whether it is, `seconds` from now at the latest."""
    state = run.wait(seconds)
    return bool(state["done"] if isinstance(state, Mapping) else state)


def finish(team: Any) -> None:
    """Collective: the end of a team, unless a run was left behind on it."""
    if not any(used is team for _, used in _left):
        team.finish()


def expect_none_left() -> None:
    """Raises `EngineError` if a run that was left behind is not over yet."""
    _let_go_of_ended()
    if _left:
        raise EngineError(
            "an earlier run was interrupted twice and its threads are still at work: wait for "
            "what they are at to end, or start a new process"
        )


def _let_go_of_ended() -> None:
    """Of runs that are over; a team of several images cannot be finished by one of them."""
    for entry in list(_left):
        run, team = entry
        if is_over(run, 0) and getattr(team, "images", 1) == 1:
            _left.remove(entry)
            if team is not None:
                team.finish()


def _leave(run: Any, team: Any) -> None:
    run.cancel()
    if not _left:
        atexit.register(_end_process)
    _left.append((run, team))


def is_left_behind() -> bool:
    """Whether threads of a run may be at work that its caller has left."""
    return bool(_left)


def end_if_left_behind(code: int) -> None:
    """Ends the process with this code if a run was left behind in it, and the job that it is of.

    Without waiting for threads, which may be in Python; other images would wait for ever.
    """
    _let_go_of_ended()
    if not _left:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    if load_engine().images_launched() > 1:
        time.sleep(HEARD_S)
        load_engine().end_job()
    os._exit(code)


def _end_process() -> None:
    end_if_left_behind(_code_of_last_error())


def _code_of_last_error() -> int:
    error = getattr(sys, "last_exc", getattr(sys, "last_value", None))
    return ExitCode.INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
