# SPDX-License-Identifier: Apache-2.0
"""An exception on its way from image to image."""

from __future__ import annotations

import pickle
import re
from typing import Any

from makespan.base.errors import (
    EngineError,
    InputError,
    JournalError,
    MakespanError,
    NotConfiguredError,
    text_of,
)

_FROM_FIRST = "a call on image 0 threw: "
"""How the engine begins."""
_KINDS = {
    kind.__name__: kind for kind in (EngineError, InputError, JournalError, NotConfiguredError)
}
_IN_A_CALL = re.compile(
    r"a call on image \d+ threw: Traceback \(most recent call last\):\n"
    r"(?:  .*\n)*EngineError: ([^\0]*)"
)
"""Python's traceback there, whose lines are indented."""


class Failure:
    """What was raised: as it is, or as text if it cannot be pickled, or not be made of that."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            pickle.loads(pickle.dumps(self.error))  # noqa: S301, our own
        except Exception:
            text = f"{type(self.error).__name__}: {text_of(self.error)}"
            return (Failure, (RuntimeError(text),))
        return (Failure, (self.error,))


def raised_on_first_image(error: RuntimeError, image: int) -> MakespanError:
    """What image 0 raised, of which the engine tells `image` by the name of its class and its text.

    `EngineError` for what else has ended the run.
    """
    said = str(error)
    name, _, text = said.removeprefix(_FROM_FIRST).partition(": ")
    if said.startswith(_FROM_FIRST) and name in _KINDS:
        return _KINDS[name](text)
    return EngineError(f"image {image}: {said}")


def raised_in_a_call(error: RuntimeError) -> RuntimeError:
    """The `EngineError` of another image's Python, of which the engine tells; else `error`."""
    said = _IN_A_CALL.fullmatch(str(error))
    return EngineError(said[1]) if said else error
