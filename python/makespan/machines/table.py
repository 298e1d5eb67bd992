# SPDX-License-Identifier: Apache-2.0
"""A machine in a terminal: its tree, and a table of what is in it and what was measured."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from makespan.base.number_text import count_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

    from makespan.machines.known_machine import KnownMachine

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


def cost_text(value: float, matrix: Mapping[str, Any]) -> str:
    """31.4 ns, 22.1 GB/s; a plain number of a matrix that is not ours; - of what is unknown."""
    if value == 0:
        return "-"
    if not matrix["in_si_units"]:
        return f"{value:.4g}"
    if matrix["kind"] == "latency":
        return f"{value * 1e9:.3g} ns" if value < 1e-6 else f"{value * 1e6:.3g} us"
    return f"{value * 1e-9:.3g} GB/s"


def counts(machine: KnownMachine) -> dict[str, int]:
    """How many there are of what matters."""
    kinds = [place["kind"] for place in machine.places()]
    return {kind: kinds.count(kind) for kind in _COUNTED}


def counts_text(machine: KnownMachine) -> str:
    """2 packages, 4 NUMA nodes, 16 cores, 32 PUs, 4 GPUs."""
    found = counts(machine)
    return ", ".join(count_text(found[kind], _NOUNS[kind]) for kind in _COUNTED if found[kind])


def machine_tree(machine: KnownMachine) -> Tree:
    """Neighbours that are alike in all below them are one line, which says how many they are."""
    from rich.markup import escape
    from rich.tree import Tree

    children: dict[int | None, list[Place]] = {}
    for place in machine.places():
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

    root = machine.places()[0]
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


def spread(values: Sequence[float]) -> tuple[float, float, float] | None:
    """Least, median and greatest of what is known."""
    known = [value for value in values if value > 0]
    return (min(known), statistics.median(known), max(known)) if known else None


def cost_table(machine: KnownMachine) -> RenderableType:
    """A row for each matrix."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("measured")
    for name in ("pairs", "least", "median", "greatest", "NUCO factor"):
        table.add_column(name, justify="right")
    for name, row in cost_rows(machine):
        table.add_row(name, *row)
    return table


def cost_rows(machine: KnownMachine) -> list[tuple[str, list[str]]]:
    """Name, pairs, least, median, greatest, and the greatest NUCO factor of each matrix."""
    matrices = machine.matrices() + ([] if machine.network is None else network_matrices(machine))
    rows = []
    for matrix in matrices:
        found = spread(matrix["values"])
        if found is None:
            continue
        pairs = sum(value > 0 for value in matrix["values"])
        factor = max(matrix["nuco"]) if matrix["nuco"] else None
        texts = [cost_text(value, matrix) for value in found]
        nuco = "" if factor is None else f"up to {factor:.3g}"
        rows.append((title_of(matrix["name"]), [str(pairs), *texts, nuco]))
    return rows


def network_matrices(machine: KnownMachine) -> list[dict[str, Any]]:
    """What lies between images, in the form of the machine's own matrices, with labels."""
    network = machine.network or {}
    labels = [f"image {number} on {host}" for number, host in enumerate(network["hosts"])]
    shared = {"in_si_units": True, "labels": labels}
    return [
        {
            **shared,
            "name": "makespan:image_latency",
            "kind": "latency",
            "values": network["latencies"],
            "nuco": network["nuco"],
        },
        {
            **shared,
            "name": "makespan:image_bandwidth",
            "kind": "bandwidth",
            "values": network["bandwidths"],
            "nuco": None,
        },
    ]


def title_of(name: str) -> str:
    """`core latency` of makespan:core_latency."""
    ours = name.removeprefix("makespan:")
    return name if ours == name else ours.replace("_", " ")
