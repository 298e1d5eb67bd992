# SPDX-License-Identifier: Apache-2.0
"""Entries of OpenFOAM's `system/decomposeParDict`, which `decomposePar` reads."""

from __future__ import annotations

from makespan.machines.weights.part import WeightedParts
from makespan.machines.weights.whole_numbers import whole_numbers


def openfoam_text(weighted: WeightedParts) -> str:
    """`numberOfSubdomains`, and `processorWeights` for the methods scotch and metis.

    OpenFOAM User Guide, section "Running applications in parallel", decomposition of mesh and
    initial field data (decomposeParDict), and section "Basic input/output file format". scotch
    reads whole numbers (scotchDecomp.C: List<label>), metis any (metisDecomp.C); ptscotch reads
    scotchCoeffs (ptscotchDecomp.C).
    """
    weights = f"({' '.join(map(str, whole_numbers(weighted.speeds)))})"
    lines = [f"numberOfSubdomains {len(weighted.parts)};", "method scotch;"]
    for method in ("scotch", "metis"):
        lines += ["", f"{method}Coeffs", "{", f"    processorWeights {weights};", "}"]
    return "\n".join(lines) + "\n"
