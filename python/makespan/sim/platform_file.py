# SPDX-License-Identifier: Apache-2.0
"""Platforms as SimGrid describes them: XML files of hosts, links and routes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.base.number_text import prefixed_text
from makespan.base.setting_names import called
from makespan.files.text_file import file_text
from makespan.sim.machine import device_of
from makespan.sim.subprocess_run import DiedError, answer

BYTES_MAX = 1 << 26
_HINT = "see https://simgrid.org/doc/latest/Platform_reference.html"
_PARSE_ERROR = re.compile(r"Parse error at .*?:(\d+): (?:Invalid XML \(.*?\): )?(.*)", re.DOTALL)
_MACHINE_FILE = re.compile(r"\A(?:\s*<[?!][^>]*>)*\s*<topology\b")
_NOT_FOUND = re.compile(r"not found: (\S+)$")


@dataclass(frozen=True, slots=True)
class Host:
    """A node."""

    name: str
    speed: float
    """Of a core, in work per second."""
    cores: int


def platform_hosts(path: Path) -> list[Host]:
    """Its hosts, by name. Raises `InputError`: file, line where there is one, what is wrong."""
    text = file_text(path, BYTES_MAX, _HINT)
    if _MACHINE_FILE.search(text):
        raise InputError(
            f"{path}: a machine file of hwloc, and no platform: give {called('machine')} {path}"
        )
    try:
        return [Host(*row) for row in answer({"platform": str(path)})]
    except InputError as error:
        raise InputError(_message(path, text, str(error))) from error
    except DiedError as error:
        raise InputError(
            f"{path}: SimGrid finds no way between its hosts: give a route for each pair; {_HINT}"
        ) from error


def platform_images(path: Path) -> list[dict[str, Any]]:
    """A process for each host, whose cores claim for themselves. Raises as `platform_hosts`."""
    return [
        {
            "node": node,
            "devices": [
                device_of(
                    f"{host.cores}x{prefixed_text(host.speed)}".replace(" ", ""),
                    host.cores,
                    host.speed * host.cores,
                )
            ],
        }
        for node, host in enumerate(platform_hosts(path))
    ]


def _message(path: Path, text: str, said: str) -> str:
    """What SimGrid said, with the line that it told, or that names what was not found."""
    reason = said.removeprefix(f"{path} (").rpartition(")")[0] or said
    parsed = _PARSE_ERROR.match(reason)
    if parsed:
        return f"{path}, line {parsed[1]}: {parsed[2].rstrip('.')}; {_HINT}"
    missing = _NOT_FOUND.search(reason)
    if missing:
        for number, line in enumerate(text.splitlines(), start=1):
            if f'"{missing[1]}"' in line or f"'{missing[1]}'" in line:
                return f"{path}, line {number}: {reason}; {_HINT}"
    return f"{path}: {reason}; {_HINT}"
