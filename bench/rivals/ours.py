# SPDX-License-Identifier: Apache-2.0
"""Prices through ``makespan.price`` as a rival among rivals: what a user of the package waits for.

Own words of a request: settings of ``makespan.price``, as in ``method=mc std_error=1e-4``. With
``book=FILE.csv`` that book is priced, otherwise the calls of `contract.py`. The time is that of the
call, checks included, or with ``clock=engine`` what the engine books for the rows, as peers are
timed whose objects are built beforehand. `own_error` is what the method says of itself [price]: the
largest `error_bound` where it has one, else the largest standard error; of a book file the root
mean square of the standard errors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

import makespan
from bench.line_worker import Reply, serve
from bench.price.engine_worker import READ_AS
from bench.rivals.contract import (
    EXPIRY_Y,
    HESTON,
    RATE,
    SPOT,
    VOLATILITY,
    AsianCall,
    read_words,
    take_call,
    timed,
)
from makespan import _core


def check_method(name: str) -> None:
    """Raise ValueError, with the methods that there are, for one that this engine lacks."""
    known = [str(entry["name"]) for entry in _core.methods()]
    if name not in known:
        msg = f"this engine has no method '{name}' yet (it has {', '.join(known)})"
        raise ValueError(msg)


def book_of(call: AsianCall) -> pl.DataFrame:
    """Return the contract as a book of one row for each strike."""
    rows = len(call.strikes)
    spread: dict[str, float] = {"volatility": VOLATILITY}
    if call.model == "heston":
        spread = {f"heston_{name}": value for name, value in HESTON.items()}
    return pl.DataFrame(
        {
            "id": [f"strike_{strike:g}" for strike in call.strikes],
            "option_type": ["call"] * rows,
            "average_type": [call.average] * rows,
            "spot": [SPOT] * rows,
            "strike": list(call.strikes),
            "rate": [RATE] * rows,
            **{name: [value] * rows for name, value in spread.items()},
            "expiry": [EXPIRY_Y] * rows,
            "fixings": [call.fixings] * rows,
            "fixing_grid": ["exclude_start"] * rows,
        }
    )


def largest_error(table: pl.DataFrame) -> float:
    """Return the largest error that the method states over the rows [price].

    Its bound where it gives one, else the standard error.
    """
    for name in ("error_bound", "std_error"):
        errors = [float(error) for error in table[name] if error] if name in table.columns else []
        if errors:
            return max(errors)
    return 0.0


def root_mean_square(figures: Sequence[float]) -> float:
    """Return the root mean square."""
    return math.sqrt(sum(figure * figure for figure in figures) / len(figures))


def price_file(path: str, settings: dict[str, Any]) -> Reply:
    """Price a book file; `price_0` is the sum of its prices."""
    book = pl.read_csv(path)
    errors: list[float] = []

    def price() -> list[float]:
        table = makespan.price(book, memory=False, **settings).table
        errors[:] = [float(error) for error in table["std_error"]]
        return [float(sum(table["price"]))]

    reply = timed(price)
    return {**reply, "own_error": root_mean_square(errors), "rows": float(len(book))}


def price_call(call: AsianCall, clock: str, settings: dict[str, Any]) -> Reply:
    """Price every strike of a call; `clock` is ``call`` or ``engine``."""
    book = book_of(call)
    error = engine_s = 0.0

    def price() -> list[float]:
        nonlocal error, engine_s
        table = makespan.price(book, memory=False, **settings).table
        error = largest_error(table)
        engine_s += float(sum(table["seconds"]))
        return [float(value) for value in table["price"]]

    reply = timed(price)
    if error > 0.0:
        reply["own_error"] = error
    booked = {"seconds": engine_s, "processor_seconds": engine_s}
    return {**reply, **booked} if clock == "engine" else reply


def run(words: list[str], seed: int) -> Reply:
    """Price once; every request has another seed."""
    named = read_words(words)
    check_method(named["method"])
    path = named.pop("book", None)
    clock = named.pop("clock", "call")
    call = None if path else take_call(named)
    read = {name: READ_AS.get(name, str)(text) for name, text in named.items()}
    settings: dict[str, Any] = {**read, "seed": seed}
    return price_call(call, clock, settings) if call else price_file(str(path), settings)


if __name__ == "__main__":
    serve(run)
