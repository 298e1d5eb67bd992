# SPDX-License-Identifier: Apache-2.0
"""The run record: all that is needed to repeat a run, and to tell whether two runs agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from makespan.base.engine import Engine
from makespan.pricing.book import Book
from makespan.pricing.book.digest import result_hash
from makespan.pricing.columns.outputs import STATUSES
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Outcome
from makespan.report.run_record import plain, record_head

KEY_LAYOUT = (
    "key: seed and the option's 64-bit key (a hash of the id's UTF-8 text); counter: path and step"
)


@dataclass(frozen=True, slots=True)
class RunContext:
    """What only the caller knows about a run."""

    command: tuple[str, ...] = ()
    source: str | None = None
    curves: str | None = None
    baskets: str | None = None
    correlations: str | None = None
    surfaces: str | None = None
    output: str | None = None
    units: str = "standard"


def run_record(
    engine: Engine, book: Book, settings: Settings, outcome: Outcome, context: RunContext
) -> dict[str, Any]:
    """The record as plain JSON values; docs/reference/record.md explains each."""
    summary = plain(outcome.summary)
    return {
        **record_head(engine, "price", context.command),
        "book": context.source,
        "curves": context.curves,
        "baskets": context.baskets,
        "correlations": context.correlations,
        "surfaces": context.surfaces,
        "output": context.output,
        "units": context.units,
        "input_hash": book.input_hash,
        "result_hash": _result_hash(book, outcome),
        "options": _counts(book, outcome),
        "seed": settings.seed,
        "rng": _rng(settings, outcome.summary),
        "settings": {**settings, "accuracy": accuracy_text(settings)},
        "isa": summary.get("isa"),
        "threads": summary.get("threads"),
        "wall_s": outcome.wall_s,
        "path_steps": summary.get("path_steps", 0),
        "path_steps_per_s": _rate(summary),
        "makespan_s": summary.get("makespan_s"),
        "ideal_s": summary.get("ideal_s"),
        "sensitivities": None,
        "engine": summary,
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
    name = points if settings.method in ("rqmc", "rqmc_smooth") else f"Philox4x32-{rounds}"
    return {"name": name, "rounds": rounds, "key_layout": summary.get("key_layout", KEY_LAYOUT)}


def _rate(summary: Mapping[str, Any]) -> float | None:
    wall = summary.get("wall_s")
    return summary["path_steps"] / wall if wall else None
