# SPDX-License-Identifier: Apache-2.0
"""Functions of numbers in updates, from operations that have the same bits everywhere.

numpy's functions of these names come here when an update calls them. `exp` and `log` have the bits
of the engine's own (simd/math-inl.hpp), and so have their coefficients; no math library is called.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

from makespan.equations.expression import Number, Truth, Unknown, is_whole_power, place_of, scalar
from makespan.equations.operations import Operation
from makespan.equations.users_line import refused

_LN2_HIGH, _LN2_LOW = 6.93147180559890330e-01, 5.49792301870837116e-14
"""The product of the first and any exponent is exact."""
_MAGIC = 6755399441055744.0
"""1.5 * 2**52: adding it rounds to a whole number."""
# fmt: off
_EXPM1_OVER_X = (
    1.00000000000000000e+00, 5.00000000000000000e-01, 1.66666666666666796e-01,
    4.16666666666666782e-02, 8.33333333331958900e-03, 1.38888888888790731e-03,
    1.98412698900764028e-04, 2.48015873364422364e-05, 2.75572408872298695e-06,
    2.75572632790884977e-07, 2.51100492048186583e-08, 2.09181377376427364e-09,
)
_ATANH_TAIL = (
    6.66666666666666630e-01, 3.99999999999999079e-01, 2.85714285714903482e-01,
    2.22222222064410085e-01, 1.81818201985876032e-01, 1.53844708965783089e-01,
    1.33393937833389237e-01, 1.16175153314947557e-01, 1.24231140561292142e-01,
)
_SIN_PI = (
    3.14159265358979312e+00, -5.16771278004997026e+00, 2.55016403987734552e+00,
    -5.99264529320786887e-01, 8.21458866109935626e-02, -7.37043094370213626e-03,
    4.66302787459327273e-04, -2.19152503018513749e-05, 7.94853903737232037e-07,
    -2.22837121606969703e-08,
)
# fmt: on


def _number(value: Any, other: Any = None) -> Number:
    """As a number of the update that one of them belongs to."""
    if isinstance(value, Number):
        return value
    for one in (value, other):
        if isinstance(one, Unknown):
            return Number(one.operations, place_of(one.operations, value))
    raise refused("none of its arguments depends on a field, a parameter or a coordinate")


def fma(a: Any, b: Any, c: Any) -> Number:
    """`a * b + c` of an update, rounded once (fused multiply-add)."""
    for one in (a, b, c):
        if isinstance(one, Unknown):
            return _number(a, one).made("fused", b, c)
    raise refused("none of its arguments depends on a field, a parameter or a coordinate")


def where(condition: Any, a: Any, b: Any) -> Number:
    """`a` at the points where the condition holds, else `b`."""
    if not isinstance(condition, Truth):
        raise refused("where() takes a comparison first, as in where(u > 0, a, b)")
    operations = condition.operations
    places = (condition.place, place_of(operations, a), place_of(operations, b))
    return Number(operations, operations.add(Operation("select", places)))


def minimum(a: Any, b: Any) -> Number:
    """The smaller one of each point; the second where one of them is nan, unlike numpy's."""
    return _number(a, b).made("minimum", b)


def maximum(a: Any, b: Any) -> Number:
    """The larger one of each point; the second where one of them is nan, unlike numpy's."""
    return _number(a, b).made("maximum", b)


def sqrt(x: Any) -> Number:
    """Correctly rounded."""
    return _number(x).made("square_root")


def floor(x: Any) -> Number:
    """The whole number at or below it."""
    return _number(x).made("floor")


