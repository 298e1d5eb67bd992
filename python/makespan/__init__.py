# SPDX-License-Identifier: Apache-2.0
"""makespan: machines whose parts run at different speeds finish together.

    import makespan, polars as pl
    out = makespan.price(pl.read_parquet("book.parquet"), std_error=1e-4, greeks=True)

Names are loaded when they are first used, so that the command line starts without the libraries
that it does not need yet.
"""

from __future__ import annotations

from importlib import import_module

# As `typing` has it, whose import takes longer than all else before the command hears Ctrl-C.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from makespan.api import PriceResult, price, price_with_record
    from makespan.daycount import year_fraction
    from makespan.errors import (
        BookError,
        BookWarning,
        InputError,
        ItemError,
        JournalError,
        MakespanError,
        NotConfiguredError,
        PricingInterrupted,
    )
    from makespan.graph.library import SimulatedPhases, simulate_phases
    from makespan.grids.library import CalciumResult, calcium, diffuse
    from makespan.grids.outcome import GridFiles
    from makespan.melting.melting import MeltResult, melt
    from makespan.run import Progress
    from makespan.simulation.library import SimulatedBag, simulate
    from makespan.tasks import map  # noqa: A004

_HOMES = {
    "BookError": "errors",
    "BookWarning": "errors",
    "CalciumResult": "grids.library",
    "GridFiles": "grids.outcome",
    "InputError": "errors",
    "ItemError": "errors",
    "JournalError": "errors",
    "MakespanError": "errors",
    "MeltResult": "melting.melting",
    "NotConfiguredError": "errors",
    "PriceResult": "api",
    "PricingInterrupted": "errors",
    "Progress": "run",
    "SimulatedBag": "simulation.library",
    "SimulatedPhases": "graph.library",
    "calcium": "grids.library",
    "diffuse": "grids.library",
    "map": "tasks",
    "melt": "melting.melting",
    "price": "api",
    "price_with_record": "api",
    "simulate": "simulation.library",
    "simulate_phases": "graph.library",
    "year_fraction": "daycount",
}

__all__ = [
    "BookError",
    "BookWarning",
    "CalciumResult",
    "GridFiles",
    "InputError",
    "ItemError",
    "JournalError",
    "MakespanError",
    "MeltResult",
    "NotConfiguredError",
    "PriceResult",
    "PricingInterrupted",
    "Progress",
    "SimulatedBag",
    "SimulatedPhases",
    "calcium",
    "diffuse",
    "map",
    "melt",
    "price",
    "price_with_record",
    "simulate",
    "simulate_phases",
    "year_fraction",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("makespan.version").version()
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'makespan' has no attribute '{name}'")
    return getattr(import_module(f"makespan.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
