# SPDX-License-Identifier: Apache-2.0
"""Lists of a JSON document as arrays; what is wrong is named by the object or the edge it is of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from makespan.base.errors import InputError
from makespan.graph.objects_table import ObjectId

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLACE_MAX = 2**20 - 1  # the engine has no more; a number for each place is kept of memory
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of objects, or of edges; `named` says which one a number is.

    `source` is empty where `named` says the file, too.
    """

    source: str
    group: str
    count: int
    named: Callable[[int], str]

    def amounts(self, name: str, values: object) -> NDArray[np.float64]:
        """Numbers from 0, as float64."""
        listed = self._list(name, values)
        self._check_types(name, listed, (int, float), "a number from 0")
        try:
            found = np.array(listed, dtype=np.float64)
        except OverflowError:
            wrong = next(
                i for i, value in enumerate(listed) if isinstance(value, int) and abs(value) > 1e308
            )
            raise self.wrong(
                wrong, name, listed[wrong], "too large", "give a number from 0"
            ) from None
        bad = np.flatnonzero(~(np.isfinite(found) & (found >= 0)))
        if bad.size:
            at = int(bad[0])
            why = "it is negative" if found[at] < 0 else "it is no finite number"
            raise self.wrong(at, name, listed[at], why, "give a number from 0")
        return found

    def places(self, name: str, values: object) -> NDArray[np.int32]:
        """Whole numbers from 0, as int32."""
        listed = self._list(name, values)
        self._check_types(name, listed, (int,), "the number of a place, from 0")
        largest, least = max(listed, default=0), min(listed, default=0)
        if least < 0 or largest > PLACE_MAX:
            at = next(i for i, value in enumerate(listed) if not 0 <= value <= PLACE_MAX)
            raise self.wrong(at, name, listed[at], "there is none of that number", "count from 0")
        return np.array(listed, dtype=np.int32)

    def numbers_or_none(self, name: str, values: object, count: int) -> NDArray[np.int32]:
        """Numbers below `count`, and -1 where there is none (null), as int32."""
        listed = self._list(name, values)
        self._check_types(name, listed, (int, type(None)), "a number from 0, or null")
        found = [-1 if value is None else value for value in listed]
        for at, value in enumerate(found):
            if not -1 <= value < count or (value == -1 and listed[at] is not None):
                raise self.wrong(
                    at, name, listed[at], "there is none of that number", "count from 0"
                )
        return np.array(found, dtype=np.int32)

    def flags(self, name: str, values: object) -> NDArray[np.bool_]:
        """Of true and false."""
        listed = self._list(name, values)
        self._check_types(name, listed, (bool,), "true or false")
        return np.array(listed, dtype=np.bool_)

    def wrong(self, at: int, name: str, value: object, why: str, hint: str) -> InputError:
        """The error for one value."""
        where = f"{self.source}: {self.named(at)}" if self.source else self.named(at)
        return InputError(f"{where}: {name} {_shown(value)} ({why}): {hint}")

    def _list(self, name: str, values: object) -> list[Any]:
        if not isinstance(values, list):
            raise InputError(
                f"{self.source}: '{name}' of {self.group} (it is no list): "
                f"give a list with one value for each"
            )
        if len(values) != self.count:
            raise InputError(
                f"{self.source}: '{name}' of {self.group} ({len(values)} values, and there are "
                f"{self.count} {self.group}): give one for each"
            )
        return values

    def _check_types(self, name: str, values: list[Any], good: tuple[type, ...], hint: str) -> None:
        if set(map(type, values)) <= set(good):
            return
        at = next(i for i, value in enumerate(values) if type(value) not in good)
        raise self.wrong(at, name, values[at], "of the wrong type", f"give {hint}")


def _shown(value: object) -> str:
    """A value as it stands in the file, shortened."""
    words = {None: "null", True: "true", False: "false"}
    is_word = value is None or isinstance(value, bool)
    text = words[value] if is_word else repr(value)  # type: ignore[index]
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class IdIndex:
    """Numbers of objects by their ids."""

    def __init__(self, source: str, ids: object, count: int | None = None) -> None:
        """`ids`: a list, or None for 0 to `count` - 1. Raises `InputError`."""
        self._source = source
        self.ids: Sequence[ObjectId] = range(count or 0) if ids is None else self._checked(ids)
        self._numbers: dict[ObjectId, int] | None = None
        if ids is not None:
            self._numbers = {id_: number for number, id_ in enumerate(self.ids)}
            if len(self._numbers) < len(self.ids):
                raise self._twice()

    def _checked(self, ids: object) -> list[ObjectId]:
        if not isinstance(ids, list):
            raise InputError(f"{self._source}: 'id' of objects (it is no list): list their ids")
        types = set(map(type, ids))
        if types <= {int} or types <= {str}:
            return ids
        allowed: tuple[type, ...] = (int, str) if not {int, str} <= types else (type(ids[0]),)
        at = next(i for i, id_ in enumerate(ids) if type(id_) not in allowed)
        raise InputError(
            f"{self._source}: object number {at}, counted from 0: id {_shown(ids[at])} (of another "
            "type): let all ids be whole numbers, or all texts"
        )

    def _twice(self) -> InputError:
        seen: dict[ObjectId, int] = {}
        for number, id_ in enumerate(self.ids):
            first = seen.setdefault(id_, number)
            if first != number:
                return InputError(
                    f"{self._source}: object {id_!r}: its id is there twice (numbers {first} and "
                    f"{number}, counted from 0): give each object its own"
                )
        raise AssertionError

    def numbers(self, ends: object, count: int | None, name: str) -> NDArray[np.int32]:
        """Of objects that edges name. Raises `InputError` that names the edge."""
        if not isinstance(ends, list):
            raise InputError(
                f"{self._source}: '{name}' of edges (it is no list): list ids of objects"
            )
        if count is not None and len(ends) != count:
            raise InputError(
                f"{self._source}: '{name}' of edges ({len(ends)} values, and there are {count} "
                "edges): give one for each"
            )
        types = set(map(type, ends))
        if self._numbers is None:
            return self._plain_numbers(ends, types, name)
        if not types <= {int, str}:
            raise self._dangling(
                ends, name, next(i for i, e in enumerate(ends) if type(e) not in (int, str))
            )
        of = self._numbers
        found = [of.get(end, -1) for end in ends]
        numbers = np.array(found, dtype=np.int32)
        wrong = np.flatnonzero(numbers < 0)
        if wrong.size:
            raise self._dangling(ends, name, int(wrong[0]))
        return numbers

    def _plain_numbers(self, ends: list[Any], types: set[type], name: str) -> NDArray[np.int32]:
        count = len(self.ids)
        is_good = types <= {int} and (not ends or (min(ends) >= 0 and max(ends) < count))
        if not is_good:
            bad = (i for i, e in enumerate(ends) if type(e) is not int or not 0 <= e < count)
            raise self._dangling(ends, name, next(bad))
        return np.array(ends, dtype=np.int32)

    def _dangling(self, ends: list[Any], name: str, at: int) -> InputError:
        return InputError(
            f"{self._source}: edge {at}: {name} {_shown(ends[at])} (no object has that id): "
            "edges lead from one object of the file to another"
        )
