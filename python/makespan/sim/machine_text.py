# SPDX-License-Identifier: Apache-2.0
"""Reading machine descriptions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from makespan.base.errors import InputError
from makespan.files.text_file import file_text
from makespan.settings.algorithm import unknown
from makespan.settings.input_file import parsed_toml
from makespan.settings.setting import Setting, by_name, defaults, toml_text
from makespan.settings.toml_lines import Place, key_lines
from makespan.sim.input import KIND, NETWORK, NETWORK_UNITS, NODE, RUN
from makespan.sim.machine import Machine, calm_settings, device_of, events_of, network_of
from makespan.sim.platform_file import SUFFIX, platform_hosts, platform_images

BYTES_MAX = 1 << 20
DEVICES_MAX = 1 << 20
_HINT = "`makespan simulate --example` shows one"
_TABLES = ("kind", "node", "network", "run")


def read_machine(path: Path) -> Machine:
    """Reads a description, or a SimGrid platform, whose hosts are nodes.

    Raises `InputError`: file, line, and what would be right.
    """
    if path.suffix == SUFFIX:
        images = platform_images(path)
        network = network_of(platform=str(path))
        return Machine(str(path), tuple(images), calm_settings(network))
    text = file_text(path, BYTES_MAX, _HINT)
    return _Reader(str(path), parsed_toml(path, text, _HINT), key_lines(text)).machine()


def machine_of(source: str, tables: Mapping[str, Any]) -> Machine:
    """The same of a description's tables at hand; `source` is what messages call it."""
    return _Reader(source, tables, {}).machine()


class _Reader:
    def __init__(self, source: str, tables: Mapping[str, Any], lines: Mapping[Place, int]) -> None:
        self._source = source
        self._document = tables
        self._lines = lines

    def machine(self) -> Machine:
        for name in self._document:
            if name not in _TABLES:
                self._refuse((name, 0, ""), unknown("table", name, _TABLES))
        kinds = self._kinds()
        images = self._images(kinds)
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
        )

    def _refuse(self, place: Place, message: str) -> NoReturn:
        table, number, _ = place
        line = self._lines.get(place) or self._lines.get((table, number, ""))
        where = f", line {line}" if line else ""
        raise InputError(f"{self._source}{where}: {message}")

    def _values(
        self, table: tuple[str, int], given: Any, settings: Sequence[Setting]
    ) -> dict[str, Any]:
        name, number = table
        if not isinstance(given, dict):
            self._refuse(
                (name, number, ""), f"{name} = {toml_text(given)} (it is a table): {_HINT}"
            )
        known = by_name(settings)
        for word, value in given.items():
            place = (name, number, word)
            if word not in known:
                self._refuse(place, f"[{name}] {unknown('key', word, known)}")
            right = known[word].kind.problem(value)
            if right is not None:
                said = f"[{name}] {word} = {toml_text(value)}"
                self._refuse(place, f"{said} cannot be used: {right}")
        for one in settings:
            if one.is_required and one.name not in given:
                self._refuse((name, number, ""), f"[{name}] has no {one.name}: {one.kind.right}")
        return {**defaults(settings), **given}

    def _one(self, name: str, settings: Sequence[Setting]) -> dict[str, Any]:
        return self._values((name, 0), self._document.get(name, {}), settings)

    def _kinds(self) -> dict[str, dict[str, Any]]:
        tables = self._document.get("kind", {})
        if not isinstance(tables, dict) or not tables:
            self._refuse(("kind", 0, ""), "no kinds of devices: write [kind.cpu], and its speed")
        kinds = {}
        for name, given in tables.items():
            values = self._values((f"kind.{name}", 0), given, KIND)
            kinds[name] = device_of(
                name,
                values["threads"],
                float(values["speed"]),
                together=float(values["together"]),
                mode=values["mode"],
                launch=values["launch_us"] * 1e-6,
                piece=values["piece_us"] * 1e-6,
                noise=float(values["noise"]),
            )
        return kinds

    def _nodes(self) -> list[dict[str, Any]]:
        tables = self._document.get("node", [])
        if not isinstance(tables, list):
            self._refuse(("node", 0, ""), "[node] stands alone: write [[node]], once for each")
        if not tables:
            self._refuse(("node", 0, ""), 'no nodes: write [[node]], and devices = ["cpu"]')
        return [self._values(("node", at), table, NODE) for at, table in enumerate(tables)]

    def _images(self, kinds: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
        images: list[dict[str, Any]] = []
        node = 0
        count = 0
        for at, table in enumerate(self._nodes()):
            devices = [
                device for text in table["devices"] for device in self._devices(at, text, kinds)
            ]
            count += len(devices) * table["count"]
            if count > DEVICES_MAX:
                self._refuse(
                    ("node", at, "count"), f"more than {DEVICES_MAX} devices: take fewer of them"
                )
            for _ in range(table["count"]):
                shares = [devices] if table["image"] == "node" else [[one] for one in devices]
                images += [{"node": node, "devices": share} for share in shares]
                node += 1
        return images

    def _devices(
        self, node: int, text: str, kinds: Mapping[str, Mapping[str, Any]]
    ) -> list[Mapping[str, Any]]:
        place = ("node", node, "devices")
        found = re.fullmatch(r"(?:(\d{1,7})\s+)?(\S+)", text.strip())
        if not found:
            self._refuse(place, f'devices: {toml_text(text)}: give a kind, as "2 cpu"')
        if found[2] not in kinds:
            self._refuse(place, f"devices: {unknown('kind', found[2], kinds)}")
        return [kinds[found[2]]] * int(found[1] or 1)

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
