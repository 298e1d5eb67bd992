# SPDX-License-Identifier: Apache-2.0
"""Reading machine descriptions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.files.text_file import file_text
from makespan.settings.key_file import unknown
from makespan.settings.keys import Key, toml_text
from makespan.settings.toml_lines import key_lines
from makespan.sim.machine_keys import CHANGE, KIND, LOSS, NETWORK, NETWORK_UNITS, NODE, RUN
from makespan.sim.platform_file import SUFFIX, platform_hosts, platform_images

BYTES_MAX = 1 << 20
DEVICES_MAX = 1 << 20
_HINT = "`makespan simulate --example` shows one"
_TABLES = ("kind", "node", "network", "change", "loss", "run")


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as the engine takes it, and what its devices are called."""

    source: str
    images: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]
    """Network, seed, changes and losses; `result_bytes` of an item."""
    knows_speeds: bool = False
    """Whether a bag begins with the speeds that its devices have."""

    @property
    def kinds(self) -> list[str]:
        """By device, through all images."""
        return [device["kind"] for image in self.images for device in image["devices"]]

    @property
    def worker_speeds(self) -> list[float]:
        """Work per second of each worker: of a thread, or of a device that claims as one."""
        return [
            speed
            for image in self.images
            for device in image["devices"]
            for speed in _worker_speeds(device)
        ]

    def job(self) -> dict[str, Any]:
        """The engine's part of a job."""
        return {"images": list(self.images), **self.settings}


def _worker_speeds(device: Mapping[str, Any]) -> list[float]:
    if device["mode"] in ("mt", "mth"):
        return [device["together"] or device["speed"]]
    return [device["speed"] / device["threads"]] * device["threads"]


def calm_settings(network: Mapping[str, Any]) -> dict[str, Any]:
    """Of a machine to which nothing happens."""
    return {
        "network": network,
        "seed": 1,
        "losses_noticed_after": 1.0,
        "result_bytes": 0.0,
        "changes": [],
        "losses": [],
    }


def read_machine(path: Path) -> Machine:
    """Reads a description, or a SimGrid platform, whose hosts are nodes.

    Raises `InputError`: file, line, and what would be right.
    """
    if path.suffix == SUFFIX:
        return _of_platform(path)
    text = file_text(path, BYTES_MAX, _HINT)
    return _Reader(str(path), _parsed(str(path), text), key_lines(text)).machine()


def machine_of(source: str, tables: Mapping[str, Any]) -> Machine:
    """The same of a description's tables at hand; `source` is what messages call it."""
    return _Reader(source, tables, {}).machine()


def _of_platform(path: Path) -> Machine:
    images = platform_images(path)
    network = _Reader(str(path), {"network": {}}, {}).network(len(images))
    return Machine(str(path), tuple(images), calm_settings({**network, "platform": str(path)}))


def _parsed(source: str, text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = re.fullmatch(r"(.*) \(at line (\d+), column \d+\)", str(error))
        reason, line = (found[1], f", line {found[2]}") if found else (str(error), "")
        raise InputError(
            f"{source}{line}: {reason[:1].lower()}{reason[1:]} (this is no TOML); {_HINT}"
        ) from error


class _Reader:
    def __init__(
        self,
        source: str,
        tables: Mapping[str, Any],
        lines: Mapping[tuple[str, int, str], int],
    ) -> None:
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
                "network": self.network(images[-1]["node"] + 1),
                "seed": run["seed"],
                "losses_noticed_after": run["losses_noticed_s"],
                "result_bytes": float(run["result_bytes"]),
                "changes": self._changes(devices),
                "losses": self._losses(len(images)),
            },
        )

    def _refuse(self, place: tuple[str, int, str], message: str) -> None:
        table, number, _ = place
        line = self._lines.get(place) or self._lines.get((table, number, ""))
        where = f", line {line}" if line else ""
        raise InputError(f"{self._source}{where}: {message}")

    def _values(self, table: tuple[str, int], given: Any, keys: Sequence[Key]) -> dict[str, Any]:
        name, number = table
        if not isinstance(given, dict):
            self._refuse(
                (name, number, ""), f"{name} = {toml_text(given)} (it is a table): {_HINT}"
            )
        known = {key.name: key for key in keys}
        values = {key.name: key.default for key in keys}
        for word, value in given.items():
            if word not in known:
                self._refuse((name, number, word), f"[{name}] {unknown('key', word, known)}")
            if not known[word].fits(value):
                self._refuse(
                    (name, number, word),
                    f"[{name}] {word} = {toml_text(value)} cannot be used: {known[word].right}",
                )
            values[word] = value
        for word, value in values.items():
            if value is None:
                self._refuse((name, number, ""), f"[{name}] has no {word}: {known[word].right}")
        return values

    def _one(self, name: str, keys: Sequence[Key]) -> dict[str, Any]:
        return self._values((name, 0), self._document.get(name, {}), keys)

    def _each(self, name: str, keys: Sequence[Key]) -> list[dict[str, Any]]:
        tables = self._document.get(name, [])
        if not isinstance(tables, list):
            self._refuse((name, 0, ""), f"[{name}] stands alone: write [[{name}]], once for each")
        return [self._values((name, at), table, keys) for at, table in enumerate(tables)]

    def _kinds(self) -> dict[str, dict[str, Any]]:
        tables = self._document.get("kind", {})
        if not isinstance(tables, dict) or not tables:
            self._refuse(("kind", 0, ""), "no kinds of devices: write [kind.cpu], and its speed")
        kinds = {}
        for name, given in tables.items():
            values = self._values((f"kind.{name}", 0), given, KIND)
            kinds[name] = {
                "kind": name,
                "threads": values["threads"],
                "speed": float(values["speed"]),
                "together": float(values["together"]),
                "mode": values["mode"],
                "launch": values["launch_us"] * 1e-6,
                "piece": values["piece_us"] * 1e-6,
                "noise": float(values["noise"]),
            }
        return kinds

    def _images(self, kinds: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
        images: list[dict[str, Any]] = []
        node = 0
        count = 0
        nodes = self._each("node", NODE)
        if not nodes:
            self._refuse(("node", 0, ""), 'no nodes: write [[node]], and devices = ["cpu"]')
        for at, table in enumerate(nodes):
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
        found = re.fullmatch(r"(?:(\d{1,7})\s+)?(\S+)", text.strip())
        if not found:
            self._refuse(
                ("node", node, "devices"), f'devices: {toml_text(text)}: give a kind, as "2 cpu"'
            )
            return []
        if found[2] not in kinds:
            self._refuse(("node", node, "devices"), f"devices: {unknown('kind', found[2], kinds)}")
        return [kinds[found[2]]] * int(found[1] or 1)

    def network(self, nodes: int) -> dict[str, Any]:
        """As the engine takes it."""
        values = self._one("network", NETWORK)
        return {
            "platform": self._platform(values["platform"], nodes),
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

    def _changes(self, devices: int) -> list[list[float]]:
        rows = self._each("change", CHANGE)
        for at, row in enumerate(rows):
            if row["device"] >= devices:
                self._refuse(
                    ("change", at, "device"),
                    f"[change] device = {row['device']} (there are {devices}): count them from 0",
                )
        return [[row["device"], float(row["at_s"]), float(row["factor"])] for row in rows]

    def _losses(self, images: int) -> list[list[float]]:
        rows = self._each("loss", LOSS)
        for at, row in enumerate(rows):
            if row["image"] >= images:
                self._refuse(
                    ("loss", at, "image"),
                    f"[loss] image = {row['image']} (there are {images}): count them from 0",
                )
        return [[row["image"], float(row["at_s"])] for row in rows]
