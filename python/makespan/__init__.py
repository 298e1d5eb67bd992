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

    from makespan.base.errors import (
        BookError,
        BookWarning,
        InputError,
        Interrupted,
        ItemError,
        JournalError,
        MakespanError,
        NotConfiguredError,
    )
    from makespan.graph.api import balance, simulate_phases
    from makespan.graph.outcome import BalanceResult, PhasesResult
    from makespan.grid.api import CalciumResult, calcium, diffuse
    from makespan.grid.outcome import GridFiles
    from makespan.job.progress import Progress
    from makespan.machines.api import machine
    from makespan.machines.outcome import MachineResult
    from makespan.melting.api import melt
    from makespan.melting.outcome import MeltResult
    from makespan.pricing.api import price
    from makespan.pricing.daycount import year_fraction
    from makespan.pricing.outcome import PriceResult
    from makespan.sim.api import simulate
    from makespan.sim.outcome import SimulatedBag
    from makespan.tasks.api import map  # noqa: A004

_HOMES = {
    "BalanceResult": "graph.outcome",
    "BookError": "base.errors",
    "BookWarning": "base.errors",
    "CalciumResult": "grid.api",
    "GridFiles": "grid.outcome",
    "InputError": "base.errors",
    "ItemError": "base.errors",
    "JournalError": "base.errors",
    "MachineResult": "machines.outcome",
    "MakespanError": "base.errors",
    "MeltResult": "melting.outcome",
    "NotConfiguredError": "base.errors",
    "PhasesResult": "graph.outcome",
    "PriceResult": "pricing.outcome",
    "Interrupted": "base.errors",
    "Progress": "job.progress",
    "SimulatedBag": "sim.outcome",
    "balance": "graph.api",
    "calcium": "grid.api",
    "diffuse": "grid.api",
    "machine": "machines.api",
    "map": "tasks.api",
    "melt": "melting.api",
    "price": "pricing.api",
    "simulate": "sim.api",
    "simulate_phases": "graph.api",
    "year_fraction": "pricing.daycount",
}

__all__ = [
    "BalanceResult",
    "BookError",
    "BookWarning",
    "CalciumResult",
    "GridFiles",
    "InputError",
    "Interrupted",
    "ItemError",
    "JournalError",
    "MachineResult",
    "MakespanError",
    "MeltResult",
    "NotConfiguredError",
    "PhasesResult",
    "PriceResult",
    "Progress",
    "SimulatedBag",
    "balance",
    "calcium",
    "diffuse",
    "machine",
    "map",
    "melt",
    "price",
    "simulate",
    "simulate_phases",
    "year_fraction",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("makespan.base.version").version()
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'makespan' has no attribute '{name}'")
    return getattr(import_module(f"makespan.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
