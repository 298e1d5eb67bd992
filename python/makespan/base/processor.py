# SPDX-License-Identifier: Apache-2.0
"""What the processor of this machine calls itself."""

from __future__ import annotations

import platform
from pathlib import Path


def processor_name() -> str:
    """Its model where the system tells it, else its architecture."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            names = (line.partition(":")[2].strip() for line in file if "model name" in line)
            return next(names, platform.machine())
    except OSError:
        return platform.processor() or platform.machine()
