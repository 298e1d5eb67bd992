# SPDX-License-Identifier: Apache-2.0
"""Prices the mixed example book from Python: `python examples/price_book.py`."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import makespan

BOOK = Path(__file__).resolve().parent / "mixed_book.csv"


def main() -> None:
    """Prices, the cheapest comparison with a closed form, and what a bad book says."""
    result = makespan.price(BOOK, greeks=True)
    prices, record = result.table, result.record
    print(prices.select("id", "price", "std_error", "delta", "status").head(8))
    print(f"{record['options']['total']} options, result {record['result_hash'][:12]}")

    bad = pl.read_csv(BOOK).with_columns(
        spot=pl.when(pl.col("id") == "N5").then(-1.0).otherwise(100.0)
    )
    try:
        makespan.price(bad)
    except makespan.BookError as error:
        print(error)


if __name__ == "__main__":
    main()
