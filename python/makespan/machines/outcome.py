# SPDX-License-Identifier: Apache-2.0
"""What is known of a machine, as numbers: its places, and what it costs to get between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from makespan.machines.known_machine import KnownMachine


@dataclass(frozen=True, slots=True, eq=False)
class CostMatrix:
    """Costs between places, from rows to columns; NaN is what is not known."""

    name: str
    """`makespan:core_latency`; of a file, what its author chose."""
    kind: str
    """latency or bandwidth"""
    unit: str | None
    """s or B/s; None: a number without a unit, in a file that is not ours."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    """shape (rows, columns)"""
    row_places: tuple[int, ...] = ()
    """Numbers in the tree; none between images."""
    column_places: tuple[int, ...] = ()

    @property
    def known(self) -> NDArray[np.float64]:
        """What is known, in one row."""
        found: NDArray[np.float64] = self.values[~np.isnan(self.values)]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """What lies between the images of a job, measured; rows and columns are images."""

    transport: str
    hosts: tuple[str, ...]
    """By image."""
    latencies: CostMatrix
    bandwidths: CostMatrix


@dataclass(frozen=True, slots=True, eq=False)
class Domains:
    """Cores that are equally near to all others, and what messages between them cost.

    Tables have rows by sender and columns by receiver: what balancers weigh.
    """

    labels: tuple[str, ...]
    latencies: NDArray[np.float64]
    """[s]"""
    receive_s: NDArray[np.float64]
    """Of the receiver's time, of many messages."""
    bandwidths: NDArray[np.float64]
    """[bytes/s]"""
    nuco: NDArray[np.float64]
    """NUCO factors: a latency over that within the receiver's own domain."""
    latency_source: str
    """The matrix that most of it is from, or `assumed`."""
    bandwidth_source: str


@dataclass(frozen=True, slots=True, eq=False)
class MachineResult:
    """What a machine consists of, and how far apart its places are."""

    source: str
    """A host's name, a file, or a description."""
    tree: tuple[Mapping[str, Any], ...]
    """Each place before all that is below it: place, parent, kind, type, label, name, bytes, ..."""
    matrices: tuple[CostMatrix, ...]
    domains: Domains | None
    """Of its cores; None where it knows none."""
    network: Network | None
    sampling: str
    """Between which places was measured, where there are too many for all; "" for all."""
    xml: str
    """hwloc's, with what was measured: a machine file."""
    weights: str | None = None
    """For another program, where they were asked for."""
    others: tuple[MachineResult, ...] = ()
    """Those of further files, where several were given for weights."""
    told: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What the record says besides the figures; nothing of `others`."""

    @property
    def record(self) -> dict[str, Any]:
        """The run record, as --record writes it: docs/reference/record.md; empty of `others`."""
        from makespan.machines.document import machine_record

        return machine_record(self)

    def label(self, place: int) -> str:
        """`Core 3`."""
        return str(self.tree[place]["label"])

    def matrix(self, name: str) -> CostMatrix | None:
        """The one of that name: `makespan:core_latency`."""
        return next((one for one in self.matrices if one.name == name), None)

    @property
    def costs(self) -> tuple[CostMatrix, ...]:
        """Within the machine, then between images."""
        if self.network is None:
            return self.matrices
        return (*self.matrices, self.network.latencies, self.network.bandwidths)

    def _repr_html_(self) -> str:
        from makespan.machines.page import summary_html

        return "".join(summary_html(self))


def result_of(known: KnownMachine) -> MachineResult:
    """What the engine's machine is made of."""
    tree = tuple(known.places())
    return MachineResult(
        known.source,
        tree,
        tuple(_matrix(tree, matrix) for matrix in known.engine_machine.matrices()),
        _domains(known.engine_machine.domains()),
        None if known.network is None else _network(known.network),
        known.sampling,
        known.engine_machine.xml(),
    )


def _matrix(tree: Sequence[Mapping[str, Any]], matrix: Mapping[str, Any]) -> CostMatrix:
    rows, columns = tuple(matrix["from"]), tuple(matrix["to"])
    unit = "s" if matrix["kind"] == "latency" else "B/s"
    return CostMatrix(
        matrix["name"],
        matrix["kind"],
        unit if matrix["in_si_units"] else None,
        tuple(str(tree[place]["label"]) for place in rows),
        tuple(str(tree[place]["label"]) for place in columns),
        _table(matrix["values"], len(rows)),
        rows,
        columns,
    )


def _domains(found: Mapping[str, Any] | None) -> Domains | None:
    if found is None:
        return None
    labels = tuple(found["labels"])
    return Domains(
        labels=labels,
        latencies=_table(found["latencies"], len(labels)),
        receive_s=_table(found["receive_s"], len(labels)),
        bandwidths=_table(found["bandwidths"], len(labels)),
        nuco=_table(found["nuco"], len(labels)),
        latency_source=found["latency_source"],
        bandwidth_source=found["bandwidth_source"],
    )


def _network(network: Mapping[str, Any]) -> Network:
    hosts = tuple(network["hosts"])
    images = tuple(f"image {number} on {host}" for number, host in enumerate(hosts))
    values = {name: _table(network[name], len(hosts)) for name in ("latencies", "bandwidths")}
    return Network(
        network["transport"],
        hosts,
        CostMatrix("makespan:image_latency", "latency", "s", images, images, values["latencies"]),
        CostMatrix(
            "makespan:image_bandwidth", "bandwidth", "B/s", images, images, values["bandwidths"]
        ),
    )


def _table(values: Sequence[float], rows: int) -> NDArray[np.float64]:
    """Row by row, where 0 is what is not known."""
    table = np.array(values, dtype=np.float64).reshape(rows, len(values) // max(rows, 1))
    table[table == 0.0] = np.nan
    table.setflags(write=False)
    return table
