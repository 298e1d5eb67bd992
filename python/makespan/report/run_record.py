# SPDX-License-Identifier: Apache-2.0
"""What every run record has: which program ran, as what, when and where."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

import numpy as np

from makespan.base.engine import Engine
from makespan.base.processor import processor_name

VERSION = 1


def record_head(engine: Engine, kind: str, command: Sequence[str] = ()) -> dict[str, Any]:
    """The beginning of a record; `kind` is the command's name, `command` the command line."""
    return {
        "format": f"makespan {kind} record",
        "version": VERSION,
        "makespan": engine.version(),
        "build": plain(engine.build_info()),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": list(command),
        "machine": machine(),
        "software": software(),
    }


def machine() -> dict[str, Any]:
    """Where the run took place."""
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": processor_name(),
        "cores_available": len(os.sched_getaffinity(0)),
    }


def software() -> dict[str, str]:
    """Versions of what took part outside the engine."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "polars", "pyarrow"):
        if name in sys.modules:
            found[name] = sys.modules[name].__version__
    return found


def plain(value: Any) -> Any:
    """JSON values only: arrays become lists, paths text, NaN and infinities null."""
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def json_text(record: Mapping[str, Any]) -> str:
    """The record as it is written."""
    return json.dumps(plain(record), indent=2, allow_nan=False) + "\n"
