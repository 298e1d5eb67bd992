# SPDX-License-Identifier: Apache-2.0
"""Target partition weights for METIS: `gpmetis -tpwgts=FILE GRAPH PARTS`."""

from __future__ import annotations

from collections.abc import Sequence

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.machines.weights.part import WeightedParts

_UNITS = 10**7
"""METIS keeps fractions in 32 bits (24 of them digits)."""


def metis_text(weighted: WeightedParts) -> str:
    """A line `part = fraction` for each part, from 0; fractions sum to 1.

    METIS manual 5.1.0, section 4.1.3 "Target partition weights file"; gpmetis(1), option -tpwgts;
    ReadTPwgts in programs/io.c reads it, and refuses fractions of 0 and 1: raises `InputError` for
    a single part.
    """
    if len(weighted.parts) == 1:
        raise InputError(
            f"{called('weights')} metis: there is one part (nothing to divide): choose a finer "
            f"{called('places')}, or "
            "name more machine files"
        )
    units = _shares(weighted.speeds)
    return "".join(f"{part} = {unit / _UNITS:.7f}\n" for part, unit in enumerate(units))


def _shares(speeds: Sequence[float]) -> list[int]:
    """Whole numbers above 0 that sum to `_UNITS`: the largest takes what rounding leaves."""
    total = sum(speeds)
    shares = [max(1, round(speed / total * _UNITS)) for speed in speeds]
    shares[shares.index(max(shares))] += _UNITS - sum(shares)
    return shares
