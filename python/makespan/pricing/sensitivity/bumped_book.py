# SPDX-License-Identifier: Apache-2.0
"""The rows of a book under each bump, as one book: the bag balances them as any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from makespan.pricing.book import Book, Market
from makespan.pricing.book.market_columns import with_market
from makespan.pricing.book.normal import EngineColumns, rows_of
from makespan.pricing.sensitivity.bump import Bump

REPLICATES = 16
"""Independent prices of a row that has noise, from which the error of a difference comes."""
PATHS_MIN = 1024
"""Of a replicate."""


@dataclass(frozen=True, slots=True)
class Side:
    """The rows of one term of a bump: first those without noise, then the others' replicates."""

    first: int
    exact: NDArray[np.int64]
    noisy: NDArray[np.int64]
    """Places among the bump's rows."""

    @property
    def count(self) -> int:
        """Rows of the bumped book."""
        return len(self.exact) + REPLICATES * len(self.noisy)


@dataclass(frozen=True, slots=True)
class BumpedBook:
    """`sides[i]` are those of bump i, one for each of its terms."""

    book: Book
    sides: tuple[tuple[Side, ...], ...]


@dataclass(frozen=True, slots=True)
class Noise:
    """Of each valid row: whether its price has none, and what paths it took else."""

    is_exact: NDArray[np.bool_]
    paths: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Valid row and replicate of each row of the bumped book; -1: without noise."""

    row: NDArray[np.int64]
    replicate: NDArray[np.int64]


def bumped_book(book: Book, bumps: Sequence[Bump], market: Market, noise: Noise) -> BumpedBook:
    """All terms of a bump have the same random numbers, each replicate its own.

    `bumps`: one or more. Numbers that they bring are those of `market`.
    """
    sides: list[tuple[Side, ...]] = []
    row: list[NDArray[np.int64]] = []
    replicate: list[NDArray[np.int64]] = []
    first = 0
    for bump in bumps:
        exact = np.flatnonzero(noise.is_exact[bump.rows])
        noisy = np.flatnonzero(~noise.is_exact[bump.rows])
        count = Side(first, exact, noisy).count
        terms = range(len(bump.terms))
        sides.append(tuple(Side(first + term * count, exact, noisy) for term in terms))
        first += len(terms) * count
        numbers = np.repeat(np.arange(REPLICATES), len(noisy))
        of_one = bump.rows[np.concatenate([exact, np.tile(noisy, REPLICATES)])]
        row += len(terms) * [of_one]
        replicate += len(terms) * [np.concatenate([np.full(len(exact), -1), numbers])]
    rows = _Rows(np.concatenate(row), np.concatenate(replicate))
    columns = rows_of(book.numbered, rows.row)
    for bump, of_it in zip(bumps, sides, strict=True):
        for term, side in zip(bump.terms, of_it, strict=True):
            part = slice(side.first, side.first + side.count)
            term.move.apply(columns, part, rows.row[part])
    _give_paths(columns, rows, noise)
    return BumpedBook(_book_of(book, rows, columns, market), tuple(sides))


def _give_paths(columns: EngineColumns, rows: _Rows, noise: Noise) -> None:
    has_noise = rows.replicate >= 0
    share = np.maximum(-(-noise.paths[rows.row] // REPLICATES), PATHS_MIN)
    columns["paths"] = np.where(has_noise, share, columns["paths"])
    columns["std_error"] = np.where(has_noise, 0.0, columns["std_error"])


def _book_of(book: Book, rows: _Rows, columns: EngineColumns, market: Market) -> Book:
    ids = book.valid_ids.gather(rows.row)
    number = pl.Series(rows.replicate).cast(pl.String)
    return replace(
        book,
        ids=ids,
        id_type=pl.String(),
        valid_rows=np.arange(len(rows.row)),
        columns=with_market(columns, market),
        streams=ids + "\n" + number,
        errors={},
        problems=(),
        warnings=(),
        numbered=columns,
        market=market,
    )
