# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C as a question that is asked at safe points, so that it never cuts a commit in half."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any, Self


class Interrupts:
    """While open, the first Ctrl-C only sets `asked`; a second one interrupts at once.

    One that nothing has answered, by an exception or by `take`, interrupts at the end: a program
    that calls one run after another would not hear it otherwise. Outside the main thread, where
    Python delivers no signals, it does nothing.
    """

    def __init__(self) -> None:
        self.asked = False
        self._is_taken = False
        self._before: Any = None
        self._installed = False

    def take(self) -> bool:
        """Whether it was asked by now; the caller sees to it that the user's code hears of it."""
        self._is_taken = self.asked
        return self.asked

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGINT)
            # A program that ignores Ctrl-C, or handles it outside Python, keeps its way.
            if callable(self._before):
                signal.signal(signal.SIGINT, self._on_signal)
                self._installed = True
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, self._before)
        if kind is None and self.asked and not self._is_taken:
            raise KeyboardInterrupt

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked:
            self._is_taken = True
            raise KeyboardInterrupt
        self.asked = True
