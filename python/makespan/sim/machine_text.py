# SPDX-License-Identifier: Apache-2.0
"""Reading machine descriptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.settings.toml_lines import key_lines
from makespan.sim.files.description import HINT, DescriptionFile, Opened, opened
from makespan.sim.files.node_table import NODE
from makespan.sim.files.tables_reader import TablesReader
from makespan.sim.input import KIND, NETWORK, NETWORK_UNITS, RUN
from makespan.sim.machine import Machine, calm_settings, device_of, events_of, network_of
from makespan.sim.platform_file import platform_hosts, platform_images

_TABLES = ("kind", "node", "network", "run")


def read_machine(path: Path) -> Machine:
    """Reads a description, or a SimGrid platform, whose hosts are nodes.

    Raises `InputError`: file, line, and what would be right.
    """
    return opened_machine(opened(path))


def opened_machine(description: Opened) -> Machine:
    """The same of what was opened."""
    if isinstance(description, Mapping):
        return machine_of("machine", description)
    if isinstance(description, DescriptionFile):
        lines = key_lines(description.text)
        return _Reader(str(description.path), description.tables, lines, HINT).machine()
    images = platform_images(description)
    network = network_of(platform=str(description))
    return Machine(str(description), tuple(images), calm_settings(network))


def machine_of(source: str, tables: Mapping[str, Any]) -> Machine:
    """The same of a description's tables at hand; `source` is what messages call it."""
    return _Reader(source, tables, {}, HINT).machine()


def platform_of(description: Opened) -> Path | None:
    """The SimGrid platform that it names, relative to its own folder; None: it names none."""
    if isinstance(description, Path):
        return description
    if isinstance(description, DescriptionFile):
        return _platform_in(description.tables, description.path.parent)
    return _platform_in(description, Path())


def _platform_in(tables: Mapping[str, Any], folder: Path) -> Path | None:
    network = tables.get("network")
    given = network.get("platform") if isinstance(network, Mapping) else None
    return folder / given if given and isinstance(given, str) else None


class _Reader(TablesReader):
    def machine(self) -> Machine:
        self._expect_tables(_TABLES)
        images = self._images(NODE, self._kinds())
        devices = sum(len(image["devices"]) for image in images)
        run = self._one("run", RUN)
        return Machine(
            self._source,
            tuple(images),
            {
                "network": self._network(images[-1]["node"] + 1),
                "seed": run["seed"],
                "losses_noticed_after": float(run["losses_noticed_s"]),
                "result_bytes": float(run["result_bytes"]),
                **self._events(run["perturb"], devices, len(images)),
            },
            knows_speeds=run["knows_speeds"],
        )

    def _kinds(self) -> dict[str, dict[str, Any]]:
        return {
            name: device_of(
                name,
                values["threads"],
                float(values["speed"]),
                together=float(values["together"]),
                mode=values["mode"],
                claim=values["claim_us"] * 1e-6,
                launch=values["launch_us"] * 1e-6,
                piece=values["piece_us"] * 1e-6,
                noise=float(values["noise"]),
            )
            for name, values in self._kind_values(KIND, "speed").items()
        }

    def _network(self, nodes: int) -> dict[str, Any]:
        """As the engine takes it."""
        values = self._one("network", NETWORK)
        return {
            "platform": self._platform(values["platform"] or "", nodes),
            **{name: values[key] * unit for key, (name, unit) in NETWORK_UNITS.items()},
            "progress": values["progress"],
        }

    def _platform(self, given: str, nodes: int) -> str:
        """The path, relative to the description, of a platform that has a host for each node."""
        if not given:
            return ""
        for name in ("latency_us", "bandwidth_gb"):
            if name in self._document["network"]:
                self._refuse(
                    ("network", 0, name),
                    f"[network] {name}: the platform's routes have one: leave it out",
                )
        path = Path(self._source).parent / given
        hosts = len(platform_hosts(path))
        if hosts < nodes:
            self._refuse(
                ("network", 0, "platform"),
                f"[network] platform: {path} has {hosts} hosts, and there are {nodes} nodes: give "
                "a host for each",
            )
        return str(path)

    def _events(self, texts: Sequence[str], devices: int, images: int) -> dict[str, Any]:
        try:
            return events_of(texts, devices, images)
        except InputError as error:
            self._refuse(("run", 0, "perturb"), f"[run] perturb: {error}")
