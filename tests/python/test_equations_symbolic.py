# SPDX-License-Identifier: Apache-2.0
"""Goal: an update of SymPy's expressions is that of a function that says the same."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from own_equations import result_of

import makespan
from makespan import grid

sympy = pytest.importorskip("sympy")

U, V = sympy.symbols("u v")
FEED, KILL = sympy.symbols("feed kill")
VALUES = np.random.default_rng(11).uniform(-2, 2, (9, 12))
FEW: dict[str, Any] = {"kernel": "interpreted", "threads": 1}


def laplacian(name: str) -> Any:
    u = sympy.IndexedBase(name)
    return u[0, 1] + u[0, -1] + u[1, 0] + u[-1, 0] - 4 * u[0, 0]


def test_gray_scott_as_expressions() -> None:
    reaction = U * V**2
    update = {
        U: U + 0.16 * laplacian("u") - reaction + FEED * (1 - U),
        V: V + 0.08 * laplacian("v") + reaction - (FEED + KILL) * V,
    }

    def function(u: Any, v: Any, feed: Any, kill: Any) -> dict[str, Any]:
        product = u * v * v
        return {
            "u": u + 0.16 * u.laplacian() - product + feed * (1 - u),
            "v": v + 0.08 * v.laplacian() + product - (feed + kill) * v,
        }

    fields = {"u": abs(VALUES) / 2, "v": abs(VALUES[::-1]) / 4}
    stated = {"parameters": {"feed": 0.035, "kill": 0.065}, "boundary": "periodic"}
    symbolic = result_of(update, fields, 20, **stated)
    written = result_of(function, fields, 20, **stated, **FEW)

    for name in fields:
        np.testing.assert_allclose(symbolic.fields[name], written.fields[name], rtol=1e-11)


def test_what_sympy_derives_can_be_computed() -> None:
    """A step of Newton's method for the root of an expression, by SymPy's derivative."""
    equation = sympy.exp(U) - 3 + sympy.Rational(1, 3) * U
    update = {"u": U - equation / sympy.diff(equation, U)}

    found = result_of(update, {"u": np.ones(5)}, 8, **FEW).fields["u"]

    np.testing.assert_allclose(np.exp(found) + found / 3, 3.0, rtol=1e-14)


X, Y, STEP = sympy.symbols("x y step")


@pytest.mark.parametrize(("power", "product"), [(2.0, U * U), (3.0, U * U * U), (-1.0, 1 / U)])
def test_whole_powers_are_products_also_where_they_are_floats(power: float, product: Any) -> None:
    """Values are negative at half of the points, and have no square root there."""
    found, expected = (
        result_of({"u": one}, {"u": VALUES}, 1, **FEW).fields["u"] for one in (U**power, product)
    )

    np.testing.assert_array_equal(found, expected)


def _over(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda values, axis: functools.reduce(function, values)  # noqa: ARG005


@pytest.mark.parametrize(
    "expression",
    [
        sympy.Abs(U) + sympy.Max(U, 0.5, V) - sympy.Min(U, V),
        sympy.exp(U) * sympy.log(4 + U),
        sympy.sin(U) + sympy.cos(V) + sympy.tanh(U * V),
        sympy.floor(U) + sympy.sign(V),
        sympy.sqrt(U + 4) + (U + 4) ** sympy.Rational(-3, 2) + (U + 4) ** -2,
        (U + 4) ** V,
        U / (V + 5) - sympy.pi * sympy.Rational(1, 3),
        sympy.Piecewise((U, U > V), (2 * V, sympy.And(U > -1, V >= 0)), (U * V, True)),
        sympy.Piecewise((U, sympy.Or(U < -1, V <= 0)), (V, True)),
        sympy.Piecewise((1.0, sympy.Not(sympy.And(U > 0, V < 0))), (V, True)),
        sympy.Piecewise((1.0, sympy.Ne(U, V)), (V, True)),
        U + 0.5 * X - Y * 2,
    ],
    ids=str,
)
def test_functions_of_sympy(expression: Any) -> None:
    y, x = np.mgrid[:9, :12] + 0.5
    v = VALUES[::-1, ::-1].copy()

    found = result_of({U: expression}, {"u": VALUES, "v": v}, **FEW).fields["u"]

    # Of several values one of which is a number sympy 1.12 makes what numpy does not take.
    own = {"amax": _over(np.maximum), "amin": _over(np.minimum)}
    expected = sympy.lambdify((U, V, X, Y), expression, [own, "numpy"])(VALUES, v, x, y)
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), rtol=1e-13)


@pytest.mark.parametrize(
    ("update", "message"),
    [
        ({U: U + sympy.Symbol("w")}, "w is unknown (fields: u, v; besides: y, x, step)"),
        ({U: sympy.gamma(U)}, "gamma(u) (no operation of an update is gamma; known: Abs"),
        ({U: sympy.IndexedBase("w")[0, 1]}, "w[0, 1] (w is no field;"),
        ({U: sympy.IndexedBase("u")[0, U]}, "u[0, u]: give whole numbers"),
        ({U: sympy.IndexedBase("u")[0, 5]}, "u[0, 5] reads 5 points away"),
        ({U: sympy.IndexedBase("u")[1]}, "u[1] (a neighbour has one whole number for each axis)"),
        ({U: sympy.Piecewise((U, U > 0))}, "it has no value elsewhere): end it with"),
        ({sympy.Symbol("w"): U}, "gives 'w' (fields: u, v)"),
        ({U: sympy.I * U}, "I is no real number"),
        ({U: sympy.nan * U}, "a constant is not a number (nan)"),
        ({U: "u +"}, "'u +' is no expression"),
    ],
    ids=str,
)
def test_expressions_that_cannot_be(update: Any, message: str) -> None:
    with pytest.raises(makespan.InputError) as refused:
        grid(update, {"u": VALUES, "v": VALUES})

    assert message in str(refused.value)


def test_without_sympy_expressions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sympy", None)

    with pytest.raises(makespan.InputError, match=r"SymPy is not installed\): pip install sympy"):
        grid({U: U / 2}, {"u": VALUES})
