# SPDX-License-Identifier: Apache-2.0
"""Settings of a run of equations."""

from __future__ import annotations

from typing import Any

from makespan.grids.diffusion.input import OUTPUT_KEYS
from makespan.grids.engine_keys import ENGINE_KEYS, STEPS_AT_ONCE
from makespan.grids.input import PYTHON_SETTINGS, not_given
from makespan.settings.input_file import InputFile, InputValues
from makespan.settings.kinds import STEPS_OR_NONE, OneOf
from makespan.settings.setting import Setting

KERNEL = Setting(
    "kernel",
    OneOf(("auto", "compiled", "interpreted")),
    "auto",
    "auto: compiled where there is a C++ compiler, else interpreted, with the same bits, slower",
    "run",
)
FRAMES = Setting(
    "frames_steps", STEPS_OR_NONE, 0, "from one array of all fields to the next", "output"
)
KEYS = (KERNEL, STEPS_AT_ONCE, *OUTPUT_KEYS, FRAMES, *ENGINE_KEYS)
GRID_FILE = InputFile("grid", KEYS)
RUN_KEYS = (*not_given(KEYS), *PYTHON_SETTINGS)


def run_values(given: dict[str, Any], steps: int) -> InputValues:
    """Of keywords, None where one is not given."""
    keys = {name: given[name] for name in GRID_FILE.settings}
    return GRID_FILE.defaults().with_keywords(keys).without((), {"steps": steps})
