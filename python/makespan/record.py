# SPDX-License-Identifier: Apache-2.0
"""The run record: all that is needed to repeat a run, and to tell whether two runs agree."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from makespan.book import Book
from makespan.book.digest import result_hash
from makespan.engine import Engine
from makespan.processor import processor_name
from makespan.run import Outcome
from makespan.schema import STATUSES
from makespan.settings import Settings

FORMAT = 1
KEY_LAYOUT = (
    "key: seed and the option's 64-bit key (a hash of the id's UTF-8 text); counter: path and step"
)


@dataclass(frozen=True, slots=True)
class RunContext:
    """What only the caller knows about a run."""

    command: tuple[str, ...] = ()
    source: str | None = None
    output: str | None = None
    units: str = "standard"


def run_record(
    engine: Engine, book: Book, settings: Settings, outcome: Outcome, context: RunContext
) -> dict[str, Any]:
    """The record as plain JSON values; docs/reference/record.md explains each."""
    summary = plain(outcome.summary)
    return {
        "format": FORMAT,
        "makespan": engine.version(),
        "build": plain(engine.build_info()),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": list(context.command),
        "book": context.source,
        "output": context.output,
        "units": context.units,
        "input_hash": book.input_hash,
        "result_hash": _result_hash(book, outcome),
        "options": _counts(book, outcome),
        "seed": settings.seed,
        "rng": _rng(settings, outcome.summary),
        "settings": {**asdict(settings), "accuracy": accuracy_text(settings)},
        "isa": summary.get("isa"),
        "threads": summary.get("threads"),
        "wall_s": outcome.wall_s,
        "path_steps": summary.get("path_steps", 0),
        "path_steps_per_s": _rate(summary),
        "makespan_s": summary.get("makespan_s"),
        "ideal_s": summary.get("ideal_s"),
        "engine": summary,
        "machine": machine(),
        "software": software(),
    }


def accuracy_text(settings: Settings) -> str:
    """What rows that say nothing themselves are priced to."""
    if settings.paths is not None:
        return f"paths = {settings.paths}"
    if settings.std_error is not None:
        return f"std_error = {settings.std_error}"
    return "std_error = 1e-4 x spot of the row (default)"


def _result_hash(book: Book, outcome: Outcome) -> str:
    priced = np.flatnonzero(outcome.status != STATUSES.index("error"))
    prices = outcome.columns.get("price", np.zeros(0))
    return result_hash(book.valid_ids.gather(priced).to_list(), prices[priced])


def _counts(book: Book, outcome: Outcome) -> dict[str, int]:
    """Options in all, by status, and how many an earlier run's journal had already."""
    status = outcome.status
    counts = {word: int(np.count_nonzero(status == code)) for code, word in enumerate(STATUSES)}
    counts["error"] += len(book.errors)
    return {"total": book.rows, **counts, "from_journal": outcome.from_journal}


def _rng(settings: Settings, summary: Mapping[str, Any]) -> dict[str, Any]:
    """Name and key layout of the random numbers; the engine's own words where it has some."""
    rounds = summary.get("philox_rounds", settings.rounds)
    points = "Sobol (Joe-Kuo D6), hash-based Owen scrambling"
    name = points if settings.method == "rqmc" else f"Philox4x32-{rounds}"
    return {"name": name, "rounds": rounds, "key_layout": summary.get("key_layout", KEY_LAYOUT)}


def _rate(summary: Mapping[str, Any]) -> float | None:
    wall = summary.get("wall_s")
    return summary["path_steps"] / wall if wall else None


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
    """JSON values only: arrays become lists, NaN and infinities become null."""
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def json_text(record: Mapping[str, Any]) -> str:
    """The record as it is written beside the prices."""
    return json.dumps(plain(record), indent=2, allow_nan=False) + "\n"
