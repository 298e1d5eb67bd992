# SPDX-License-Identifier: Apache-2.0
"""Turns dates into the year fractions that a book needs. The engine itself knows no dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from makespan.base.errors import InputError
from makespan.settings.float_array import is_masked

Days = NDArray[np.datetime64]

_RIGHT = "write dates as 2026-01-31"
_ZONE = re.compile(r"[T ]\d.*(Z|[+-]\d\d(:?\d\d)?)\s*$")
_FIRST, _LAST = np.datetime64("0001-01-01"), np.datetime64("9999-12-31")


def year_fraction(
    dates: ArrayLike, day_count: str = "ACT/365F", *, start: Any
) -> NDArray[np.float64]:
    """Years from `start` to each of `dates`; negative before it.

    `dates`: of any shape; anything that numpy reads as dates (ISO text, `datetime.date`,
    datetime64), of the years 1 to 9999; times of day are dropped, and time zones: the day is that
    in the zone of the date, of text without one. `start`: one date, or one for each of `dates`; the
    result has the shape of both, as numpy broadcasts them. `day_count`: `ACT/365F` (days / 365),
    `ACT/360`, or `30E/360` (Eurobond basis: months of 30 days, the 31st counts as the 30th). Say in
    your file which one you used: the book holds only the numbers.

    Raises `InputError` for an unknown day count, what is not a date, or other counts of `start`.
    """
    if not isinstance(day_count, str) or day_count not in _COUNTS:
        raise InputError(f"day_count must be one of {', '.join(_COUNTS)}; got {day_count!r}")
    first, last = _days(start), _days(dates)
    try:
        np.broadcast_shapes(first.shape, last.shape)
    except ValueError as error:
        raise InputError(
            f"start has the shape {first.shape} (dates have {last.shape}); give one date, or one "
            "for each"
        ) from error
    return _COUNTS[day_count](first, last)


def _days(dates: Any) -> Days:
    if is_masked(dates):
        raise InputError("a date is masked; give one for every option")
    try:
        given = np.asarray(_without_zone(dates))
        _check_kind(given)
        days = np.asarray(given, dtype="datetime64[D]")
    except (ValueError, TypeError) as error:
        raise InputError(f"not a date ({error}); {_RIGHT}") from error
    if np.isnat(days).any():
        raise InputError("a date is missing; give one for every option")
    beyond = days[(days < _FIRST) | (days > _LAST)]
    if beyond.size:  # as of 20260131, which numpy reads as a year
        raise InputError(f"not a date of the years 1 to 9999 ({beyond[0]}); {_RIGHT}")
    return days


def _without_zone(dates: Any) -> Any:
    """Local dates and times in the place of those with a zone, which numpy turns into UTC's."""
    kind = getattr(dates, "dtype", None)
    if getattr(kind, "time_zone", None) is not None:  # a Series of polars
        return dates.dt.replace_time_zone(None)
    if getattr(kind, "tz", None) is not None:  # of pandas, or its index
        return getattr(dates, "dt", dates).tz_localize(None)
    is_arrow = getattr(getattr(dates, "type", None), "tz", None) is not None
    given = np.asarray(dates.to_pylist() if is_arrow else dates)
    if given.dtype.kind == "O":
        local = [
            one.replace(tzinfo=None) if isinstance(one, datetime) else one for one in given.flat
        ]
        given = np.array([*local, None], dtype=object)[:-1].reshape(given.shape)
    if given.dtype.kind in "OSU":
        texts = (one.decode() if isinstance(one, bytes) else one for one in given.flat)
        zoned = (one for one in texts if isinstance(one, str) and _ZONE.search(one))
        if (text := next(zoned, None)) is not None:
            raise ValueError(f"'{text}' is of a time zone")
    return given


def _check_kind(given: NDArray[Any]) -> None:
    """Raises `ValueError` for numbers, which numpy would take for days since 1970."""
    if given.size and given.dtype.kind not in "MOSU":
        raise ValueError(f"of type {given.dtype}")
    numbers = (one for one in given.flat if isinstance(one, Number | np.timedelta64))
    number = next(numbers, None) if given.dtype.kind == "O" else None
    if number is not None:
        raise ValueError(f"of type {type(number).__name__}")


def _actual(days_per_year: float) -> Callable[[Days, Days], NDArray[np.float64]]:
    def count(start: Days, end: Days) -> NDArray[np.float64]:
        return (end - start).astype(np.int64) / days_per_year

    return count


def _thirty_e_360(start: Days, end: Days) -> NDArray[np.float64]:
    return np.asarray((_days_of_30(end) - _days_of_30(start)) / 360.0)


def _days_of_30(dates: Days) -> NDArray[np.int64]:
    """Days since 1970 in a calendar where each month has 30 of them."""
    months = dates.astype("datetime64[M]")
    day = (dates - months.astype("datetime64[D]")).astype(np.int64) + 1
    return np.asarray(30 * months.astype(np.int64) + np.minimum(day, 30))


_COUNTS: dict[str, Callable[[Days, Days], NDArray[np.float64]]] = {
    "ACT/365F": _actual(365.0),
    "ACT/360": _actual(360.0),
    "30E/360": _thirty_e_360,
}
