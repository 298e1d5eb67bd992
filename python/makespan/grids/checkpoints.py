# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of grids: how they are called, and that the last two are kept."""

from __future__ import annotations

from pathlib import Path

from makespan.files.checkpoint_folder import CheckpointNames

CHECKPOINTS = CheckpointNames("step-", ".vtkhdf")
KEPT = 2


def drop_old(folder: Path, step: int) -> None:
    """All but the last two up to this step.

    A run that goes on from an earlier checkpoint may find later ones: it keeps them until it has
    reached their steps.
    """
    mine = [one for one in CHECKPOINTS.all_in(folder) if (CHECKPOINTS.number(one) or 0) <= step]
    for one in mine[:-KEPT]:
        one.unlink(missing_ok=True)
