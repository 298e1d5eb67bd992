# SPDX-License-Identifier: Apache-2.0
"""Arithmetic Asian calls with fypy's projection method (PROJ), as a worker of the bench protocol.

``fypy_asian.py FOLDER``: FOLDER holds the package fypy. Own words of a request:
``coefficients=N`` (of the basis, a power of 2) and ``width=L`` (of the grid, in deviations of the
log price).

Its mean has M + 1 prices, that of today among them, and ours the M others, so with S today's price
    (mean of M - K)^+ = (M + 1)/M (mean of M + 1 - (S + M K)/(M + 1))^+.
Method: J. L. Kirkby, "An efficient transform method for Asian option pricing", SIAM J. Financial
Mathematics 7 (2016), 845.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from bench.line_worker import Reply, serve
from bench.rivals.contract import (
    EXPIRY_Y,
    RATE,
    SPOT,
    VOLATILITY,
    AsianCall,
    read_words,
    take_call,
    timed,
)


def black_scholes() -> Any:
    """Return fypy's model with flat rate and volatility."""
    from fypy.model.levy.BlackScholes import BlackScholes
    from fypy.termstructures.DiscountCurve import DiscountCurve_ConstRate
    from fypy.termstructures.EquityForward import EquityForward

    discount = DiscountCurve_ConstRate(rate=RATE)
    forward = EquityForward(S0=SPOT, discount=discount)
    return BlackScholes(forwardCurve=forward, discountCurve=discount, sigma=VOLATILITY)


def prices(pricer: Any, call: AsianCall) -> list[float]:
    """Return the price of each strike in one call of fypy's, which shares what strikes share."""
    count = call.fixings
    strikes = (SPOT + count * np.array(call.strikes)) / (count + 1)
    are_calls = np.ones(len(strikes), dtype=bool)
    found = pricer.price_strikes(T=EXPIRY_Y, M=count, K=strikes, is_calls=are_calls)
    return [float(price) * (count + 1) / count for price in found]


def run(words: list[str], seed: int) -> Reply:
    """Price once; nothing here is random."""
    from fypy.pricing.fourier.ProjAsianPricer import ProjArithmeticAsianPricer

    named = read_words(words)
    call = take_call(named)
    if call.average != "arithmetic":
        msg = f"fypy has no {call.average} mean here (request {seed})"
        raise ValueError(msg)
    coefficients, width = int(named["coefficients"]), float(named["width"])
    pricer = ProjArithmeticAsianPricer(black_scholes(), N=coefficients, L=width)
    return timed(lambda: prices(pricer, call))


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    # Of numpy's that it will not turn arrays of one element into numbers for much longer.
    warnings.simplefilter("ignore", DeprecationWarning)
    serve(run)
