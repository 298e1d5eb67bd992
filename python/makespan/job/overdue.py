# SPDX-License-Identifier: Apache-2.0
"""Work that takes far longer than was predicted, in words."""

from __future__ import annotations

import atexit
import ctypes
import sys
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from typing import Any


def warn_of_run(text: str) -> None:
    """A run goes on, but not as it should."""
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def overdue_text(note: Mapping[str, Any], what: str) -> str:
    """Of a piece of work of a device: its beginning, `what`, names it."""
    device = note["device"] if not note["image"] else f"{note['device']} of image {note['image']}"
    if note["lost"]:
        return (
            f"a thread of device {device} has not answered for {note['seconds']:.3g} s at {what}: "
            "it is taken as lost, and its work goes to others"
        )
    return (
        f"a thread of device {device} has been at {what} for {note['seconds']:.3g} s"
        f"{_against(note)}: its work goes to others, too"
    )


def _against(note: Mapping[str, Any]) -> str:
    predicted = note["predicted_s"]
    return f", {note['seconds'] / predicted:.0f} times what was predicted" if predicted > 0 else ""


def item_text(first: int, last: int, seconds: float, predicted_s: float, *, lost: bool) -> str:
    """Of items `first` .. `last - 1` of a list."""
    what = f"item {first}" if last == first + 1 else f"one of items {first} to {last - 1}"
    if lost:
        return f"{what} has not ended for {seconds:.3g} s: its thread is left behind with it"
    against = _against({"seconds": seconds, "predicted_s": predicted_s})
    return f"{what} has taken {seconds:.3g} s so far{against}"


class LeftBehind(BaseException):
    """What a thread gets that is left behind in a function."""


_interrupted: list[int] = []
"""Threads that have got it; those that wait elsewhere than in Python may have it still to come."""

COME_BACK_S = 0.5
"""How long the process waits at its end for such threads, which then stay where they are."""


def interrupt_thread(ident: int) -> None:
    """Raises `LeftBehind` in a thread, at its next step in Python."""
    if not _interrupted:
        atexit.register(_wait_for_interrupted)
    _interrupted.append(ident)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(LeftBehind))


def _wait_for_interrupted() -> None:
    end = time.monotonic() + COME_BACK_S
    with suppress(KeyboardInterrupt):  # Python would tell of it as of an exception of this function
        while time.monotonic() < end and sys._current_frames().keys() & set(_interrupted):
            time.sleep(0.005)


def is_without_device(error: RuntimeError) -> bool:
    """Whether a run ended since none is left (bag/device_failed.hpp)."""
    text = str(error)
    return "has not answered for" in text or "every device of" in text
