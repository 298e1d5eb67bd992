# SPDX-License-Identifier: Apache-2.0
"""A machine in a terminal: its tree, and a table of what is in it and what was measured."""

from __future__ import annotations

import io
import math
import statistics
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from makespan.base.number_text import count_text, time_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

    from makespan.machines.outcome import CostMatrix, MachineResult

_BYTE_UNITS = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
_COUNTED = ("package", "numa_node", "core", "pu", "gpu")
_SHOWN = {"machine", "package", "die", "group", "numa_node", "cache", "core", "pu", "gpu"}
_NOUNS = {"package": "package", "numa_node": "NUMA node", "core": "core", "pu": "PU", "gpu": "GPU"}

Place = Mapping[str, Any]


def bytes_text(count: int) -> str:
    """32 MiB; nothing of 0."""
    for unit, name in _BYTE_UNITS:
        if count >= unit:
            return f"{count / unit:.4g} {name}"
    return f"{count} B" if count else ""


def cost_text(value: float, matrix: CostMatrix) -> str:
    """31.4 ns, 22.1 GB/s; a plain number of a matrix that is not ours; - of what is unknown."""
    if math.isnan(value):
        return "-"
    if matrix.unit is None:
        return f"{value:.4g}"
    if matrix.kind == "latency":
        return time_text(value, 3)
    return f"{value * 1e-9:.3g} GB/s" if value < 999.5e9 else f"{value * 1e-12:.3g} TB/s"


def counts(machine: MachineResult) -> dict[str, int]:
    """How many there are of what matters."""
    kinds = [place["kind"] for place in machine.tree]
    return {kind: kinds.count(kind) for kind in _COUNTED}


def counts_text(machine: MachineResult) -> str:
    """2 packages, 4 NUMA nodes, 16 cores, 32 PUs, 4 GPUs."""
    found = counts(machine)
    return ", ".join(count_text(found[kind], _NOUNS[kind]) for kind in _COUNTED if found[kind])


def machine_tree(machine: MachineResult) -> Tree:
    """Neighbours that are alike in all below them are one line, which says how many they are."""
    from rich.markup import escape
    from rich.tree import Tree

    children: dict[int | None, list[Place]] = {}
    for place in machine.tree:
        if place["kind"] in _SHOWN:
            children.setdefault(place["parent"], []).append(place)

    def shape(place: Place) -> tuple[Any, ...]:
        below = tuple(shape(child) for child in children.get(place["place"], ()))
        return (place["type"], place["name"], place["bytes"], below)

    def add(tree: Tree, place: Place) -> None:
        below = children.get(place["place"], [])
        # One PU on each core says nothing.
        below = [p for p in below if p["kind"] != "pu" or len(below) > 1]
        start = 0
        while start < len(below):
            end = start + 1
            while end < len(below) and shape(below[end]) == shape(below[start]):
                end += 1
            branch = tree.add(escape(_line(below[start], end - start)))
            add(branch, below[start])
            start = end

    root = machine.tree[0]
    tree = Tree(escape(f"{machine.source}: {counts_text(machine)}"))
    add(tree, root)
    return tree


def _line(place: Place, alike: int) -> str:
    number = place["label"].rpartition(" ")[2]
    last = int(number) + alike - 1
    head = f"{place['label']}" if alike == 1 else f"{alike} x {place['type']} {number}-{last}"
    details = [bytes_text(place["bytes"]), place["name"]]
    text = ", ".join(detail for detail in details if detail)
    return f"{head} ({text})" if text else head


COST_COLUMNS = ("pairs", "least", "median", "greatest")


def cost_table(machine: MachineResult) -> RenderableType:
    """A row for each matrix."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("measured")
    for name in COST_COLUMNS:
        table.add_column(name, justify="right")
    for name, row in cost_rows(machine):
        table.add_row(escape(name), *row)
    return table


def cost_rows(machine: MachineResult) -> list[tuple[str, list[str]]]:
    """Name, pairs, least, median and greatest of each matrix, and of NUCO factors of domains."""
    rows = []
    for matrix in machine.costs:
        known = matrix.known.tolist()
        if not known:
            continue
        found = (min(known), statistics.median(known), max(known))
        texts = [cost_text(value, matrix) for value in found]
        rows.append((title_of(matrix.name), [str(len(known)), *texts]))
    factors = factors_between(machine)
    is_known = machine.domains is not None and machine.domains.latency_source != "assumed"
    if rows and factors and is_known:
        found = (min(factors), statistics.median(factors), max(factors))
        texts = [f"{value:.3g}" for value in found]
        rows.append(("NUCO factor between domains", [str(len(factors)), *texts]))
    return rows


def factors_between(machine: MachineResult) -> list[float]:
    """NUCO factors from each domain of cores to each other."""
    if machine.domains is None:
        return []
    table = machine.domains.nuco.tolist()
    return [value for a, row in enumerate(table) for b, value in enumerate(row) if a != b]


def title_of(name: str) -> str:
    """`core latency` of makespan:core_latency."""
    if not name:
        return "unnamed"
    ours = name.removeprefix("makespan:")
    return name if ours == name else ours.replace("_", " ")


def tree_text(machine: MachineResult, width: int) -> str:
    """The tree without colours."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(machine_tree(machine))
    return capture.get()
