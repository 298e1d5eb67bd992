# SPDX-License-Identifier: Apache-2.0
"""What lies between the images of a job, in a file beside the machine's: `node.network.json`.

It holds two digests: its own, and that of the machine's file with which it was written. So neither
a flipped bit passes for a measurement, nor an older network for that of a machine measured anew.
"""

from __future__ import annotations

import hashlib
import json
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError

FORMAT = "makespan network"
VERSION = 1
_DIGEST_BYTES = 16
_HEAD_BYTES = 256
"""The format stands first."""
_AGAIN = "measure again with --measure -o, or remove it"
_TABLES = ("latencies", "bandwidths")


def network_path(machine: Path) -> Path:
    """The file that belongs to a machine file, which must have a name."""
    return machine.with_name(f"{machine.stem}.network.json")


def files_of(machine: Path) -> tuple[Path, ...]:
    """What is read of a machine: its file, and that of its network, which need not be there."""
    return (machine, network_path(machine)) if machine.name else (machine,)


def network_text(network: dict[str, Any], machine: str) -> str:
    """`network` as the engine gives it: transport, hosts, tables row by row.

    `machine` is the text of the machine's file.
    """
    document = {"format": FORMAT, "version": VERSION, "machine": _digest(machine), **network}
    return json.dumps({**document, "digest": _own_digest(document)}, indent=1) + "\n"


def read_network(path: Path, machine: str) -> dict[str, Any] | None:
    """What such a file holds; None if there is none. Raises `InputError`.

    `machine` is the text of the machine's file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); {_AGAIN}") from error
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: {error.msg}; {_AGAIN}") from error
    except (ValueError, RecursionError) as error:  # digits without end, lists in lists
        raise InputError(f"{path}: cannot be read ({error}); {_AGAIN}") from error
    flaw = _flaw(document, machine)
    if flaw is not None:
        raise InputError(f"{path}: {flaw}; {_AGAIN}")
    return {name: document[name] for name in ("transport", "hosts", *_TABLES)}


def remove_network(machine: Path) -> None:
    """That of a machine file which is written without one: it was measured with another.

    A file of that name which is no network file stays. Raises `InputError`.
    """
    path = network_path(machine)
    try:
        if path.is_file() and FORMAT.encode() in path.read_bytes()[:_HEAD_BYTES]:
            path.unlink()
    except OSError as error:
        raise InputError(
            f"{path} was measured with another {machine.name} than the one that was written now, "
            f"and cannot be removed ({error.strerror}): remove it"
        ) from error


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def _own_digest(document: dict[str, Any]) -> str:
    """Of all but the digest itself."""
    rest = {name: value for name, value in document.items() if name != "digest"}
    return _digest(json.dumps(rest, sort_keys=True))


def _flaw(document: object, machine: str) -> str | None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return f'it is no network file (it has no "format": "{FORMAT}")'
    if document.get("version") != VERSION:
        return f"it is of version {document.get('version')!r} (this makespan reads {VERSION})"
    if document.get("digest") != _own_digest(document):
        return "it is not as it was written (a digit is another than it was)"
    if document.get("machine") != _digest(machine):
        return "it was measured with another machine file than the one beside it"
    return _flaw_of_tables(document)


def _flaw_of_tables(document: dict[str, Any]) -> str | None:
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


def between_nodes(
    network: Mapping[str, Any] | None, latency_us: float | None, bandwidth_gb: float | None
) -> tuple[float | None, float | None, str]:
    """Latency [s] and bandwidth [B/s] from node to node, and where each comes from.

    As given, else what is typical of the network that was measured, else None: to be assumed.
    """
    given = (
        None if latency_us is None else latency_us * 1e-6,
        None if bandwidth_gb is None else bandwidth_gb * 1e9,
    )
    found: list[float | None] = []
    said = []
    for value, name in zip(given, ("latencies", "bandwidths"), strict=True):
        measured = None if network is None else typical(network, name)
        found.append(measured if value is None else value)
        if value is not None:
            said.append("as given")
        else:
            said.append(
                "assumed" if measured is None else "typical of the hosts that were measured"
            )
    same = len(set(said)) == 1
    how = said[0] if same else f"latency {said[0]}, bandwidth {said[1]}"
    return found[0], found[1], how


def typical(network: Mapping[str, Any], name: str) -> float | None:
    """The median of `latencies` [s] or `bandwidths` [B/s] between images of different hosts."""
    hosts, values = network["hosts"], network[name]
    images = range(len(hosts))
    found = [
        values[one * len(hosts) + other]
        for one in images
        for other in images
        if hosts[one] != hosts[other] and values[one * len(hosts) + other] > 0
    ]
    return statistics.median(found) if found else None
