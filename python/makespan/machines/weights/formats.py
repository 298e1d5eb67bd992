# SPDX-License-Identifier: Apache-2.0
"""The formats: a row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from makespan.machines.weights.metis import metis_text
from makespan.machines.weights.openfoam import openfoam_text
from makespan.machines.weights.part import WeightedParts
from makespan.machines.weights.pyfr import pyfr_text
from makespan.machines.weights.scotch import scotch_text
from makespan.machines.weights.slurm import slurm_text


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """`of_nodes`: a weight belongs to a whole machine, which has a name."""

    name: str
    summary: str
    text: Callable[[WeightedParts], str]
    of_nodes: bool = False


FORMATS = (
    WeightFormat("metis", "target partition weights: gpmetis -tpwgts=FILE", metis_text),
    WeightFormat("scotch", "target architecture: gmap GRAPH FILE", scotch_text),
    WeightFormat(
        "pyfr", "weights of partitions: pyfr partition add -p scotch MESH WEIGHTS", pyfr_text
    ),
    WeightFormat("openfoam", "entries of decomposeParDict", openfoam_text),
    WeightFormat("slurm", "weights of nodes, for slurm.conf", slurm_text, of_nodes=True),
)


def weight_format(name: str) -> WeightFormat:
    """The one of that name, which must be known."""
    return next(known for known in FORMATS if known.name == name)
