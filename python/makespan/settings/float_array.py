# SPDX-License-Identifier: Apache-2.0
"""Numbers that a Python program gives, as arrays of float64 that have lost nothing on the way."""

from __future__ import annotations

from numbers import Complex, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KINDS = "biufOSU"
"""Of numpy's types: numbers, and objects and texts that may be some."""


def float_array(given: Any) -> NDArray[np.float64]:
    """Of the same shape, in the order of C; an array that is so already is no copy.

    Raises `ValueError`, which says in a few words why these are no numbers, for the caller's
    message: numpy itself forgets masks and imaginary parts, and takes dates for numbers of days.
    """
    if is_masked(given):
        raise ValueError("masked in part")
    try:
        found = np.asarray(given)
        _check_kind(found)
        return np.asarray(found, dtype=np.float64, order="C")
    except OverflowError:
        raise ValueError("one is beyond 1e308") from None
    except TypeError as error:
        raise ValueError(str(error)) from error


def is_masked(given: Any) -> bool:
    """Whether a value of an array, or of arrays in lists, is masked."""
    if isinstance(given, list | tuple):
        return any(map(is_masked, given))
    return isinstance(given, np.ma.MaskedArray) and bool(np.ma.is_masked(given))


def _check_kind(found: NDArray[Any]) -> None:
    if found.dtype.kind not in _KINDS:
        raise ValueError(f"of type {found.dtype}")
    if found.dtype.kind == "O":
        for one in found.flat:
            is_date = isinstance(one, np.datetime64 | np.timedelta64)
            if is_date or (isinstance(one, Complex) and not isinstance(one, Real)):
                raise ValueError(f"of type {type(one).__name__}")
