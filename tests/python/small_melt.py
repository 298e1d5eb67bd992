# SPDX-License-Identifier: Apache-2.0
"""A melt that takes a few milliseconds: 864 atoms in 27 cells."""

from __future__ import annotations

from pathlib import Path

SMALL = """
[system]
lattice_cells = [6, 6, 6]
[run]
steps = 20
thermo_steps = 10
frame_steps = 10
[objects]
cells = [3, 3, 3]
phase_steps = 5
checkpoint_phases = 1
"""
ATOMS = 864


def small_input(folder: Path, text: str = SMALL) -> Path:
    """The file of it."""
    path = folder / "in.toml"
    path.write_text(text)
    return path
