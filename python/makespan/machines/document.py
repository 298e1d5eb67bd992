# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan machine --json`, and its record."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from makespan.base.engine import Engine
from makespan.machines.outcome import CostMatrix, Domains, MachineResult, Network
from makespan.machines.table import counts
from makespan.report.run_record import plain, record_head

if TYPE_CHECKING:
    from makespan.machines.outputs import MachineRequest


def machine_document(machine: MachineResult) -> str:
    """All that is known of a machine; null is what is not."""
    document = {"format": "makespan machine", "version": 1, **_figures(machine)}
    return json.dumps(plain(document), allow_nan=False) + "\n"


def record_beginning(engine: Engine, request: MachineRequest) -> dict[str, Any]:
    """What measured a machine, how and when."""
    settings = {name: request.given[name] for name in ("synthetic", "measure", "seconds")}
    return {**record_head(engine, "machine", request.command), "settings": settings}


def machine_record(machine: MachineResult) -> dict[str, Any]:
    """That, and all that is known of the machine; plain JSON values."""
    return dict(plain({**machine.told, **_figures(machine)})) if machine.told else {}


def _figures(machine: MachineResult) -> dict[str, Any]:
    return {
        "source": machine.source,
        "counts": counts(machine),
        "places": machine.tree,
        "matrices": [_matrix(matrix) for matrix in machine.matrices],
        "sampling": machine.sampling or None,
        "domains": None if machine.domains is None else _domains(machine.domains),
        "network": None if machine.network is None else _network(machine.network),
    }


def _matrix(matrix: CostMatrix) -> dict[str, Any]:
    return {
        "name": matrix.name,
        "kind": matrix.kind,
        "unit": matrix.unit,
        "from": matrix.rows,
        "to": matrix.columns,
        "values": matrix.values.tolist(),
    }


def _domains(domains: Domains) -> dict[str, Any]:
    return {
        "labels": domains.labels,
        "latencies": domains.latencies.tolist(),
        "receive_s": domains.receive_s.tolist(),
        "bandwidths": domains.bandwidths.tolist(),
        "nuco": domains.nuco.tolist(),
        "latency_source": domains.latency_source,
        "bandwidth_source": domains.bandwidth_source,
    }


def _network(network: Network) -> dict[str, Any]:
    return {
        "transport": network.transport,
        "hosts": network.hosts,
        "latencies": network.latencies.values.tolist(),
        "bandwidths": network.bandwidths.values.tolist(),
    }
