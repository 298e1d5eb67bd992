# SPDX-License-Identifier: Apache-2.0
"""Calls of the engine that take long, in a thread of their own, so that they can be left.

Python's handlers of signals run in the main thread, between two of its instructions, and a call of
the engine is one. What the engine calls meanwhile runs in the caller's thread all the same, where
users' callbacks expect to be.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from makespan.job.interrupts import Interrupts
from makespan.job.stopping import LOOK_S, expect_none_left, stopped_on_error

T = TypeVar("T")
Ask = Callable[..., Any]
END_S = 1.0
"""A thread that has done its call ends, unless the machine is very busy."""


class EngineCall(Generic[T]):
    """One call, which must release the GIL. It is what `makespan.job.stopping` calls a run.

    Its thread holds whatever it uses, also after the caller has left it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_begun = False
        self._is_cancelled = False
        self._over = threading.Event()
        self._asked: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._waiting: list[SimpleQueue[Any]] = []
        """Where the engine's threads wait for what a callback returns."""
        self._returned: list[T] = []
        self._raised: list[BaseException] = []

    def result(self, call: Callable[[], T], interrupts: Interrupts, team: Any = None) -> T:
        """What `call` returns or raises; blocks. `team` is what it uses, if that has an end.

        A second Ctrl-C comes out at once, and the call goes on in the background. Any other
        exception, of a callback or a signal's handler, comes out when the call has ended, which it
        does at its next callback. Raises `EngineError` if one goes on from before.
        """
        expect_none_left()
        thread = threading.Thread(target=self._run, args=(call,), daemon=True)
        with stopped_on_error(self, team, interrupts):
            thread.start()
            while not self._over.is_set():
                self._answer_next()
        thread.join(END_S)  # until then it holds the team, which is to end before Python does
        if self._raised:
            raise self._raised.pop()
        return self._returned.pop()

    def asking(self, callback: Ask) -> Ask:
        """A function for the engine to call, which runs `callback` in the caller's thread."""

        def ask(*given: Any) -> Any:
            answer: SimpleQueue[Any] = SimpleQueue()
            with self._lock:
                if self._is_cancelled:
                    raise CancelledError
                self._waiting.append(answer)
            self._asked.put(lambda: answer.put((callback(*given),)))
            answered = answer.get()
            self._waiting.remove(answer)
            if answered is None:
                raise CancelledError
            return answered[0]

        return ask

    def cancel(self) -> None:
        """The engine's next callback raises, and one that waits does so now."""
        with self._lock:
            self._is_cancelled = True
            if not self._is_begun:
                self._over.set()
            for answer in self._waiting:
                answer.put(None)

    def wait(self, seconds: float) -> bool:
        """Whether it is over, `seconds` from now at the latest."""
        return self._over.wait(seconds)

    def _run(self, call: Callable[[], T]) -> None:
        with self._lock:
            if self._is_cancelled:  # an exception came while the thread was started
                return
            self._is_begun = True
        try:
            self._returned.append(call())
        except BaseException as error:
            self._raised.append(error)
        self._over.set()
        self._asked.put(lambda: None)  # who waits for a callback need not wait longer

    def _answer_next(self) -> None:
        """Runs a callback, if the engine asks for one soon."""
        try:
            answer = self._asked.get(timeout=LOOK_S)
        except Empty:
            return
        answer()
