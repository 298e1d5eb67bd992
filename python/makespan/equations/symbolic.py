# SPDX-License-Identifier: Apache-2.0
"""Updates as SymPy has them: {u: expression}, neighbours as IndexedBase("u")[dy, dx]."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

from makespan.base.errors import InputError
from makespan.equations import functions
from makespan.equations.expression import is_whole_power

if TYPE_CHECKING:
    from makespan.equations.trace import Symbols

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Abs": abs,
    "Add": lambda *terms: reduce(operator.add, terms),
    "And": lambda *truths: reduce(operator.and_, truths),
    "Max": lambda *values: reduce(functions.maximum, values),
    "Min": lambda *values: reduce(functions.minimum, values),
    "Mul": lambda *factors: reduce(operator.mul, factors),
    "Not": operator.invert,
    "Or": lambda *truths: reduce(operator.or_, truths),
    "cos": functions.cos,
    "exp": functions.exp,
    "floor": functions.floor,
    "log": functions.log,
    "sign": functions.sign,
    "sin": functions.sin,
    "tanh": functions.tanh,
}
_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "StrictLessThan": operator.lt,
    "LessThan": operator.le,
    "StrictGreaterThan": operator.gt,
    "GreaterThan": operator.ge,
    "Equality": operator.eq,
    "Unequality": operator.ne,
}


def values_of(update: Mapping[Any, Any], symbols: Symbols) -> dict[str, Any]:
    """By field: the numbers that expressions stand for. Raises `InputError`."""
    try:
        import sympy
    except ModuleNotFoundError as error:
        raise InputError(
            "an update of expressions (SymPy is not installed): pip install sympy, or give a "
            "function"
        ) from error
    reader = _Reader(symbols)
    values = {}
    for name, value in update.items():
        try:
            expression = sympy.sympify(value, strict=True)  # of texts it would run what they say
        except sympy.SympifyError as error:
            raise InputError(
                f"{value!r} is no expression: an update is a dict of SymPy's, by field"
            ) from error
        values[str(getattr(name, "label", name))] = reader.read(expression)
    return values


def _real(expression: Any) -> float:
    try:
        return float(expression)
    except TypeError as error:
        raise InputError(
            f"{expression} is no real number: an update computes with these"
        ) from error


class _Reader:
    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._known: dict[Any, Any] = {}

    def read(self, expression: Any) -> Any:
        """A number or a truth; equal parts are read once."""
        if expression not in self._known:
            self._known[expression] = self._read(expression)
        return self._known[expression]

    def _read(self, expression: Any) -> Any:
        kind = type(expression).__name__
        if expression.is_number:
            return _real(expression)
        own = self._own(expression, kind)
        if own is not None:
            return own()
        function = _COMPARED.get(kind) or _FUNCTIONS.get(kind)
        if function is None:
            known = ", ".join([*_FUNCTIONS, "Piecewise", "sqrt"])
            raise InputError(
                f"{expression} (no operation of an update is {kind}; known: {known}): write it out"
            )
        return function(*map(self.read, expression.args))

    def _own(self, expression: Any, kind: str) -> Callable[[], Any] | None:
        """How to read what is more than a function of its arguments."""
        if expression.is_Symbol or kind == "IndexedBase":
            return lambda: self._symbol(str(expression))
        ways: dict[str, Callable[[], Any]] = {
            "Indexed": lambda: self._neighbour(expression),
            "Piecewise": lambda: self._pieces(expression.args),
            "Pow": lambda: self._power(*expression.args),
        }
        return ways.get(kind)

    def _symbol(self, name: str) -> Any:
        number = self._symbols.number(name)
        if number is None:
            raise InputError(
                f"{name} is unknown ({self._symbols.known()}): substitute a number for it, or give "
                "it as a parameter"
            )
        return number

    def _neighbour(self, expression: Any) -> Any:
        name = str(expression.base)
        field = self._symbols.fields.get(name)
        if field is None:
            raise InputError(
                f"{expression} ({name} is no field; {self._symbols.known()}): index fields alone"
            )
        if not all(index.is_Integer for index in expression.indices):
            raise InputError(f"{expression}: give whole numbers, the neighbour's place")
        return field[tuple(int(index) for index in expression.indices)]

    def _power(self, base: Any, exponent: Any) -> Any:
        of = self.read(base)
        if exponent.is_Integer:
            return of ** int(exponent)
        if exponent.is_real and exponent.is_number:
            if is_whole_power(float(exponent)):
                return of ** int(exponent)
            if float(2 * exponent) == int(2 * exponent):
                return functions.sqrt(of) ** int(2 * exponent)
        return functions.power(of, self.read(exponent))

    def _pieces(self, pieces: Any) -> Any:
        *others, last = pieces
        if str(last[1]) != "True":
            raise InputError(
                f"Piecewise of {last[1]} (it has no value elsewhere): end it with (value, True)"
            )
        value = self.read(last[0])
        for one, condition in reversed(others):
            value = functions.where(self.read(condition), self.read(one), value)
        return value
