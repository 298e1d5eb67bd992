# SPDX-License-Identifier: Apache-2.0
"""The Asian calls that all rivals price, and how their workers read requests and reply.

A request is ``run NAME=VALUE...``: words of the worker's own, then ``fixings=N``, ``strikes=1`` or
``strikes=10``, and ``average=arithmetic`` or ``average=geometric``; ``model=heston`` has a random
variance in place of VOLATILITY. A reply has `seconds` and
`processor_seconds` for `repeats` pricings and `price_0`, `price_1`, ... by strike. Only the
standard library is imported here, since the peers' environments hold no more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

SPOT = 100.0
RATE = 0.05  # [1/year], continuous compounding, no dividend
VOLATILITY = 0.2  # [1/sqrt(year)]
EXPIRY_Y = 1.0
HESTON = {"v0": 0.04, "kappa": 2.0, "theta": 0.04, "sigma": 0.3, "rho": -0.7}
MODELS = ("lognormal", "heston")
STRIKES = {1: (100.0,), 10: (80.0, 85.0, 90.0, 95.0, 100.0, 105.0, 110.0, 115.0, 120.0, 125.0)}

# A reading of the clock and a call of a closure cost about 1e-7 s: 1e-4 of this.
SHORTEST_S = 2e-3

Words = dict[str, str]


@dataclass(frozen=True)
class AsianCall:
    """Calls on the mean of `fixings` prices at EXPIRY_Y * i / fixings, i = 1 ... fixings."""

    fixings: int
    strikes: tuple[float, ...]  # [price]
    average: str = "arithmetic"
    model: str = "lognormal"


def read_words(words: Sequence[str]) -> Words:
    """Return the words NAME=VALUE of a request by name."""
    named = {}
    for word in words:
        name, separator, value = word.partition("=")
        if not separator:
            msg = f"'{word}' is not understood (a word of a request is NAME=VALUE)"
            raise ValueError(msg)
        named[name] = value
    return named


def take_call(named: Words) -> AsianCall:
    """Take the contract's words out of a request; what is left is the worker's own."""
    count = int(named.pop("strikes"))
    if count not in STRIKES:
        msg = f"{count} strikes are not known; one of {', '.join(map(str, STRIKES))}"
        raise ValueError(msg)
    model = named.pop("model", MODELS[0])
    if model not in MODELS:
        msg = f"model '{model}' is not known; one of {', '.join(MODELS)}"
        raise ValueError(msg)
    average = named.pop("average", "arithmetic")
    return AsianCall(int(named.pop("fixings")), STRIKES[count], average, model)


def timed(price: Callable[[], Sequence[float]]) -> dict[str, float]:
    """Price until SHORTEST_S have passed; return the times of all, their number, and the prices.

    `processor_seconds` leaves out what the process waited for a core while others had it.
    """
    repeats = 0
    start_s, processor_start_s = time.perf_counter(), time.process_time()
    while True:
        prices = price()
        repeats += 1
        seconds = time.perf_counter() - start_s
        if seconds >= SHORTEST_S:
            break
    processor_s = time.process_time() - processor_start_s
    by_strike = {f"price_{index}": float(value) for index, value in enumerate(prices)}
    times = {"seconds": seconds, "processor_seconds": processor_s, "repeats": float(repeats)}
    return {**times, **by_strike}


def prices_in(reply: dict[str, float]) -> list[float]:
    """Return the prices of a reply by strike."""
    prices: list[float] = []
    while (name := f"price_{len(prices)}") in reply:
        prices.append(reply[name])
    return prices
