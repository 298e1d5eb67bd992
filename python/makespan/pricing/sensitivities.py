# SPDX-License-Identifier: Apache-2.0
"""Sensitivities of a book that has been priced: bump, price, difference, tabulate."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from makespan.base.errors import InputError
from makespan.pricing.book import Book, Market
from makespan.pricing.columns.outputs import SENSITIVITY_COLUMNS
from makespan.pricing.outcome import Columns, Outcome
from makespan.pricing.sensitivity.bump import Bump
from makespan.pricing.sensitivity.bumped_book import (
    REPLICATES,
    BumpedBook,
    Noise,
    Side,
    bumped_book,
)
from makespan.pricing.sensitivity.heston_bumps import heston_bumps
from makespan.pricing.sensitivity.market_bumps import market_bumps
from makespan.pricing.sensitivity.moved_market import MovedMarket
from makespan.settings.registries import METHODS

POINTS = "points"
PER_CENT = frozenset(
    {
        "zero_rate",
        "forward_rate",
        "volatility",
        "forward_volatility",
        "local_volatility",
        "implied_volatility",
        "dividend_yield",
        "correlation",
    }
)
"""Desk units give these for a change of 0.01."""
_NO_PRICE = "a price that it is a difference of is not a finite number"
PRICES_MAX = 5_000_000
"""The columns of so many prices, of the book and of the results, take about 3 GB."""


@dataclass(frozen=True, slots=True)
class Sensitivities:
    """`table`: the columns of `SENSITIVITY_COLUMNS`; `prices` were taken for it, in `wall_s`."""

    table: pl.DataFrame
    prices: int
    wall_s: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What is moved in a book; `market` has its moved curves, surfaces and baskets too."""

    book: Book
    bumps: tuple[Bump, ...]
    market: Market

    def taken(
        self, outcome: Outcome, price: Callable[[Book], Outcome], *, desk: bool
    ) -> Sensitivities:
        """Prices the moved rows by `price`, as the book was, which gave `outcome`."""
        book = self.book
        places = range(len(self.bumps))
        parts = [self.part(place) for place in places if self.bumps[place].problem]
        asked = [place for place in places if not self.bumps[place].problem]
        taken = _Taken(self, _noise(book, outcome), price)
        parts += taken.parts_of(asked)
        table = pl.concat([_empty(), *parts]).sort("row", "place")
        table = table.with_columns(_ids(book, table["row"])).drop("row", "place")
        if desk:
            table = _in_desk_units(table)
        return Sensitivities(table, taken.prices, taken.wall_s)

    def part(
        self,
        place: int,
        numbers: Mapping[str, NDArray[np.float64]] | None = None,
        problem: str = _NO_PRICE,
    ) -> pl.DataFrame:
        """The lines of one bump, with a problem where they have no value."""
        bump = self.bumps[place]
        return _part(self.book, bump, numbers, bump.problem or problem).with_columns(
            pl.lit(place, dtype=pl.Int64).alias("place")
        )


@dataclass(slots=True)
class _Taken:
    """What the bumps of a plan come to, and what that took."""

    plan: Plan
    noise: Noise
    price: Callable[[Book], Outcome]
    prices: int = 0
    wall_s: float = 0.0

    def parts_of(self, places: Sequence[int]) -> list[pl.DataFrame]:
        """A moved value that the engine refuses leaves those that need it without a value."""
        if not places:
            return []
        plan = self.plan
        bumps = [plan.bumps[place] for place in places]
        bumped = bumped_book(plan.book, bumps, plan.market, self.noise)
        try:
            outcome = self.price(bumped.book)
        except InputError as error:
            if len(places) == 1:
                return [plan.part(places[0], problem=f"a moved value: {error}")]
            middle = len(places) // 2
            return [*self.parts_of(places[:middle]), *self.parts_of(places[middle:])]
        self.prices += bumped.book.rows
        self.wall_s += outcome.wall_s
        sums = _sums(bumps, bumped, outcome.columns)
        return [plan.part(place, one) for place, one in zip(places, sums, strict=True)]


def planned(book: Book, by: str, method: str) -> Plan:
    """`by`: times, or `POINTS`. Raises `InputError` where it would take too many prices."""
    moved = MovedMarket(book.market)
    made = itertools.chain(
        market_bumps(book.market, moved, book.numbered, points=by == POINTS),
        heston_bumps(book.numbered),
    )
    each = _prices_at_least(book, method)
    bumps: list[Bump] = []
    prices = 0
    for bump in made:  # each may take a while: those of implied volatilities refine a surface
        bumps.append(bump)
        prices += len(bump.terms) * int(each[bump.rows].sum())
        if prices > PRICES_MAX:
            finer = " those by times, or for" if by == POINTS else ""
            raise InputError(
                f"sensitivities of this book need more than {PRICES_MAX:,} prices; ask for"
                f"{finer} fewer rows at a time"
            )
    return Plan(book, tuple(bumps), moved.market())


