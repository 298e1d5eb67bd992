# SPDX-License-Identifier: Apache-2.0
"""Arithmetic Asian option in plain numpy, the way a quant writes it, as a bench worker.

Request: ``run float32|float64 FIXINGS PATHS``. Blocks of paths keep the arrays in the cache.
"""

from __future__ import annotations

import time

import numpy as np

from bench.line_worker import Reply, serve

SPOT = 100.0
STRIKE = 100.0
RATE = 0.05
VOLATILITY = 0.2
EXPIRY_Y = 1.0
BLOCK_PATHS = 1024

Real = type[np.float32] | type[np.float64]


def payoff_sum(generator: np.random.Generator, fixings: int, paths: int, dtype: Real) -> float:
    """Return the sum of the call's payoffs over `paths` paths, not discounted [currency]."""
    dt_y = EXPIRY_Y / fixings
    drift = dtype((RATE - 0.5 * VOLATILITY**2) * dt_y)
    deviation = dtype(VOLATILITY * np.sqrt(dt_y))
    total = 0.0
    for begin in range(0, paths, BLOCK_PATHS):
        count = min(BLOCK_PATHS, paths - begin)
        normals = generator.standard_normal((count, fixings), dtype=dtype)
        log_prices = np.cumsum(drift + deviation * normals, axis=1)
        averages = SPOT * np.exp(log_prices).mean(axis=1)
        total += float(np.maximum(averages - STRIKE, 0.0).sum(dtype=np.float64))
    return total


def run(words: list[str], seed: int) -> Reply:
    """Price once."""
    dtype: Real = np.float32 if words[0] == "float32" else np.float64
    fixings, paths = int(words[1]), int(words[2])
    generator = np.random.default_rng(seed)
    start_s = time.perf_counter()
    payoffs = payoff_sum(generator, fixings, paths, dtype)
    seconds = time.perf_counter() - start_s
    return {"seconds": seconds, "price": float(np.exp(-RATE * EXPIRY_Y)) * payoffs / paths}


if __name__ == "__main__":
    serve(run)
