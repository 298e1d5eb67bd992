# SPDX-License-Identifier: Apache-2.0
"""Goal: numbers from Python lose nothing on their way to the engine.

Method: masks, imaginary parts, dates and numbers that no float holds, at each place.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from makespan.settings.float_array import float_array

import makespan

MASKED = np.ma.masked_array([1.0, 99.0, 3.0], mask=[0, 1, 0])
COMPLEX = np.array([1 + 2j, 3, 4])
DATES = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], dtype="datetime64[ns]")
HUGE = [10**400, 1, 2]
LOST = pytest.mark.parametrize(
    ("given", "why"),
    [
        (MASKED, "masked in part"),
        ([MASKED[0], np.ma.masked, 3.0], "masked in part"),
        (COMPLEX, "of type complex128"),
        (list(COMPLEX), "of type complex128"),
        (np.array(list(COMPLEX), dtype=object), "of type complex128"),
        (DATES, "of type datetime64[ns]"),
        (np.array(list(DATES), dtype=object), "of type datetime64"),
        (DATES - DATES[0], "of type timedelta64[ns]"),
        (HUGE, "one is beyond 1e308"),
        (["a", "b", "c"], "could not convert string to float"),
        ({1.0, 2.0, 3.0}, "not 'set'"),
        ([[1.0], [2.0, 3.0], []], "inhomogeneous shape"),
    ],
)  # fmt: skip


@LOST
def test_what_would_lose_something_is_refused(given: Any, why: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - its text is the whole of it
        float_array(given)

    assert why in str(refused.value)


@pytest.mark.parametrize(
    "given",
    [
        [1, 2.0, True],
        [Fraction(1), Decimal(2), np.float32(1)],
        np.array([1, 2, 1], dtype=np.uint8),
        np.ma.masked_array([1.0, 2.0, 1.0], mask=[0, 0, 0]),
        np.asfortranarray([1.0, 2.0, 1.0]),
        (1, 2, 1),
    ],
)
def test_numbers_of_any_type_are_taken(given: Any) -> None:
    found = float_array(given)

    assert type(found) is np.ndarray
    assert found.dtype == np.float64
    assert found.flags.c_contiguous
    assert found.tolist() == [1.0, 2.0, 1.0]


def test_a_number_has_no_axes_and_an_array_is_no_copy() -> None:
    values = np.ones((2, 3))

    assert float_array(2).shape == ()
    assert np.shares_memory(float_array(values), values)


def heat(u: Any) -> dict[str, Any]:
    return {"u": u + 0.1 * u.laplacian()}


def faded(u: Any, a: Any) -> dict[str, Any]:
    return {"u": a * u}


def fields(given: Any) -> object:
    return makespan.grid(heat, {"u": given})


def face(given: Any) -> object:
    return makespan.grid(heat, {"u": np.ones((3, 4))}, boundary={"x": {"u": given}})


def spacing(given: Any) -> object:
    return makespan.grid(heat, {"u": np.ones((3, 3, 3))}, spacing=given)


def values(given: Any) -> object:
    return makespan.diffuse([[given]] if isinstance(given, list) else given[None, None, :], steps=1)


def spark(given: Any) -> object:
    one = [[given]] if isinstance(given, list) else given[None, None, :]
    return makespan.calcium({"ca": one}, layout="plain", ryr_open=[], duration=0)


def costs(given: Any) -> object:
    return makespan.map(len, ["a", "b", "c"], costs=given)


@pytest.mark.parametrize("given", [MASKED, COMPLEX, DATES, HUGE], ids=["mask", "i", "date", "huge"])
@pytest.mark.parametrize(
    ("takes", "says"),
    [
        (fields, "field u holds no numbers ({}): give an array"),
        (face, "boundary of x: u is no number ({}): "),
        (spacing, "spacing cannot be used ({}): give a number, or one for each axis"),
        (values, "values are no numbers ({}): give an array of (z, y, x)"),
        (spark, "values['ca'] are no numbers ({}): give an array of (z, y, x)"),
        (costs, "costs must be numbers, one for each item ({})"),
    ],
)
def test_the_place_is_named(given: Any, takes: Callable[[Any], object], says: str) -> None:
    with pytest.raises(ValueError) as why:  # noqa: PT011 - as above
        float_array(given)
    with pytest.raises(makespan.InputError) as refused:
        takes(given)

    assert str(refused.value).startswith(says.format(why.value))


@pytest.mark.parametrize("given", [np.ma.masked, COMPLEX[0], np.complex128(1), DATES[0], 10**400])
def test_a_parameter_is_a_number(given: Any) -> None:
    with pytest.raises(makespan.InputError, match=r"^parameter a is no number \(.*\): give one$"):
        makespan.grid(faded, {"u": [1.0, 2.0]}, parameters={"a": given})


def test_a_parameter_of_several_numbers_is_a_field() -> None:
    with pytest.raises(makespan.InputError, match=r"^parameter a has shape \(2,\): give a number"):
        makespan.grid(faded, {"u": [1.0, 2.0]}, parameters={"a": [1.0, 2.0]})


@pytest.mark.parametrize("given", [np.ma.masked, np.ma.masked_array(2.0, mask=True), COMPLEX[0]])
@pytest.mark.parametrize("operation", [lambda u, a: u + a, lambda u, a: u**a], ids=["+", "**"])
def test_a_constant_of_an_update_is_a_number(
    given: Any, operation: Callable[[Any, Any], Any]
) -> None:
    with pytest.raises(makespan.InputError, match="is no number: an update computes with"):
        makespan.grid(lambda u: {"u": operation(u, given)}, {"u": [1.0, 2.0]})


@pytest.mark.parametrize("given", [np.ma.masked, DATES[0], COMPLEX[0]])
def test_a_boundary_for_all_fields_is_a_number(given: Any) -> None:
    with pytest.raises(makespan.InputError, match=r"^boundary of x = .* cannot be used: "):
        makespan.grid(heat, {"u": [1.0, 2.0]}, boundary=given)


def test_a_graph_s_columns_are_whole() -> None:
    graph = {"work": MASKED, "place": [0, 0, 0]}

    with pytest.raises(makespan.InputError, match=r"^graph: column work \(masked in part\): give"):
        makespan.balance(graph, places=1)
