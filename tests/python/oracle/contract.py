# SPDX-License-Identifier: Apache-2.0
"""The contract as the oracle sees it: one frozen value with every default resolved."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

OptionType = Literal["call", "put"]
AverageType = Literal["arithmetic", "geometric"]
Averaging = Literal["price", "strike"]
FloatArray = NDArray[np.float64]


def equal_steps(first: float, last: float, count: int) -> tuple[float, ...]:
    """Return `count` equally spaced times [years] from `first` to `last`, both included."""
    return tuple(float(time) for time in np.linspace(first, last, count))


@dataclass(frozen=True)
class Contract:
    """A discrete Asian option on a lognormal price, valued at time 0.

    Average price pays (A - strike)^+ or (strike - A)^+, average strike pays
    (S(expiry) - multiplier * A)^+ or its negative part, both at `expiry`. A is the mean, of the
    kind `average_type`, of all fixings with equal weights, past ones included.
    """

    option_type: OptionType = "call"
    average_type: AverageType = "arithmetic"
    averaging: Averaging = "price"
    spot: float = 100.0
    strike: float = 100.0  # [price]; not used by averaging="strike"
    multiplier: float = 1.0  # used by averaging="strike" only
    rate: float = 0.05  # [1/year], continuous compounding
    drift: float = 0.05  # [1/year]; rate - dividend yield unless the user gave another
    drift_given: bool = False  # the user gave the drift: then rho does not move it
    volatility: float = 0.2  # [1/sqrt(year)]
    expiry: float = 1.0  # payment time [years]
    times: tuple[float, ...] = ()  # future fixings [years], increasing; may begin with 0
    past_count: int = 0
    past_sum: float = 0.0  # sum of the past fixings [price]
    past_log_sum: float = 0.0  # sum of their natural logarithms

    @property
    def fixings(self) -> int:
        """Number of all fixings, past and future."""
        return self.past_count + len(self.times)

    @property
    def weight(self) -> float:
        """Weight of one fixing in the mean."""
        return 1.0 / self.fixings

    @property
    def past_part(self) -> float:
        """Part of the arithmetic mean that is already known [price]."""
        return self.past_sum * self.weight

    @property
    def discount(self) -> float:
        """Value now of 1 paid at expiry."""
        return float(np.exp(-self.rate * self.expiry))

    def with_(self, **changes: object) -> Contract:
        """Return a copy with some fields changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def after_first_fixing(self) -> Contract:
        """Return the contract an instant later, when a fixing at time 0 has become a past one."""
        if not self.times or self.times[0] > 0.0:
            return self
        return self.with_(
            times=self.times[1:],
            past_count=self.past_count + 1,
            past_sum=self.past_sum + self.spot,
            past_log_sum=self.past_log_sum + float(np.log(self.spot)),
        )
