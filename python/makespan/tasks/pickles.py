# SPDX-License-Identifier: Apache-2.0
"""Results as bytes, between images and in journals; of one that cannot be the item is named."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

from makespan.base.errors import EngineError


def pickled(whole: Any, results: Mapping[int, Any]) -> bytes:
    """Bytes of `whole`, in which these results are. Raises `EngineError` that names one's item."""
    try:
        return pickle.dumps(whole)
    except Exception as error:
        # What functions return may raise anything here.
        index = next((at for at, result in results.items() if not _travels(result)), None)
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


def kept_bytes(index: int, result: Any, *, is_known: bool) -> bytes:
    """What a journal keeps of it; `is_known`: pickle can make its kind again.

    Raises `EngineError` that names its item.
    """
    try:
        data = pickle.dumps(result)
        if not is_known:
            pickle.loads(data)  # noqa: S301, our own
    except Exception as error:
        raise EngineError(
            f"the result of item {index} cannot be kept in a journal ({type(error).__name__}: "
            f"{error}): return what pickle can write and make again, or leave out checkpoint"
        ) from error
    return data


def _unreadable(which: str, error: Exception) -> EngineError:
    return EngineError(
        f"{which} cannot be read on the other images ({type(error).__name__}: {error}): return "
        "what pickle can make again"
    )
