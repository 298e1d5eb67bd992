# SPDX-License-Identifier: Apache-2.0
"""What makespan can do without: extras of the package, and the libraries that each brings.

`pip install makespan` prices, maps, simulates, balances, melts, computes grids and shows machines.
The rest asks here, before anything long begins, whether its library is there (docs/decisions/0081).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec

from makespan.base.errors import NotConfiguredError


@dataclass(frozen=True, slots=True)
class Extra:
    """One line of `[project.optional-dependencies]` that users install."""

    name: str
    modules: tuple[str, ...]
    """What is imported; each has the name of its distribution."""
    gives: str

    @property
    def command(self) -> str:
        """What installs it."""
        return f'pip install "makespan[{self.name}]"'

    def missing(self) -> list[str]:
        """Its libraries that are not installed; nothing is imported to tell."""
        return [module for module in self.modules if not _is_installed(module)]


EXTRAS = {
    extra.name: extra
    for extra in (
        Extra("reports", ("plotly",), "pages that --report writes"),
        Extra("grids", ("h5py", "matplotlib"), "checkpoints, files and pictures of grids"),
        Extra("arrow", ("pyarrow",), "books and prices as Arrow files and tables"),
        Extra("graphs", ("brotli", "zstandard"), "graphs and mappings that are compressed"),
        Extra("quantlib", ("QuantLib",), "options and processes of QuantLib as books and curves"),
    )
}
"""Those whose libraries are imported. `mpi` brings programs, which doctor looks for."""


def require(name: str, *, for_: str) -> None:
    """Raises `NotConfiguredError` where a library of the extra is missing.

    `for_` is what asked for it, as its user wrote it: a flag, a file, an argument.
    """
    extra = EXTRAS[name]
    missing = extra.missing()
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise NotConfiguredError(
            f"{for_} ({' and '.join(missing)} {verb} not installed): {extra.command}"
        )


def _is_installed(module: str) -> bool:
    if module in sys.modules:
        return sys.modules[module] is not None
    try:
        return find_spec(module) is not None
    except ImportError:  # who stands in the way of an import says so
        return False