def _polynomial(x: Number, coefficients: Sequence[float]) -> Number:
    """By Horner's rule; coefficients with the lowest power first."""
    total = x.constant(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = fma(total, x, coefficient)
    return total


def exp(x: Any) -> Number:
    """The exponential of x, which is clamped to +-708; relative error below 2.3e-16."""
    given = _number(x)
    x = minimum(maximum(given, -708.0), 708.0)
    k = fma(x, 1.4426950408889634, _MAGIC) - _MAGIC
    r = fma(-k, _LN2_LOW, fma(-k, _LN2_HIGH, x))
    value = fma(_polynomial(r, _EXPM1_OVER_X), r, 1.0).made("scale", k)
    return where(given == given, value, given)  # noqa: PLR0124 - nan stays nan


def log(x: Any) -> Number:
    """The natural logarithm of a normal positive number; nan below 0, -inf at 0.

    Relative error below 4e-16.
    """
    x = _number(x)
    fraction, exponent = x.made("fraction"), x.made("exponent")
    is_high = fraction >= 1.5
    m = where(is_high, fraction * 0.5, fraction)
    e = where(is_high, exponent + 1.0, exponent)
    s = (m - 1.0) / (m + 1.0)
    s2 = s * s
    tail = (s * s2) * _polynomial(s2, _ATANH_TAIL)
    of_positive = fma(e, _LN2_HIGH, fma(s, 2.0, fma(e, _LN2_LOW, tail)))
    of_others = where(x == 0.0, x.constant(-math.inf), (x - x) / (x - x))
    return where(x > 0.0, of_positive, of_others)


def power(x: Any, y: Any) -> Number:
    """By products where y is known and a whole number up to 1024; else by exp(y log |x|).

    Of x below 0 it has its sign where y is odd, and is nan where y is no whole number.
    """
    y = scalar(y)
    if isinstance(x, Number) and isinstance(y, Real):
        known = float(y)
        if known == 0.5 or is_whole_power(known):
            return x**known
    base, exponent = _number(x, y), _number(y, x)
    if isinstance(scalar(x), Real) and float(scalar(x)) > 0:
        return exp(exponent * log(base))
    size = exp(exponent * log(abs(base)))
    half = exponent * 0.5
    signed = where(floor(half) == half, size, -size)
    of_negative = where(floor(exponent) == exponent, signed, base.constant(math.nan))
    # Of y below 0 this product is inf, and nan where y is no number.
    endless = exponent * -math.inf
    of_nothing = where(
        exponent > 0.0, base.constant(0.0), where(exponent == 0.0, base.constant(1.0), endless)
    )
    return where(base > 0.0, size, where(base == 0.0, of_nothing, of_negative))


def _sin_of_turns(turns: Number) -> Number:
    """sin(pi t)."""
    k = floor(turns + 0.5)
    rest = turns - k
    value = rest * _polynomial(rest * rest, _SIN_PI)
    half = k * 0.5
    return where(floor(half) == half, value, -value)


def sin(x: Any) -> Number:
    """Absolute error below 4e-16 (1 + |x|)."""
    return _sin_of_turns(_number(x) * (1 / math.pi))


def cos(x: Any) -> Number:
    """Absolute error below 4e-16 (1 + |x|)."""
    return _sin_of_turns(_number(x) * (1 / math.pi) + 0.5)


def tanh(x: Any) -> Number:
    """Absolute error below 4e-16."""
    x = _number(x)
    return 1.0 - 2.0 / (exp(2.0 * x) + 1.0)


def sign(x: Any) -> Number:
    """1, 0 or -1."""
    x = _number(x)
    return where(x > 0.0, 1.0, where(x < 0.0, -1.0, x))


def _compared(op: str) -> Any:
    return lambda a, b: _number(a, b).truth(op, b)


def _turned(op: str) -> Any:
    return lambda a, b: _number(b, a).truth(op, a)


Number.functions.update(
    {
        "absolute": lambda x: abs(_number(x)),
        "add": lambda a, b: _number(a, b) + b,
        "clip": lambda x, low, high: minimum(maximum(x, low), high),
        "cos": cos,
        "divide": lambda a, b: _number(a, b) / b,
        "equal": _compared("equal"),
        "exp": exp,
        "floor": floor,
        "greater": _turned("less"),
        "greater_equal": _turned("less_equal"),
        "less": _compared("less"),
        "less_equal": _compared("less_equal"),
        "log": log,
        "maximum": maximum,
        "minimum": minimum,
        "multiply": lambda a, b: _number(a, b) * b,
        "negative": lambda x: -_number(x),
        "not_equal": lambda a, b: ~_number(a, b).truth("equal", b),
        "power": power,
        "sign": sign,
        "sin": sin,
        "sqrt": sqrt,
        "square": lambda x: _number(x) * x,
        "subtract": lambda a, b: _number(a, b) - b,
        "tanh": tanh,
        "where": where,
    }
)
