# SPDX-License-Identifier: Apache-2.0
"""Bumps of the parameters of Heston's model, each row's own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from makespan.pricing.book.heston import ENGINE_COLUMN
from makespan.pricing.book.normal import EngineColumns
from makespan.pricing.sensitivity.bump import Bump, Target
from makespan.pricing.sensitivity.moved_market import Move

SHARE = 0.01
"""Of the parameter; wider than for others, since paths change their branch of the scheme."""
LEAST = 1e-4
_RANGE = {"heston_v0": (0.0, np.inf), "heston_rho": (-1.0, 1.0)}


def heston_bumps(numbered: EngineColumns) -> Iterator[Bump]:
    """None where no row has a random variance; one-sided at the ends of a range."""
    if "variance_volatility" not in numbered:
        return
    rows = np.flatnonzero(numbered["variance_volatility"] > 0)
    if len(rows) == 0:
        return
    for name, column in ENGINE_COLUMN.items():
        value = numbered[column]
        size = SHARE if name == "heston_rho" else np.maximum(SHARE * value, LEAST)
        low, high = _RANGE.get(name, (0.0, np.inf))
        up, down = np.minimum(value + size, high), np.maximum(value - size, low)
        yield Bump(
            Target(name),
            rows,
            Move(column=column, values=up),
            Move(column=column, values=down),
            up - down,
        )
