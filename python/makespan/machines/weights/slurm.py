# SPDX-License-Identifier: Apache-2.0
"""Weights of nodes for Slurm's `slurm.conf`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from makespan.base.errors import InputError
from makespan.base.setting_names import called
from makespan.machines.weights.part import WeightedParts

_FASTEST = 100
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_WEIGHT_MAX = 2**32 - 3
"""Slurm keeps weights in 32 bits, of which the greatest numbers mean something else."""


def slurm_text(weighted: WeightedParts) -> str:
    """A line `NodeName=NAME Weight=NUMBER` for each node: 100 for the fastest, 200 at half speed.

    slurm.conf(5), "NODE CONFIGURATION", Weight: of nodes that satisfy a job, those with the lowest
    weight are allocated. Raises `InputError` where a node has no name, or two have the same.
    """
    _check(weighted.nodes)
    fastest = max(weighted.speeds)
    weights = (min(_WEIGHT_MAX, round(_FASTEST * fastest / speed)) for speed in weighted.speeds)
    pairs = zip(weighted.nodes, weights, strict=True)
    return "".join(f"NodeName={node} Weight={weight}\n" for node, weight in pairs)


def _check(nodes: Sequence[str]) -> None:
    for node in nodes:
        if not _NAME.fullmatch(node):
            raise InputError(
                f"{called('weights')} slurm: '{node}' (no name of a node): give the machine's "
                "file the node's name, as in node01.xml"
            )
    twice = next((node for node in nodes if list(nodes).count(node) > 1), None)
    if twice is not None:
        raise InputError(
            f"{called('weights')} slurm: two of the files are of node {twice} (Slurm names a node "
            "once): leave one out"
        )
