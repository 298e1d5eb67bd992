# SPDX-License-Identifier: Apache-2.0
"""What an update computes with: numbers and truths that are not known yet, of every point."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from numbers import Real
from typing import Any, ClassVar

from makespan.base.errors import InputError
from makespan.equations.operations import Operation, Operations
from makespan.equations.users_line import refused
from makespan.settings.float_array import float_array, is_masked

POWER_MAX = 1024
"""Of whole powers, which are products: of at most twice ten factors."""


def is_whole_power(power: float) -> bool:
    """Whether it is a product."""
    return abs(power) <= POWER_MAX and power.is_integer()


class Unknown:
    """One or the other; `operations[place]` gives it."""

    __slots__ = ("operations", "place")
    __hash__ = object.__hash__

    def __init__(self, operations: Operations, place: int) -> None:
        self.operations = operations
        self.place = place

    def __bool__(self) -> bool:
        raise refused(
            "an update says what becomes of every point, and `if`, `and`, `or`, `not`, `min` and "
            "`max` ask for one of them: write numpy.where(condition, a, b), &, |, ~, "
            "numpy.minimum or numpy.maximum"
        )

    def __float__(self) -> float:
        raise refused("it is not known yet: call numpy's functions, not those of math")

    def __int__(self) -> int:
        raise refused("it is not known yet: write numpy.floor(x), and not int(x)")

    def __index__(self) -> int:
        raise refused(
            "it is not known yet: places, counts and ranges are whole numbers that are known, "
            "the same at all points"
        )

    def __round__(self, _digits: int | None = None) -> int:
        raise refused("it is not known yet: write numpy.floor(x + 0.5), and not round(x)")

    def __iter__(self) -> Iterator[Any]:
        raise refused(
            "it is one value, of the point, and no array to iterate over: name neighbours one by "
            "one, as in u[-1] + u[1]"
        )

    def __len__(self) -> int:
        raise refused("it is one value, of the point, and has no length")

    def __array__(self, *_arguments: Any, **_keywords: Any) -> Any:
        raise refused(
            "numpy would make an array of it: numpy.array, numpy.sum and their like take numbers "
            "that are known; write sums of fields out"
        )


class Number(Unknown):
    """A number of each point."""

    __slots__ = ()
    __hash__ = object.__hash__
    functions: ClassVar[dict[str, Callable[..., Any]]] = {}
    """By the names that numpy has for them; functions.py fills it."""

    def made(self, op: str, *others: Any) -> Number:
        """What an operation gives of this and others."""
        return Number(self.operations, self._place(op, *others))

    def truth(self, op: str, *others: Any) -> Truth:
        """Likewise."""
        return Truth(self.operations, self._place(op, *others))

    def constant(self, value: float) -> Number:
        """A number that is known."""
        return Number(self.operations, _constant(self.operations, value))

    def _place(self, op: str, *others: Any) -> int:
        operands = (self.place, *(place_of(self.operations, other) for other in others))
        return self.operations.add(Operation(op, operands))

    def _reflected(self, op: str, other: Any) -> Number:
        return Number(self.operations, place_of(self.operations, other)).made(op, self)

    def __add__(self, other: Any) -> Number:
        return self.made("add", other)

    def __radd__(self, other: Any) -> Number:
        return self._reflected("add", other)

    def __sub__(self, other: Any) -> Number:
        return self.made("subtract", other)

    def __rsub__(self, other: Any) -> Number:
        return self._reflected("subtract", other)

    def __mul__(self, other: Any) -> Number:
        return self.made("multiply", other)

    def __rmul__(self, other: Any) -> Number:
        return self._reflected("multiply", other)

    def __truediv__(self, other: Any) -> Number:
        return self.made("divide", other)

    def __rtruediv__(self, other: Any) -> Number:
        return self._reflected("divide", other)

    def __neg__(self) -> Number:
        return self.made("negate")

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return self.made("absolute")

    def __mod__(self, _other: Any) -> Number:
        raise refused("% cannot be used in an update: write x - n * numpy.floor(x / n)")

    __rmod__ = __mod__

    def __floordiv__(self, _other: Any) -> Number:
        raise refused("// cannot be used in an update: write numpy.floor(x / y)")

    __rfloordiv__ = __floordiv__

    def __pow__(self, power: Any) -> Number:
        power = scalar(power)
        if isinstance(power, Real):
            known = float(power)
            if known == 0.5:
                return self.made("square_root")
            if is_whole_power(known):
                return self._whole_power(int(known))
        raised: Number = Number.functions["power"](self, power)
        return raised

    def __rpow__(self, base: Any) -> Number:
        raised: Number = Number.functions["power"](scalar(base), self)
        return raised

    def _whole_power(self, power: int) -> Number:
        if power < 0:
            return 1.0 / self._whole_power(-power)
        if power == 0:
            return self.constant(1.0)
        # From the lowest bit of the power to the highest one.
        if power == 1:
            return self
        rest = (self * self)._whole_power(power // 2)
        return self * rest if power % 2 else rest

    def __lt__(self, other: Any) -> Truth:
        return self.truth("less", other)

    def __le__(self, other: Any) -> Truth:
        return self.truth("less_equal", other)

    def __gt__(self, other: Any) -> Truth:
        return Number(self.operations, place_of(self.operations, other)).truth("less", self)

    def __ge__(self, other: Any) -> Truth:
        return Number(self.operations, place_of(self.operations, other)).truth("less_equal", self)

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return self.truth("equal", other)

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return ~self.truth("equal", other)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        function = Number.functions.get(ufunc.__name__)
        if method != "__call__" or function is None:
            raise _unknown_function(ufunc.__name__)
        if keywords:
            raise _by_keyword(ufunc.__name__, keywords)
        return function(*inputs)

    def __array_function__(self, function: Any, _types: Any, arguments: Any, keywords: Any) -> Any:
        own = Number.functions.get(function.__name__)
        if own is None:
            raise _unknown_function(function.__name__)
        if keywords:
            raise _by_keyword(function.__name__, keywords)
        signature = inspect.signature(own)
        try:
            signature.bind(*arguments)
        except TypeError as error:
            raise refused(
                f"numpy.{function.__name__} takes {', '.join(signature.parameters)} in an update: "
                "give these"
            ) from error
        return own(*arguments)


class Truth(Unknown):
    """Whether something holds, of each point."""

    __slots__ = ()
    __hash__ = object.__hash__

    def _made(self, op: str, *others: Any) -> Truth:
        for other in others:
            if not isinstance(other, Truth):
                raise refused(
                    f"{_shown(other)} is no comparison: &, |, ^, == and != join comparisons, as in "
                    "(u > 0) & (v > 0)"
                )
        places = (self.place, *(other.place for other in others))
        return Truth(self.operations, self.operations.add(Operation(op, places)))

    def __and__(self, other: Any) -> Truth:
        return self._made("both", other)

    def __or__(self, other: Any) -> Truth:
        return self._made("either", other)

    __rand__, __ror__ = __and__, __or__

    def __xor__(self, other: Any) -> Truth:
        both = self._made("both", other)
        return self._made("either", other) & ~both

    __rxor__ = __xor__

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return ~self.__xor__(other)

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return self.__xor__(other)

    def __invert__(self) -> Truth:
        return self._made("inverse")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        names = {"logical_and": "both", "logical_or": "either", "logical_not": "inverse"}
        names |= {"bitwise_and": "both", "bitwise_or": "either", "invert": "inverse"}
        op = names.get(ufunc.__name__)
        if ufunc.__name__ in Number.functions.keys() - {"equal", "not_equal"}:
            raise _no_number()
        first, *others = inputs
        if method != "__call__" or keywords or op is None or not isinstance(first, Truth):
            raise refused(f"numpy.{ufunc.__name__} cannot be used with comparisons: write &, |, ~")
        return first._made(op, *others)

    __array_function__ = Number.__array_function__

    def _computed(self, _other: Any = None) -> Number:
        raise _no_number()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _computed
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _computed
    __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = _computed
    __lt__ = __le__ = __gt__ = __ge__ = _computed


def _no_number() -> InputError:
    return refused("a comparison is no number: numpy.where(condition, 1.0, 0.0) makes one of it")


def _unknown_function(name: str) -> InputError:
    known = ", ".join(sorted(Number.functions))
    return refused(f"numpy.{name} cannot be used in an update (known: {known})")


def _by_keyword(name: str, keywords: Mapping[str, Any]) -> InputError:
    if "out" in keywords:
        return refused(
            f"numpy.{name} cannot write into an array here, by out= or as in a += u (what it would "
            "write is not known yet): give the result a name of its own, as in b = a + u"
        )
    return refused(
        f"numpy.{name} takes no {next(iter(keywords))}= in an update: give its arguments by "
        "position"
    )


def _shown(other: Any) -> str:
    """For messages: numbers of each point have no text that users know."""
    return "a number of each point" if isinstance(other, Number) else repr(other)


def _constant(operations: Operations, value: float) -> int:
    return operations.add(Operation("constant", value=value))


def scalar(value: Any) -> Any:
    """The number that an array without axes holds; all else as it is."""
    is_one = getattr(value, "shape", None) == () and not is_masked(value)
    return value.item() if is_one else value


def _plain(value: Any) -> float:
    if isinstance(scalar(value), str | bytes):  # which would be read
        raise TypeError
    known = float_array(value)
    if known.ndim:
        raise TypeError
    return float(known)


def place_of(operations: Operations, value: Any) -> int:
    """The place of a number, known or not. Raises `InputError` for what is none."""
    if isinstance(value, Number):
        if value.operations is not operations:
            raise refused("a number of another update was kept: an update computes with its own")
        return value.place
    if isinstance(value, Truth):
        raise _no_number()
    try:
        known = _plain(value)
    except (TypeError, ValueError) as error:
        raise refused(
            f"{type(value).__name__} is no number: an update computes with fields, parameters and "
            "plain numbers (an array with a number for each point is given as a field)"
        ) from error
    if math.isnan(known):
        raise refused("a constant is not a number (nan): give one that is")
    return _constant(operations, known)