def _prices_at_least(book: Book, method: str) -> NDArray[np.int64]:
    """Of each valid row under one move.

    Without what only the run will tell: which of the other rows have no exact price.
    """
    numbered = book.numbered
    has_noise = (numbered["basket"] >= 0) | (numbered["surface"] >= 0)
    if "variance_volatility" in numbered:
        has_noise = has_noise | (numbered["variance_volatility"] > 0)
    if method != "exact":
        has_noise = has_noise | (numbered["paths"] > 0) | (method != "auto")
    return np.where(has_noise, REPLICATES, 1)


def _noise(book: Book, outcome: Outcome) -> Noise:
    count = len(book.valid_rows)
    method = outcome.columns.get("method", np.zeros(count, dtype=np.int8))
    paths = outcome.columns.get("paths_used", np.zeros(count, dtype=np.int64))
    return Noise(np.array(METHODS)[method] == "exact", paths)


def _in_desk_units(table: pl.DataFrame) -> pl.DataFrame:
    scale = pl.when(pl.col("to").is_in(list(PER_CENT))).then(0.01).otherwise(1.0)
    return table.with_columns(scale.alias("per"), *(pl.col(name) * scale for name in _NUMBERS))


def _ids(book: Book, rows: pl.Series) -> pl.Series:
    ids = book.ids.gather(rows).alias("id")
    return ids.cast(book.id_type, strict=False) if book.id_type.is_integer() else ids


_NUMBERS = ("value", "std_error", "error_bound")
_TYPES: Mapping[str, pl.DataType] = {
    **{
        column.name: pl.Float64() if column.type == "float64" else pl.String()
        for column in SENSITIVITY_COLUMNS
    },
    "row": pl.Int64(),
    "place": pl.Int64(),
}


def _empty() -> pl.DataFrame:
    return pl.DataFrame(schema=_TYPES)


def _part(
    book: Book, bump: Bump, numbers: Mapping[str, NDArray[np.float64]] | None, problem: str
) -> pl.DataFrame:
    """Of one bump: a line for each of its rows, without its place."""
    target = bump.target
    rows = book.valid_rows[bump.rows]
    nothing = np.full(len(rows), np.nan)
    values = {name: (numbers or {}).get(name, nothing) for name in _NUMBERS}
    wrong = ~np.isfinite(values["value"])
    same = {
        "id": None,  # by row, in the end
        "to": target.to,
        "name": target.name,
        "other": target.other,
        "time": target.time,
        "log_moneyness": target.log_moneyness,
        "per": 1.0,
    }
    columns = [pl.Series(key, [one] * len(rows), dtype=_TYPES[key]) for key, one in same.items()]
    columns += [
        pl.Series(key, np.where(np.isinf(one), np.nan, one), nan_to_null=True)
        for key, one in values.items()
    ]
    errors = [problem if one else None for one in wrong.tolist()]
    columns.append(pl.Series("error", errors, dtype=pl.String))
    columns.append(pl.Series("row", rows, dtype=pl.Int64))
    return pl.DataFrame(columns)


def _sums(
    bumps: Sequence[Bump], bumped: BumpedBook, columns: Columns
) -> list[dict[str, NDArray[np.float64]]]:
    """Of each bump, by row: value, error and bound."""
    found = []
    for bump, sides in zip(bumps, bumped.sides, strict=True):
        exact, noisy = sides[0].exact, sides[0].noisy
        value = np.full(len(bump.rows), np.nan)
        error, bound = value.copy(), value.copy()
        each = np.zeros((REPLICATES, len(noisy)))
        value[exact] = error[exact] = bound[exact] = 0.0
        for term, side in zip(bump.terms, sides, strict=True):
            weights = term.weights(bump.rows)
            prices = _prices(columns, side)
            value[exact] += weights[exact] * prices.exact
            # Noise there is where a move has left the rows that have exact prices.
            error[exact] = np.hypot(error[exact], weights[exact] * prices.exact_error)
            bound[exact] += np.abs(weights[exact]) * prices.bound
            each += weights[noisy] * prices.noisy
        value[noisy] = each.mean(axis=0)
        error[noisy] = each.std(axis=0, ddof=1) / np.sqrt(REPLICATES)
        found.append({"value": value, "std_error": error, "error_bound": bound})
    return found


@dataclass(frozen=True, slots=True)
class _Prices:
    exact: NDArray[np.float64]
    exact_error: NDArray[np.float64]
    bound: NDArray[np.float64]
    noisy: NDArray[np.float64]
    """(replicates, rows)"""


def _prices(columns: Columns, side: Side) -> _Prices:
    first, middle = side.first, side.first + len(side.exact)
    last = side.first + side.count
    noisy = columns["price"][middle:last].reshape(REPLICATES, len(side.noisy))
    return _Prices(
        columns["price"][first:middle],
        columns["std_error"][first:middle],
        columns["error_bound"][first:middle],
        noisy,
    )
