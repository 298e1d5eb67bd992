# SPDX-License-Identifier: Apache-2.0
"""A machine of the engine, from wherever it comes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.base.engine import Engine
from makespan.base.errors import InputError, NotConfiguredError
from makespan.base.setting_names import called
from makespan.machines.machine_file import machine_text
from makespan.machines.network_file import network_path, read_network


@dataclass(slots=True)
class KnownMachine:
    """The engine's machine; `source` is a host's name, a file, or a description."""

    engine_machine: Any
    source: str
    sampling: str = ""
    network: dict[str, Any] | None = None

    def places(self) -> list[dict[str, Any]]:
        """The tree: each place before all that is below it."""
        return list(self.engine_machine.places())


def known_machine(engine: Engine, file: Path | None, synthetic: str | None) -> KnownMachine:
    """From a file, from hwloc's synthetic description, or this one. Raises `InputError`."""
    if file is not None and synthetic is not None:
        raise InputError(
            f"a machine is from a file or {called('synthetic')}, not both; leave one out"
        )
    try:
        if file is not None:
            text, source = machine_text(file), _shown(str(file))
            found = engine.Machine.from_xml(text, source)
            return KnownMachine(found, source, network=read_network(network_path(file), text))
        if synthetic is not None:
            if _shown(synthetic) != synthetic:
                raise InputError(
                    f"{called('synthetic')} {_shown(synthetic)}: it is no UTF-8; write it as in "
                    "'package:2 core:4 pu:1'"
                )
            return KnownMachine(engine.Machine.synthetic(synthetic), synthetic)
        import platform

        return KnownMachine(engine.Machine.this_one(), platform.node() or "this machine")
    except ValueError as error:
        raise InputError(str(error)) from error
    except NotImplementedError as error:
        raise NotConfiguredError(
            f"{error}; install libhwloc-dev and build makespan again"
        ) from error


def _shown(text: str) -> str:
    """With escapes in place of bytes that are no UTF-8, which names of files may have."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
