# SPDX-License-Identifier: Apache-2.0
"""Partition weights for PyFR: `pyfr partition add -p scotch MESH WEIGHTS`."""

from __future__ import annotations

from makespan.machines.weights.part import WeightedParts
from makespan.machines.weights.whole_numbers import whole_numbers


def pyfr_text(weighted: WeightedParts) -> str:
    """One word for the command line: whole numbers with colons between, as in 3:2:2.

    PyFR's User Guide, "Running PyFR", command `pyfr partition add`; `process_partition_add` in
    pyfr/__main__.py reads it. A number alone is a number of equal parts there: one part is 1.
    KaHIP, among PyFR's partitioners, takes no weights; without `-p` PyFR 3.1 tries it first, and
    stops.
    """
    return ":".join(map(str, whole_numbers(weighted.speeds))) + "\n"
