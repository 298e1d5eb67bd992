# SPDX-License-Identifier: Apache-2.0
"""Rows that need a model's paths, in the engine's numbers: when they end, and what they know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.curve import Curve, Floats
from makespan.pricing.book.market import Market
from makespan.pricing.book.normal import EngineColumns
from makespan.pricing.book.problems import Mask
from makespan.pricing.book.surface_rules import STEPS_DEFAULT

_SAME_TIME = 1e-9
"""[years]: a dividend so near to a fixing is paid before it (the engine's own limit)."""


@dataclass(frozen=True)
class EngineRows:
    """Some rows of the columns that `PricingRun` takes, whose numbers are those of `market`.

    Names and formulas are those of src/makespan/apps/asian/contract.
    """

    columns: EngineColumns
    market: Market

    @property
    def count(self) -> int:
        """Of the rows."""
        return len(self.columns["spot"])

    @cached_property
    def fixings(self) -> NDArray[np.int64]:
        """Future ones."""
        return self.columns["fixings"].astype(np.int64)

    @cached_property
    def fixings_total(self) -> Floats:
        """Past ones, too."""
        return (self.columns["past_count"] + self.fixings).astype(np.float64)

    @cached_property
    def on_price(self) -> Mask:
        """The others pay on an average strike."""
        return np.asarray(self.columns["averaging"] == 0)

    @cached_property
    def fixes_now(self) -> Mask:
        """Whether the first future fixing is at time 0."""
        first = np.where(self.fixings == 1, self.last, self._listed(0, "first_fixing"))
        return np.asarray((self.fixings > 0) & (first == 0))

    @cached_property
    def random_fixings(self) -> NDArray[np.int64]:
        """Those after now."""
        return self.fixings - self.fixes_now

    @cached_property
    def last(self) -> Floats:
        """Time of the last fixing."""
        return self._listed(-1, "last_fixing")

    @cached_property
    def fixes_at_end(self) -> Mask:
        """Whether the last of the fixings after now is at the expiry."""
        return np.asarray((self.random_fixings > 0) & (self.last == self.columns["expiry"]))

    @cached_property
    def horizon(self) -> Floats:
        """Where paths end."""
        expiry: Floats = self.columns["expiry"]
        return np.where(self.on_price & (self.fixings > 0), self.last, expiry)

    @cached_property
    def local_volatilities(self) -> NDArray[np.int64]:
        """How many of each row's underlyings have a surface."""
        of_baskets = [int((one.surface >= 0).sum()) for one in self.market.baskets.baskets]
        own = (self.columns["surface"] >= 0).astype(np.int64)
        number: NDArray[np.int32] = self.columns["basket"]
        of_rows: NDArray[np.int64] = np.array([*of_baskets, 0])[number]
        return own + of_rows

    @cached_property
    def has_heston(self) -> Mask:
        """Whether the variance is random."""
        volatility = self.columns.get("variance_volatility", np.zeros(self.count))
        return np.asarray(volatility > 0)

    @cached_property
    def has_basket(self) -> Mask:
        """A row with a surface is one of a single underlying."""
        return np.asarray((self.columns["basket"] >= 0) | (self.columns["surface"] >= 0))

    @cached_property
    def steps(self) -> Floats:
        """The most that paths can have, where they need steps between fixings."""
        a_year = self.columns.get("steps_per_year", np.full(self.count, STEPS_DEFAULT))
        return self.horizon / (1 / a_year) + self.fixings

    def _listed(self, place: int, otherwise: str) -> Floats:
        times, offsets = self.columns["times"], self.columns["times_offset"]
        at = (offsets[1:] if place < 0 else offsets[:-1]) + place
        found = np.append(times, 0.0)[np.where(np.diff(offsets) > 0, at, len(times))]
        return np.where(np.diff(offsets) > 0, found, self.columns[otherwise])

    def cash_of(self, row: int) -> tuple[float, float]:
        """Of the cash dividends up to the horizon: value now, and what they add to all fixings."""
        number = int(self.columns["cash_dividends"][row])
        if number < 0:
            return 0.0, 0.0
        cash = self.market.curves.curves[number]
        due = cash.time <= self.horizon[row] + _SAME_TIME
        time = cash.time[due]
        worth = cash.value[due] * np.exp(-self._growth(row, time))
        ahead = np.append(0.0, np.cumsum(worth[::-1]))
        fixing_times = self._fixing_times(row)
        left = len(time) - np.searchsorted(time, fixing_times + _SAME_TIME, side="right")
        in_fixings = np.exp(self._growth(row, fixing_times)) * ahead[left]
        return float(ahead[-1]), float(in_fixings.sum())

    def _fixing_times(self, row: int) -> Floats:
        first, end = self.columns["times_offset"][row : row + 2]
        if end > first:
            return np.asarray(self.columns["times"][first:end])
        count = int(self.fixings[row])
        if count <= 1:
            return self.last[row : row + 1][:count]
        share = np.arange(count) / (count - 1)
        start = self.columns["first_fixing"][row]
        times: Floats = start + (self.last[row] - start) * share
        return times

    def _growth(self, row: int, time: Floats) -> Floats:
        """The logarithm of that of the price, up to each time."""
        growth: Floats = self.columns["drift"][row] * time
        if (rate := self._curve("rate_curve", row)) and not self.columns["drift_given"][row]:
            growth = growth + rate.total(time)
        if yields := self._curve("yield_curve", row):
            growth = growth - yields.total(time)
        if shares := self._curve("proportional_dividends", row):
            paid = np.append(0.0, np.cumsum(np.log1p(-shares.value)))
            growth = growth + paid[np.searchsorted(shares.time, time + _SAME_TIME, side="right")]
        return growth

    def _curve(self, column: str, row: int) -> Curve | None:
        number = int(self.columns[column][row])
        return None if number < 0 else self.market.curves.curves[number]
