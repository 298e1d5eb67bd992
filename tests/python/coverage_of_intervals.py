# SPDX-License-Identifier: Apache-2.0
"""How often a 95 % interval contains the truth, over many seeds, for every estimator and Greek.

    python tests/python/coverage_of_intervals.py [--seeds 4000] [--paths 16384]

Prices a few contracts once for each seed, in fixed-paths mode and in target-error mode, and counts
the intervals that contain the oracle's value. With 4000 seeds an honest share lies within 1 % of
95 % but for one time in 300, so that a share outside 93..97 % is a defect, not chance.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from agreement import ROUNDING, scale_of
from book_rows import GREEKS, book_of, book_row
from oracle import Contract, equal_steps, true_greeks, true_price
from scipy.stats import norm, t

import makespan

METHODS = ("mc", "rqmc", "mc_plain")
LOW, HIGH = 0.93, 0.97
CONFIDENCE = 0.95

CONTRACTS = {
    "at_the_money": Contract(rate=0.05, drift=0.02, times=equal_steps(1 / 12, 1.0, 12)),
    "high_volatility": Contract(volatility=0.9, times=equal_steps(1 / 12, 1.0, 12)),
    "out_of_the_money": Contract(
        option_type="put", strike=88.0, times=equal_steps(1 / 12, 1.0, 12)
    ),
    "seasoned": Contract(
        strike=97.0, expiry=0.75, times=equal_steps(1 / 12, 0.75, 9), past_count=3, past_sum=285.0
    ),
    "average_strike": Contract(
        averaging="strike", strike=float("nan"), multiplier=1.02, times=equal_steps(0.0, 1.0, 12)
    ),
    "weekly": Contract(rate=0.03, drift=0.03, times=equal_steps(1 / 64, 1.0, 64)),
}

# Here the controls follow the payoff on all but a few paths in a thousand or a million, and what
# is left of the variance sits in those few. An interval that allows for what the sample has not
# seen is wider than 95 %, which is honest; one that believes the sample is not.
RARE_CONTRACTS = {
    "quiet": Contract(volatility=0.02, drift=0.0, times=equal_steps(1 / 9, 1.0, 9)),
    "two_fixings": Contract(strike=101.0, volatility=0.03, drift=-0.06, times=(0.5, 1.0)),
    "fixing_before_expiry_as_strike": Contract(
        option_type="put",
        averaging="strike",
        strike=float("nan"),
        multiplier=1.02,
        volatility=0.12,
        drift=0.07,
        expiry=0.06,
        times=(0.0, 0.055),
    ),
}


@dataclass(frozen=True)
class Share:
    """Share of the intervals of one quantity that contain its true value."""

    contract: str
    method: str
    mode: str
    quantity: str
    share: float

    @property
    def is_honest(self) -> bool:
        """Whether the share is what the project promises for this contract."""
        return self.share >= LOW and (self.share <= HIGH or self.contract in RARE_CONTRACTS)


def truths_of(contract: Contract) -> dict[str, float]:
    """True price and Greeks by column name."""
    greeks = true_greeks(contract)
    truths = {name: float(getattr(greeks, name)) for name in GREEKS}
    return {"price": true_price(contract).value} | truths


def prices_of(contract: Contract, method: str, seeds: int, extra: dict[str, Any]) -> pl.DataFrame:
    """Price one contract once for each seed, as one book."""
    rows = (book_row(f"seed-{seed}", contract, seed=seed, **extra) for seed in range(1, seeds + 1))
    prices: pl.DataFrame = makespan.price(book_of(rows), method=method, greeks=True).table
    return prices


def quantiles_of(prices: pl.DataFrame) -> Any:
    """Half widths of the intervals in standard errors: Student's where replicates gave them."""
    replicates = prices["replicates"].to_numpy()
    tail = 0.5 + 0.5 * CONFIDENCE
    return np.where(replicates > 1, t.ppf(tail, np.maximum(replicates - 1, 1)), norm.ppf(tail))


def share_inside(prices: pl.DataFrame, name: str, truth: float, rounding: float) -> float:
    """Share of rows whose interval contains the truth; the price brings its own interval."""
    if name == "price":
        low, high = prices["ci_low"].to_numpy(), prices["ci_high"].to_numpy()
    else:
        half = quantiles_of(prices) * prices[f"{name}_std_error"].to_numpy()
        low, high = prices[name].to_numpy() - half, prices[name].to_numpy() + half
    return float(np.mean((low - rounding <= truth) & (truth <= high + rounding)))


def is_random(prices: pl.DataFrame, name: str) -> bool:
    """Whether the quantity has a standard error at all; a fresh average strike has no gamma."""
    column = "std_error" if name == "price" else f"{name}_std_error"
    return bool(prices[column].max() > 0.0)  # type: ignore[operator]


def shares_of(
    label: str, method: str, mode: str, seeds: int, extra: dict[str, Any]
) -> Iterator[Share]:
    """Count the intervals of every random quantity of one contract."""
    contract = (CONTRACTS | RARE_CONTRACTS)[label]
    prices = prices_of(contract, method, seeds, extra)
    for name, truth in truths_of(contract).items():
        rounding = ROUNDING * scale_of(name, contract)
        inside = share_inside(prices, name, truth, rounding)
        if is_random(prices, name):
            yield Share(label, method, mode, name, inside)
        elif inside < 1.0:
            raise AssertionError(f"{label} {method}: {name} has no standard error and is wrong")


def accuracies(method: str, paths: int, contract: Contract) -> dict[str, dict[str, Any]]:
    """Columns that ask for fixed paths, and for a standard error that takes a few rounds."""
    spread = contract.volatility * float(np.sqrt(contract.expiry))
    target = 5e-3 * spread if method == "mc_plain" else 2e-4
    return {
        "paths": {"paths": paths},
        "std_error": {"std_error": target * contract.spot, "max_paths": 1 << 20},
    }


def all_shares(seeds: int, paths: int) -> Iterator[Share]:
    """Every contract by every method in both modes."""
    for label, contract in (CONTRACTS | RARE_CONTRACTS).items():
        for method in METHODS:
            for mode, extra in accuracies(method, paths, contract).items():
                yield from shares_of(label, method, mode, seeds, extra)


def line_of(share: Share) -> str:
    """Write one line of the table."""
    mark = "" if share.is_honest else "  <-- not honest"
    place = f"{share.contract:<31}{share.method:<9}{share.mode:<10}{share.quantity:<13}"
    return f"{place}{100 * share.share:6.2f} %{mark}\n"


def main(arguments: list[str]) -> int:
    """Print the table; exit status 1 when a share is not honest."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=4000)
    parser.add_argument("--paths", type=int, default=16_384)
    options = parser.parse_args(arguments)
    dishonest = 0
    for share in all_shares(options.seeds, options.paths):
        dishonest += not share.is_honest
        sys.stdout.write(line_of(share))
        sys.stdout.flush()
    sys.stdout.write(f"{dishonest} shares are not honest\n")
    return int(dishonest > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
