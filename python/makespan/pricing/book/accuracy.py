# SPDX-License-Identifier: Apache-2.0
"""How accurately each row is to be priced: its own wish, else the run's, else 1 bp of spot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.draft import Draft
from makespan.pricing.columns.book import ACCURACY_DEFAULT, MAX_PATHS_DEFAULT, SEED_DEFAULT


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a run sets for rows that say nothing themselves."""

    fixing_grid: str | None = None
    paths: int | None = None
    std_error: float | None = None
    seed: int = SEED_DEFAULT
    method: str = "auto"
    """Of all rows; it has no column."""


def accuracy_columns(draft: Draft, defaults: Defaults) -> dict[str, NDArray[np.generic]]:
    """Columns paths, std_error, max_paths and seed; exactly one of the first two is > 0."""
    own_paths = draft.given("paths")
    own_error = draft.given("std_error")
    run_paths = 0 if defaults.paths is None else defaults.paths
    run_error: float | NDArray[np.float64] = 0.0
    if defaults.std_error is not None:
        run_error = defaults.std_error
    elif defaults.paths is None:
        run_error = ACCURACY_DEFAULT * draft.values("spot")
    paths = np.where(own_paths, draft.values("paths"), np.where(own_error, 0, run_paths))
    std_error = np.where(own_error, draft.values("std_error"), run_error)
    return {
        "paths": paths.astype(np.int64),
        "std_error": np.where(paths > 0, 0.0, std_error),
        "max_paths": draft.filled("max_paths", MAX_PATHS_DEFAULT),
        "seed": draft.filled("seed", np.array(defaults.seed, dtype=np.uint64)),
    }
