# SPDX-License-Identifier: Apache-2.0
"""Goal: operations and functions of updates are what NumPy and mathematics say.

Method: an update of NumPy's functions is traced, and called with arrays as well; where IEEE 754
says what comes out, all bits are the same, and elementary functions are compared with mpmath.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from makespan.equations import functions
from makespan.equations.functions import fma
from own_equations import Array, both_ways, same_bits

COUNT = 500
RANDOM = np.random.default_rng(125)
A: Array = np.concatenate(
    [RANDOM.normal(0, 10, COUNT), 2.0 ** RANDOM.integers(-300, 300, COUNT), [0.0, -0.0, 1.5, -2.5]]
)
B: Array = RANDOM.permutation(np.concatenate([A[:-4], RANDOM.uniform(1, 2, 4)]))


def exact(a: Any, b: Any) -> dict[str, Any]:
    """All that is rounded once, or not at all."""
    return {
        "sum": a + b,
        "sum_of_known": 0.1 + a,
        "difference": a - b,
        "difference_of_known": 0.3 - a,
        "product": a * b,
        "product_of_known": -0.7 * a,
        "quotient": a / b,
        "quotient_of_known": 3.0 / b,
        "negative": -a,
        "size": abs(a),
        "numpy_size": np.abs(a),
        "root": np.sqrt(abs(a)),
        "root_by_power": abs(a) ** 0.5,
        "floor": np.floor(a),
        "least": np.minimum(a, b),
        "most": np.maximum(a, b),
        "clipped": np.clip(a, -1.0, 1.5),
        "square": np.square(a),
        "twice": np.add(a, np.multiply(a, 1.0)),
        "one": b / b,
    }


def compared(a: Any, b: Any) -> dict[str, Any]:
    """Truths, as numbers."""
    return {
        "less": np.where(a < b, a, b),
        "less_equal": np.where(a <= 1.5, 1.0, a),
        "greater": np.where(a > b, a, -b),
        "greater_equal": np.where(a <= 1.5, 1.0, a),
        "equal": np.where(a == 1.5, 7.0, a),
        "unequal": np.where(a != -2.5, a, 9.0),
        "both": np.where((a > 0) & (b > 0), a, b),
        "either": np.where((a > 0) | (b > 0), a, b),
        "neither": np.where(~((a > 0) | np.less(b, 0)), a, b),
        "by_function": np.where(np.logical_and(np.greater(a, 0), b > 1), 1.0, 0.0),
        "sign": np.sign(a) + 0.0,
    }


def joined(a: Any, b: Any) -> dict[str, Any]:
    """Comparisons of comparisons."""
    return {
        "alike": np.where((a > 1) == (b > 1), a, b),
        "unlike": np.where((a > 1) != (b > 1), a, b),
        "one": np.where((a < b) ^ (a > 0), a, b),
        "several": np.where(((a < b) == (b > 0)) != (a == b), a, b),
    }


@pytest.mark.parametrize("update", [exact, compared, joined])
def test_what_is_rounded_once_has_numpys_bits(update: Callable[..., dict[str, Any]]) -> None:
    expected = {name: np.broadcast_to(one, A.shape) for name, one in update(A, B).items()}
    fields = {"a": A, "b": B, **{name: np.zeros_like(A) for name in expected}}

    found = both_ways(update, fields)

    for name, values in expected.items():
        assert same_bits(found[name], np.ascontiguousarray(values)), name
    assert same_bits(found["a"], A)


def test_a_fused_product_is_rounded_once_and_plain_ones_twice() -> None:
    a, b, c = (RANDOM.normal(0, 1, COUNT) for _ in range(3))

    def update(a: Any, b: Any, c: Any) -> dict[str, Any]:
        return {"fused": fma(a, b, c), "plain": a * b + c, "known": fma(0.1, a, 0.2)}

    found = both_ways(
        update, {"a": a, "b": b, "c": c, "fused": 0 * a, "plain": 0 * a, "known": 0 * a}
    )

    def exactly(a: float, b: float, c: float) -> float:
        return float(Fraction(a) * Fraction(b) + Fraction(c))

    assert same_bits(found["fused"], np.array(list(map(exactly, a, b, c))))
    assert same_bits(found["known"], np.array([exactly(0.1, one, 0.2) for one in a]))
    assert same_bits(found["plain"], a * b + c)
    assert (found["fused"] != found["plain"]).any()


def test_whole_powers_are_products() -> None:
    a = RANDOM.uniform(-2, 2, COUNT)

    def update(a: Any) -> dict[str, Any]:
        return {
            "cube": a**3,
            "counted": a ** np.int64(3),
            "boxed": a ** np.array(3.0),
            "called": np.power(a, np.array(3.0)),
            "inverse": a**-2,
            "high": a**13.0,
            "none": a**0,
        }

    names = ("cube", "counted", "boxed", "called", "inverse", "high", "none")
    found = both_ways(update, {"a": a, **dict.fromkeys(names, 0 * a)})

    square = a * a
    assert same_bits(found["cube"], a * square)
    for name in ("counted", "boxed", "called"):
        assert same_bits(found[name], a * square), name
    assert same_bits(found["inverse"], 1.0 / square)
    fourth = square * square
    assert same_bits(found["high"], a * (fourth * (fourth * fourth)))
    assert same_bits(found["none"], np.ones_like(a))


X = np.concatenate(
    [RANDOM.uniform(-1, 1, COUNT), RANDOM.uniform(-30, 30, COUNT), RANDOM.uniform(-700, 700, COUNT)]
)


def elementary(v: Any) -> dict[str, Any]:
    positive = abs(v)
    return {
        "exp": np.exp(v),
        "log": np.log(positive),
        "sin": np.sin(v),
        "cos": np.cos(v),
        "tanh": np.tanh(v),
        "power": (1e-3 + positive) ** 0.3,
        "power_of_two": 2.0 ** (v / 30),
    }


def test_elementary_functions_are_as_near_as_they_say() -> None:
    names = ("exp", "log", "sin", "cos", "tanh", "power", "power_of_two")

    found = both_ways(elementary, {"v": X, **dict.fromkeys(names, 0 * X)})

    mpmath.mp.dps = 40
    unit = {name: np.zeros_like(X) for name in names}
    for place, x in enumerate(map(mpmath.mpf, X)):
        base = mpmath.mpf(float(1e-3 + abs(X[place])))
        true = {
            "exp": mpmath.exp(x),
            "log": mpmath.log(abs(x)),
            "sin": mpmath.sin(x),
            "cos": mpmath.cos(x),
            "tanh": mpmath.tanh(x),
            "power": mpmath.power(base, mpmath.mpf(0.3)),
            "power_of_two": mpmath.power(2, mpmath.mpf(float(X[place] / 30))),
        }
        for name, value in true.items():
            unit[name][place] = float(abs(mpmath.mpf(float(found[name][place])) - value))
            if name in ("exp", "log", "power", "power_of_two"):
                unit[name][place] /= float(abs(value))
    assert unit["exp"].max() < 2.3e-16
    assert unit["log"].max() < 4e-16
    assert (unit["sin"] / (1 + abs(X))).max() < 4e-16
    assert (unit["cos"] / (1 + abs(X))).max() < 4e-16
    assert unit["tanh"].max() < 4e-16
    assert unit["power"].max() < 2e-15
    assert unit["power_of_two"].max() < 2e-14


def test_what_is_no_number_stays_so() -> None:
    names = ("exp", "tanh", "power", "of_negative", "of_nothing", "far_power")

    def update(v: Any) -> dict[str, Any]:
        nan = np.sqrt(-1.0 - v)
        tests = (np.exp(nan), np.tanh(nan), (-v) ** 1.5, (-v) ** (v + 0.25), (0.0 * v) ** nan)
        is_nan = [np.where(one == one, 0.0, 1.0) for one in tests]  # noqa: PLR0124
        return dict(zip(names, [*is_nan, (-v) ** 33], strict=True))

    x = np.array([1.0, 1.5, 2.0])

    found = both_ways(update, {"v": x, **dict.fromkeys(names, 0 * x)})

    for name in names[:-1]:
        assert (found[name] == 1.0).all(), name
    assert found["far_power"] == pytest.approx((-x) ** 33, rel=1e-14)


@pytest.mark.parametrize("exponent", [2.0, 3.0, 0.0, 0.5, -1.5, -3.0, 2.5])
def test_powers_are_numpys_also_of_0_and_below(exponent: float) -> None:
    """Method: what is no number, or endless, is told by numbers."""

    def finite(power: Any) -> Any:
        power = np.where(power == power, power, -77.0)  # noqa: PLR0124 - not a number is not
        return np.where(abs(power) < 1e300, power, 77.0)

    x = np.array([-2.0, -0.4, 0.0, 0.3, 2.0])
    fields = {"v": x, "known": 0 * x, "told": 0 * x}

    found = both_ways(
        lambda v, n: {"known": finite(v**exponent), "told": finite(v**n)},
        fields,
        parameters={"n": exponent},
    )

    with np.errstate(all="ignore"):
        right = finite(x**exponent)
    assert found["known"] == pytest.approx(right, rel=1e-14)
    assert found["told"] == pytest.approx(right, rel=1e-14)


def test_functions_at_the_ends_of_what_they_take() -> None:
    x = np.array([-1e9, 1e9, 0.0, -1.0])

    def update(v: Any) -> dict[str, Any]:
        logarithm = np.log(v)
        return {
            "exp": np.exp(v),
            "is_endless": np.where(logarithm < -1e300, 1.0, 0.0),
            "is_number": np.where(logarithm == logarithm, 1.0, 0.0),  # noqa: PLR0124 - not a number is not
            "tanh": np.tanh(v),
        }

    found = both_ways(
        update, {"v": x, **dict.fromkeys(("exp", "is_endless", "is_number", "tanh"), 0 * x)}
    )

    assert found["exp"][:2] == pytest.approx([np.exp(-708.0), np.exp(708.0)], rel=1e-15)
    assert found["exp"][2] == 1.0
    assert found["is_endless"].tolist() == [0, 0, 1, 0]
    assert found["is_number"].tolist() == [0, 1, 1, 0]
    assert found["tanh"].tolist()[:3] == [-1, 1, 0]


def test_each_function_that_is_named_is_known_to_numpy() -> None:
    for name in functions.Number.functions:
        assert callable(getattr(np, name)), name
