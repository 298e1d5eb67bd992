# SPDX-License-Identifier: Apache-2.0
"""What lies between the images of a job, in a file beside the machine's: `node.network.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from makespan.errors import InputError

FORMAT = 1
_TABLES = ("latencies", "bandwidths")


def network_path(machine: Path) -> Path:
    """The file that belongs to a machine file."""
    return machine.with_name(f"{machine.stem}.network.json")


def network_text(network: dict[str, Any]) -> str:
    """`network` as the engine gives it: transport, hosts, tables row by row."""
    kept = {name: value for name, value in network.items() if name != "nuco"}
    return json.dumps({"format": FORMAT, **kept}, indent=1) + "\n"


def read_network(path: Path) -> dict[str, Any] | None:
    """What such a file holds; None if there is none. Raises `InputError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); remove it") from error
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}, line {error.lineno}: {error.msg}; remove or repair it"
        ) from error
    flaw = _flaw(document)
    if flaw is not None:
        raise InputError(f"{path}: {flaw}; measure again with --measure -o")
    del document["format"]
    return {**document, "nuco": _factors(document["latencies"], len(document["hosts"]))}


def _flaw(document: object) -> str | None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return f"it is no network file of format {FORMAT}"
    hosts = document.get("hosts")
    if not isinstance(hosts, list) or not all(isinstance(host, str) for host in hosts):
        return "'hosts' is no list of names"
    if not isinstance(document.get("transport"), str):
        return "'transport' is no text"
    for name in _TABLES:
        table = document.get(name)
        if (
            not isinstance(table, list)
            or len(table) != len(hosts) ** 2
            or not all(isinstance(v, int | float) and v >= 0 for v in table)
        ):
            return f"'{name}' is no list of {len(hosts)} x {len(hosts)} numbers"
    return None


def _factors(latencies: list[float], images: int) -> list[float]:
    """As nuco.hpp has it: over the least latency of each row; 0 is unknown."""
    rows = [latencies[row * images : (row + 1) * images] for row in range(images)]
    least = [min((v for v in row if v > 0), default=0.0) for row in rows]
    return [v / near if near else 0.0 for row, near in zip(rows, least, strict=True) for v in row]
