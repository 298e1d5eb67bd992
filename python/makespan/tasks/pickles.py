# SPDX-License-Identifier: Apache-2.0
"""Results as bytes, between images and in journals; of one that cannot be the item is named."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from types import NoneType
from typing import Any

from makespan.base.errors import EngineError

_LASTING_PROTOCOL = 5
"""Another one's bytes are others."""
BYTES_MAX = 999_000_000
"""A row of SQLite has 10^9 bytes at most."""

_PLAIN = (NoneType, bool, int, float, complex, str, bytes)
"""Whatever pickle writes of these it can make again."""


def pickled(whole: Any, results: Iterable[tuple[int, Any]]) -> bytes:
    """Bytes of `whole`, in which these results are. Raises `EngineError` that names one's item."""
    try:
        return pickle.dumps(whole)
    except Exception as error:
        # What functions return may raise anything here.
        index = next((at for at, result in results if not _travels(result)), None)
        which = "a result" if index is None else f"the result of item {index}"
        raise EngineError(
            f"{which} cannot travel to the other images ({type(error).__name__}: {error}): "
            "return what can be pickled"
        ) from error


def _travels(result: Any) -> bool:
    try:
        pickle.dumps(result)
    except Exception:
        return False
    return True


def expect_readable(index: int, result: Any) -> None:
    """Raises `EngineError` if pickle writes it, but cannot make it again of that."""
    try:
        pickle.loads(pickle.dumps(result))  # noqa: S301, our own
    except Exception as error:
        raise _unreadable(f"the result of item {index}", error) from error


def unpickled(data: bytes) -> Any:
    """What another image has packed. Raises `EngineError`."""
    try:
        return pickle.loads(data)  # noqa: S301, our own processes wrote it
    except Exception as error:
        raise _unreadable("what is in a result of another image", error) from error


def kept_bytes(index: int, result: Any) -> bytes:
    """What a journal keeps of it. Raises `EngineError` that names its item."""
    try:
        data = _twice(lambda: _written(result))
    except _NoPickleError as no:
        raise EngineError(
            f"the result of item {index} cannot be kept in a journal ({no}): return what pickle "
            "can write and make again, or leave out checkpoint"
        ) from no.__cause__
    return data


def lasting_pickle(found: Callable[[], Any]) -> bytes | None:
    """Bytes by which another run knows again what this returns; None: that has no pickle."""
    try:
        return _twice(lambda: pickle.dumps(found(), protocol=_LASTING_PROTOCOL))
    except _NoPickleError:
        return None


def _written(result: Any) -> bytes:
    data = pickle.dumps(result)
    if len(data) > BYTES_MAX:
        raise ValueError(f"{len(data)} bytes are more than the {BYTES_MAX} of a row")
    if type(result) not in _PLAIN:
        pickle.loads(data)  # noqa: S301, our own
    return data


def _twice(write: Callable[[], bytes]) -> bytes:
    """What it returns. Raises `_NoPickleError` where it raises each time.

    What is raised once alone is not of the object: a signal's handler raised it, or the memory was
    full for a moment. That comes out as it is.
    """
    try:
        return write()
    except Exception:
        try:
            write()
        except Exception as second:
            raise _NoPickleError(f"{type(second).__name__}: {second}") from second
        raise


class _NoPickleError(Exception):
    """An object has no pickle; says why."""


def _unreadable(which: str, error: Exception) -> EngineError:
    return EngineError(
        f"{which} cannot be read on the other images ({type(error).__name__}: {error}): return "
        "what pickle can make again"
    )
