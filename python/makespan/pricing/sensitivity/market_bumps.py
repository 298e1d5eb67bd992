# SPDX-License-Identifier: Apache-2.0
"""Bumps of curves, surfaces and baskets that rows use.

Sizes are so small that what a central difference is off by, a third derivative times the square of
the size, stays below a hundred-thousandth of the derivative, and so large that the rounding of
exact prices does too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.basket import Basket
from makespan.pricing.book.correlation import is_positive
from makespan.pricing.book.curve import Curve
from makespan.pricing.book.dupire import refined_local_volatilities
from makespan.pricing.book.market import Market
from makespan.pricing.book.normal import EngineColumns
from makespan.pricing.book.surface import Surface
from makespan.pricing.curve_schema import RATES, VOLATILITIES
from makespan.pricing.sensitivity.bump import Bump, Target
from makespan.pricing.sensitivity.moved_market import Move, MovedMarket
from makespan.pricing.surface_schema import IMPLIED, LOCAL

RATE_BUMP = 1e-3
VOLATILITY_BUMP = 2e-3
"""Of the volatility; a tenth of that for implied ones, whose arbitrage is near."""
PRICE_BUMP = 2e-3
"""Of a spot, a forward, a dividend."""
CORRELATION_BUMP = 0.01

Pair = tuple[Move | None, Move | None]
Moved = TypeVar("Moved")


def market_bumps(
    market: Market, moved: MovedMarket, numbered: EngineColumns, *, points: bool
) -> Iterator[Bump]:
    """Of all that rows use; `points`: of each point of surfaces, and of each correlation."""
    for number, curve in enumerate(market.curves.curves):
        yield from _curve_bumps(number, curve, moved, numbered)
    for number, surface in enumerate(market.surfaces.surfaces):
        yield from _surface_bumps(number, surface, moved, numbered, points=points)
    for number, basket in enumerate(market.baskets.baskets):
        if (numbered["basket"] == number).any():
            yield from _basket_bumps(number, basket, moved, numbered)
            if points:
                yield from _correlation_bumps(number, basket, moved, numbered)


def _between(
    target: Target, moves: Pair, size: float, numbered: EngineColumns, problem: str
) -> Iterator[Bump]:
    """Nothing where no row is changed. `moves`: None where that side has a problem."""
    up, down = moves
    some = up or down
    if some is None:
        yield Bump(target, np.arange(0), problem=problem)
        return
    rows = some.rows(numbered)
    if len(rows) == 0:
        return
    if up is not None and down is not None:
        yield Bump(target, rows, up, down, 2 * size)
    elif up is not None:
        yield Bump(target, rows, up, Move(), size)
    elif down is not None:
        yield Bump(target, rows, Move(), down, size)


def _curve_bumps(
    number: int, curve: Curve, moved: MovedMarket, numbered: EngineColumns
) -> Iterator[Bump]:
    if len(Move(curves={number: number}).rows(numbered)) == 0 and not moved.in_basket(number):
        return
    for point, (time, value) in enumerate(zip(curve.time, curve.value, strict=True)):
        if curve.kind == "forward_price" and time == 0:
            continue  # the spot, which is delta's
        if curve.kind in RATES:
            size = RATE_BUMP
        else:
            share = VOLATILITY_BUMP if curve.kind in VOLATILITIES else PRICE_BUMP
            size = share * float(value) or PRICE_BUMP
        target = Target(curve.kind, curve.name, time=float(time))
        pair = _sides(
            lambda x, point=point: _moved_curve(curve, point, x),  # type: ignore[misc]
            size,
            lambda one: moved.with_curve(number, one),
        )
        text = "a move of the point makes a forward variance negative"
        yield from _between(target, pair, size, numbered, text)


def _sides(
    made: Callable[[float], Moved | None], size: float, add: Callable[[Moved], Move]
) -> Pair:
    up, down = made(size), made(-size)
    return None if up is None else add(up), None if down is None else add(down)


def _moved_curve(curve: Curve, point: int, by: float) -> Curve | None:
    value = curve.value.copy()
    value[point] += by
    made = replace(curve, value=value)
    if curve.kind in VOLATILITIES and (np.diff(made.totals()) <= 0).any():
        return None
    return None if curve.kind not in RATES and value[point] < 0 else made


def _surface_bumps(
    number: int, surface: Surface, moved: MovedMarket, numbered: EngineColumns, *, points: bool
) -> Iterator[Bump]:
    given = surface.implied or surface
    kind = LOCAL if surface.implied is None else IMPLIED
    share = VOLATILITY_BUMP if surface.implied is None else 0.1 * VOLATILITY_BUMP
    places: Sequence[tuple[int, int | slice]] = [(i, slice(None)) for i in range(len(given.time))]
    if points:
        count = len(given.log_moneyness)
        places = [(i, k) for i in range(len(given.time)) for k in range(count)]
    for place in places:
        size = share * float(np.mean(given.volatility[place]))
        x = None if isinstance(place[1], slice) else float(given.log_moneyness[place[1]])
        target = Target(kind, surface.name, time=float(given.time[place[0]]), log_moneyness=x)
        pair = _sides(
            lambda by, place=place: _moved_surface(surface, place, by),  # type: ignore[misc]
            size,
            lambda one: moved.with_surface(number, one),
        )
        text = "a move of the volatility makes arbitrage"
        yield from _between(target, pair, size, numbered, text)


def _moved_surface(surface: Surface, place: tuple[int, int | slice], by: float) -> Surface | None:
    given = surface.implied or surface
    volatility = given.volatility.copy()
    volatility[place] += by
    if surface.implied is None:
        return replace(surface, volatility=volatility)
    local, _ = refined_local_volatilities(given.time, given.log_moneyness, volatility)
    if local is None:
        return None
    return Surface(surface.name, local.time, local.log_moneyness, local.volatility)


def _basket_bumps(
    number: int, basket: Basket, moved: MovedMarket, numbered: EngineColumns
) -> Iterator[Bump]:
    has = {name: column >= 0 for name, column in basket.numbers.items()}
    for place, name in enumerate(basket.underlyings):
        sizes = {"spot": PRICE_BUMP * float(basket.spot[place])}
        if not has["volatility_curve"][place] and basket.surface[place] < 0:
            sizes["volatility"] = VOLATILITY_BUMP * float(basket.volatility[place])
        if not has["yield_curve"][place] and not has["forward_curve"][place]:
            sizes["dividend_yield"] = RATE_BUMP
        for what, size in sizes.items():
            up, down = (
                moved.with_basket(number, _moved_basket(basket, what, place, by))
                for by in (size, -size)
            )
            yield from _between(Target(what, name), (up, down), size, numbered, "")


def _moved_basket(basket: Basket, what: str, place: int, by: float) -> Basket:
    values: NDArray[np.float64] = getattr(basket, what).copy()
    values[place] += by
    changes: dict[str, Any] = {what: values}
    return replace(basket, **changes)


def _correlation_bumps(
    number: int, basket: Basket, moved: MovedMarket, numbered: EngineColumns
) -> Iterator[Bump]:
    for i, one in enumerate(basket.underlyings):
        for k, other in enumerate(basket.underlyings[:i]):
            pair = _sides(
                lambda by, i=i, k=k: _moved_correlation(basket, i, k, by),  # type: ignore[misc]
                CORRELATION_BUMP,
                lambda made: moved.with_basket(number, made),
            )
            text = "a move of the correlation either way makes the matrix not positive"
            target = Target("correlation", other, other=one)
            yield from _between(target, pair, CORRELATION_BUMP, numbered, text)


def _moved_correlation(basket: Basket, i: int, k: int, by: float) -> Basket | None:
    matrix = basket.correlation.copy()
    matrix[i, k] = matrix[k, i] = matrix[i, k] + by
    return replace(basket, correlation=matrix) if is_positive(matrix) else None
