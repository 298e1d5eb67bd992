# SPDX-License-Identifier: Apache-2.0
"""Its settings, and the input files that have them as keys."""

from __future__ import annotations

from makespan.settings.input_file import InputFile
from makespan.settings.kinds import FilePath, Whole
from makespan.settings.setting import Setting
from makespan.settings.shared import GATHER, OUTPUT, SEED, THREADS_OF_RUN

SOURCE = Setting("input", FilePath(), help="The input file.", is_argument=True, only_flag=True)
KEYS = (
    Setting("batches", Whole(1), default=8, section="run", help="Items of the bag.", in_bits=True),
    Setting("darts", Whole(1), default=1000, section="run", help="Of each batch.", in_bits=True),
    SEED.but(section="run", in_bits=True),
)
PI_FILE = InputFile("pi", KEYS, "# Darts for `makespan pi`.\n")
RUN_SETTINGS = (OUTPUT, THREADS_OF_RUN)
PYTHON_SETTINGS = (*KEYS, *RUN_SETTINGS, GATHER)
