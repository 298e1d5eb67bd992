# SPDX-License-Identifier: Apache-2.0
"""Bumps of curves, surfaces and baskets that rows use.

Sizes are so small that what a difference is off by, a third derivative times the square of the
size, is below a ten-thousandth of the derivative unless the option is all but worthless, and so
large that the rounding of exact prices is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.basket import Basket
from makespan.pricing.book.correlation import is_positive
from makespan.pricing.book.curve import Curve
from makespan.pricing.book.dupire import refined_local_volatilities
from makespan.pricing.book.market import Market
from makespan.pricing.book.normal import EngineColumns
from makespan.pricing.book.surface import Surface
from makespan.pricing.columns.book import VOLATILITY_MIN
from makespan.pricing.columns.curves import RATES, VOLATILITIES
from makespan.pricing.columns.surfaces import IMPLIED, LOCAL, LOCAL_VOLATILITY_MAX
from makespan.pricing.sensitivity.bump import Bump, Target, Term, terms_of
from makespan.pricing.sensitivity.moved_market import MovedMarket

RATE_BUMP = 2e-4
VOLATILITY_BUMP = 2e-3
"""Of the volatility; a tenth of that for implied ones, whose arbitrage is near."""
PRICE_BUMP = 2e-4
"""Of a spot, a forward, a dividend."""
CORRELATION_BUMP = 0.005

NEGATIVE_VARIANCE = "a move of the point either way makes a variance between points negative"
OUT_OF_RANGE = "a move of the point either way leaves the range of such values"
ARBITRAGE = "a move of the volatility either way makes arbitrage"
NOT_POSITIVE = "a move of the correlation either way makes the matrix not positive semidefinite"


def market_bumps(
    market: Market, moved: MovedMarket, numbered: EngineColumns, *, points: bool
) -> Iterator[Bump]:
    """Of all that rows use; `points`: of each point of surfaces, and of each correlation."""
    for number, curve in enumerate(market.curves.curves):
        rows = moved.rows_of_curve(number, numbered)
        if len(rows):
            yield from _curve_bumps(number, curve, moved, rows)
    for number, surface in enumerate(market.surfaces.surfaces):
        rows = moved.rows_of_surface(number, numbered)
        if len(rows):
            yield from _surface_bumps(number, surface, moved, rows, points=points)
    for number, basket in enumerate(market.baskets.baskets):
        rows = np.flatnonzero(numbered["basket"] == number)
        if len(rows):
            yield from _basket_bumps(number, basket, moved, rows)
            if points:
                yield from _correlation_bumps(number, basket, moved, rows)


def _bump(target: Target, rows: NDArray[np.int64], terms: tuple[Term, ...], problem: str) -> Bump:
    """`problem`: why there are no terms, if there are none."""
    return Bump(target, rows, terms, "" if terms else problem)


def _curve_bumps(
    number: int, curve: Curve, moved: MovedMarket, rows: NDArray[np.int64]
) -> Iterator[Bump]:
    problem = NEGATIVE_VARIANCE if curve.kind in VOLATILITIES else OUT_OF_RANGE
    for point, (time, value) in enumerate(zip(curve.time, curve.value, strict=True)):
        if curve.kind in RATES:
            size = RATE_BUMP
        else:
            share = VOLATILITY_BUMP if curve.kind in VOLATILITIES else PRICE_BUMP
            size = share * float(value) or PRICE_BUMP
        terms = terms_of(
            lambda by, point=point: _moved_curve(curve, point, by),  # type: ignore[misc]
            size,
            lambda one: moved.with_curve(number, one),
        )
        yield _bump(Target(curve.kind, curve.name, time=float(time)), rows, terms, problem)


def _moved_curve(curve: Curve, point: int, by: float) -> Curve | None:
    value = curve.value.copy()
    value[point] += by
    made = replace(curve, value=value)
    if curve.kind in RATES:
        return made
    if curve.kind in VOLATILITIES and (np.diff(made.totals()) <= 0).any():
        return None
    most = 1.0 if curve.kind == "proportional_dividend" else np.inf
    return made if 0 <= value[point] < most else None


def _surface_bumps(
    number: int, surface: Surface, moved: MovedMarket, rows: NDArray[np.int64], *, points: bool
) -> Iterator[Bump]:
    given = surface.implied or surface
    kind = LOCAL if surface.implied is None else IMPLIED
    share = VOLATILITY_BUMP if surface.implied is None else 0.1 * VOLATILITY_BUMP
    places: Sequence[tuple[int, int | slice]] = [(i, slice(None)) for i in range(len(given.time))]
    if points:
        count = len(given.log_moneyness)
        places = [(i, k) for i in range(len(given.time)) for k in range(count)]
    for place in places:
        size = share * float(np.min(given.volatility[place]))
        x = None if isinstance(place[1], slice) else float(given.log_moneyness[place[1]])
        terms = terms_of(
            lambda by, place=place: _moved_surface(surface, place, by),  # type: ignore[misc]
            size,
            lambda one: moved.with_surface(number, one),
        )
        target = Target(kind, surface.name, time=float(given.time[place[0]]), log_moneyness=x)
        yield _bump(target, rows, terms, ARBITRAGE)


def _moved_surface(surface: Surface, place: tuple[int, int | slice], by: float) -> Surface | None:
    given = surface.implied or surface
    volatility = given.volatility.copy()
    volatility[place] += by
    made = replace(surface, volatility=volatility)
    if surface.implied is not None:
        local, _ = refined_local_volatilities(given.time, given.log_moneyness, volatility)
        if local is None:
            return None
        made = Surface(surface.name, local.time, local.log_moneyness, local.volatility)
    low, high = made.volatility.min(), made.volatility.max()
    return made if low >= VOLATILITY_MIN and high <= LOCAL_VOLATILITY_MAX else None


def _basket_bumps(
    number: int, basket: Basket, moved: MovedMarket, rows: NDArray[np.int64]
) -> Iterator[Bump]:
    has = {name: column >= 0 for name, column in basket.numbers.items()}
    for place, name in enumerate(basket.underlyings):
        sizes = {"spot": PRICE_BUMP * float(basket.spot[place])}
        if not has["volatility_curve"][place] and basket.surface[place] < 0:
            sizes["volatility"] = (
                VOLATILITY_BUMP * float(basket.volatility[place]) or VOLATILITY_BUMP
            )
        if not has["yield_curve"][place] and not has["forward_curve"][place]:
            sizes["dividend_yield"] = RATE_BUMP
        for what, size in sizes.items():
            terms = terms_of(
                lambda by, what=what, place=place: _moved_basket(basket, what, place, by),  # type: ignore[misc]
                size,
                lambda one: moved.with_basket(number, one),
            )
            yield _bump(Target(what, name), rows, terms, OUT_OF_RANGE)


def _moved_basket(basket: Basket, what: str, place: int, by: float) -> Basket | None:
    values: NDArray[np.float64] = getattr(basket, what).copy()
    values[place] += by
    if what == "volatility" and values[place] < 0:
        return None
    changes: dict[str, Any] = {what: values}
    return replace(basket, **changes)


def _correlation_bumps(
    number: int, basket: Basket, moved: MovedMarket, rows: NDArray[np.int64]
) -> Iterator[Bump]:
    for i, one in enumerate(basket.underlyings):
        for k, other in enumerate(basket.underlyings[:i]):
            terms = terms_of(
                lambda by, pair=(i, k): _moved_correlation(basket, pair, by),  # type: ignore[misc]
                CORRELATION_BUMP,
                lambda made: moved.with_basket(number, made),
            )
            yield _bump(Target("correlation", other, other=one), rows, terms, NOT_POSITIVE)


def _moved_correlation(basket: Basket, pair: tuple[int, int], by: float) -> Basket | None:
    matrix = basket.correlation.copy()
    matrix[pair] = matrix[pair[::-1]] = matrix[pair] + by
    return replace(basket, correlation=matrix) if is_positive(matrix) else None
