# SPDX-License-Identifier: Apache-2.0
"""When a priced row agrees with the truth: within four of the standard errors that it states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from book_rows import GREEKS
from oracle import Contract, Greeks
from scipy.stats import chi2

Row = Mapping[str, Any]

Z_MAX = 4.0
# Beyond a row's standard error, what rounding may add where nothing is random [share of spot].
ROUNDING = 1e-9


def scale_of(name: str, contract: Contract) -> float:
    """Size of one unit of rounding in a Greek: powers of the spot, as in the price itself."""
    return {"delta": 1.0, "gamma": 1.0 / contract.spot}.get(name, contract.spot)


def excess(row: Row, name: str, truth: float, allowed: float) -> float:
    """How far a value is from the truth, beyond what is allowed, in its standard errors.

    A value without standard error has no excess inside `allowed` and an infinite one outside.
    """
    error = row["std_error"] if name == "price" else row[f"{name}_std_error"]
    distance = abs(row[name] - truth)
    if distance <= allowed:
        return 0.0
    return float("inf") if error == 0.0 else float((distance - allowed) / error)


def price_excess(row: Row, contract: Contract, truth: float, truth_error: float) -> float:
    """Excess of the price; `truth_error` is what the true value itself is uncertain by."""
    return excess(row, "price", truth, max(ROUNDING * contract.spot, truth_error))


def greek_excesses(row: Row, contract: Contract, truth: Greeks) -> dict[str, float]:
    """Excess of each Greek; the oracle's own differences are good to 1e-6 of it."""
    excesses = {}
    for name in GREEKS:
        value = getattr(truth, name)
        allowed = 1e-6 * abs(value) + 10 * ROUNDING * scale_of(name, contract)
        excesses[name] = excess(row, name, value, allowed)
    return excesses


def chance_of_spread(scores: list[float]) -> float:
    """Two-sided probability that independent standard normal scores spread as these do.

    Small when standard errors are too small (scores spread too far) and when they are too large.
    """
    total = float(np.square(scores).sum())
    above = float(chi2.sf(total, len(scores)))
    return 2.0 * min(above, 1.0 - above)
