# SPDX-License-Identifier: Apache-2.0
"""Prices through ``makespan.price`` as a bench worker: what a user of the package waits for.

Request: ``run NAME=VALUE...`` with the settings of ``makespan.price``; ``book=FILE.csv`` prices
that book, otherwise ``fixings=N`` prices the at-the-money call of the kernel comparison. Every
request has another seed. The time in the reply is that of the call, checks included.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import makespan
from bench.line_worker import Reply, serve

READ_AS: dict[str, Callable[[str], Any]] = {
    "std_error": float,
    "paths": int,
    "threads": int,
    "greeks": lambda text: text == "1",
}


def at_the_money(fixings: int) -> pl.DataFrame:
    """Return the book of one arithmetic call, S=K=100, r=5 %, volatility 20 %, one year."""
    return pl.DataFrame(
        {
            "id": ["at_the_money"],
            "option_type": ["call"],
            "spot": [100.0],
            "strike": [100.0],
            "rate": [0.05],
            "volatility": [0.2],
            "expiry": [1.0],
            "fixings": [fixings],
            "fixing_grid": ["exclude_start"],
        }
    )


def run(words: list[str], seed: int) -> Reply:
    """Price once; `price` is the sum over the book, `std_error` that of its only row."""
    settings: dict[str, Any] = {}
    for word in words:
        name, _, text = word.partition("=")
        settings[name] = READ_AS.get(name, str)(text)
    path = settings.pop("book", None)
    fixings = int(settings.pop("fixings", 0))
    book = pl.read_csv(Path(path)) if path else at_the_money(fixings)

    start_s = time.perf_counter()
    prices = makespan.price(book, seed=seed, memory=False, **settings).table
    seconds = time.perf_counter() - start_s
    reply = {"seconds": seconds, "price": float(sum(prices["price"]))}
    if len(book) == 1:
        reply["std_error"] = float(prices["std_error"][0])
    return reply


if __name__ == "__main__":
    serve(run)
