# SPDX-License-Identifier: Apache-2.0
"""The JSON document of `makespan machine --json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from makespan.machines.table import counts

if TYPE_CHECKING:
    from makespan.machines.known_machine import KnownMachine


def machine_document(machine: KnownMachine) -> str:
    """`{"source", "counts", "places", "matrices", "network"}`; null is what is not known."""
    document = {
        "source": machine.source,
        "counts": counts(machine),
        "places": machine.places(),
        "matrices": [_matrix(machine, matrix) for matrix in machine.matrices()],
        "sampling": machine.sampling or None,
        "network": _network(machine.network),
    }
    return json.dumps(document, allow_nan=False) + "\n"


def _matrix(machine: KnownMachine, matrix: dict[str, Any]) -> dict[str, Any]:
    columns = len(matrix["to"])
    return {
        "name": matrix["name"],
        "kind": matrix["kind"],
        "unit": _unit(matrix),
        "from": [machine.label(place) for place in matrix["from"]],
        "to": [machine.label(place) for place in matrix["to"]],
        "values": _rows(matrix["values"], columns),
        "nuco": None if matrix["nuco"] is None else _rows(matrix["nuco"], columns),
    }


def _unit(matrix: dict[str, Any]) -> str | None:
    if not matrix["in_si_units"]:
        return None
    return "s" if matrix["kind"] == "latency" else "B/s"


def _network(network: dict[str, Any] | None) -> dict[str, Any] | None:
    if network is None:
        return None
    images = len(network["hosts"])
    tables = {name: _rows(network[name], images) for name in ("latencies", "bandwidths", "nuco")}
    return {"transport": network["transport"], "hosts": network["hosts"], **tables}


def _rows(values: list[float], columns: int) -> list[list[float | None]]:
    known = [value or None for value in values]
    return [known[start : start + columns] for start in range(0, len(known), columns)]
