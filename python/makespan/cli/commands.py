# SPDX-License-Identifier: Apache-2.0
"""The list of commands: one line for each; nothing of a command is loaded before it is used."""

from __future__ import annotations

COMMANDS = {
    "price": ("makespan.pricing.command", "Price a book of Asian options."),
    "melt": ("makespan.melting.command", "Run a melt of Lennard-Jones atoms."),
    "calcium": ("makespan.grids.calcium.command", "Compute a calcium spark in a heart cell."),
    "diffuse": ("makespan.grids.diffusion.command", "Diffuse a field on a regular grid."),
    "balance": ("makespan.graph.command", "Place the objects of a graph on a machine."),
    "simulate": ("makespan.sim.command", "Run a bag on a machine that is described."),
    "machine": ("makespan.machines.command", "Show and measure a machine."),
    "doctor": ("makespan.doctor.command", "Say what works here, and what mends the rest."),
}
"""By name: the module that has the command as `COMMAND`, and its line of the first screen."""
