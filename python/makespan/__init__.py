# SPDX-License-Identifier: Apache-2.0
"""makespan: machines whose parts run at different speeds finish together.

    import makespan, polars as pl
    out = makespan.price(pl.read_parquet("book.parquet"), std_error=1e-4, greeks=True).table

Names are loaded when they are first used, so that the command line starts without the libraries
that it does not need yet. `__init__.pyi` has their signatures.
"""

from __future__ import annotations

from importlib import import_module

# As `typing` has it, whose import takes longer than all else before the command hears Ctrl-C.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

_HOMES = {
    "BalanceResult": "graph.outcome",
    "BookError": "base.errors",
    "BookWarning": "base.errors",
    "BookRow": "pricing.quantlib",
    "CalciumResult": "grids.calcium.outcome",
    "CostMatrix": "machines.outcome",
    "DiffuseResult": "grids.diffusion.outcome",
    "Domains": "machines.outcome",
    "EngineError": "base.errors",
    "Frame": "equations.outcome",
    "Grid": "equations.api",
    "GridResult": "equations.outcome",
    "InputError": "base.errors",
    "Interrupted": "base.errors",
    "ItemError": "base.errors",
    "JournalError": "base.errors",
    "MachineResult": "machines.outcome",
    "MakespanError": "base.errors",
    "MeltResult": "melting.outcome",
    "NotConfiguredError": "base.errors",
    "Network": "machines.outcome",
    "PhasesResult": "graph.outcome",
    "PriceResult": "pricing.outcome",
    "Progress": "job.progress",
    "SimulatedBag": "sim.outcome",
    "SimulatedGrid": "sim.grids.outcome",
    "balance": "graph.api",
    "calcium": "grids.calcium.api",
    "diffuse": "grids.diffusion.api",
    "fma": "equations.functions",
    "from_quantlib": "pricing.quantlib",
    "grid": "equations.api",
    "machine": "machines.api",
    "map": "tasks.api",
    "melt": "melting.api",
    "price": "pricing.api",
    "simulate": "sim.api",
    "simulate_grid": "sim.grids.api",
    "simulate_phases": "graph.api",
    "year_fraction": "pricing.daycount",
}
"""Where each public name is, below makespan."""

__all__ = sorted(_HOMES)  # noqa: PLE0605 - __init__.pyi has it as a list


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("makespan.base.version").version()
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'makespan' has no attribute '{name}'")
    return getattr(import_module(f"makespan.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
