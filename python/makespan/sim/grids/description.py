# SPDX-License-Identifier: Apache-2.0
"""Reading descriptions of grids: files with a table [grid]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.grids.boundary import PERIODIC, ends_of
from makespan.grids.host_layers import host_layers
from makespan.settings.perturbation import perturbation
from makespan.settings.toml_lines import key_lines
from makespan.sim.files.description import DescriptionFile, Opened, read_description
from makespan.sim.files.node_table import NODE
from makespan.sim.files.tables_reader import TablesReader
from makespan.sim.grids.input import (
    GRID,
    KIND,
    NETWORK,
    PERTURBATIONS,
    PLANES_MAX,
    RUN,
    TABLES,
)

_HINT = "`makespan simulate --example-grid` shows one"


@dataclass(frozen=True, slots=True)
class GridCase:
    """A grid and its machine, as the engine takes them."""

    source: str
    job: Mapping[str, Any]
    kind_names: Sequence[str]

    @property
    def kinds(self) -> list[str]:
        """By device, through all processes."""
        return [self.kind_names[at] for image in self.job["images"] for at in image["devices"]]

    def perturbed(self, texts: Sequence[str]) -> GridCase:
        """The same, in which these devices become slower and no others. Raises `InputError`."""
        return self.but(changes=changes_of(texts, len(self.kinds)))

    def but(self, **settings: Any) -> GridCase:
        """The same with other settings of the job."""
        return replace(self, job={**self.job, **settings})


def is_grid(description: Opened | None) -> bool:
    """Whether a file, or tables at hand, describe a grid."""
    if isinstance(description, DescriptionFile):
        return "grid" in description.tables
    return isinstance(description, Mapping) and "grid" in description


def read_tables(path: Path) -> tuple[str, dict[str, Any]]:
    """A file's text and tables. Raises `InputError`."""
    read = read_description(path, _HINT)
    return read.text, read.tables


def grid_case(source: str, tables: Mapping[str, Any], text: str = "") -> GridCase:
    """What tables describe; `source` names them in messages, `text` is the file's.

    Raises `InputError`: file, line, and what would be right.
    """
    return _Reader(source, tables, key_lines(text), _HINT).case()


def changes_of(texts: Sequence[str], devices: int) -> list[list[float]]:
    """Device, when [s], and the factor of its speed from then on. Raises `InputError`."""
    changes = []
    for text in texts:
        one = perturbation(text, PERTURBATIONS)
        if int(one.where) >= devices:
            raise InputError(f"{text}: device {one.where} (there are {devices}): count them from 0")
        changes.append([int(one.where), one.when, 1.0 / one.value])
    return changes


class _Reader(TablesReader):
    def case(self) -> GridCase:
        self._expect_tables(list(TABLES))
        kinds = {
            name: _kind(values) for name, values in self._kind_values(KIND, "points_per_s").items()
        }
        numbers = {name: at for at, name in enumerate(kinds)}
        images = self._images(NODE, numbers)
        grid = self._one("grid", GRID)
        self._expect_planes(grid["points"])
        along = grid["boxes_along"]
        if along and along[0] * along[1] * along[2] != len(images):
            self._refuse(
                ("grid", 0, "boxes_along"),
                f"[grid] boxes_along = {list(along)}: there are {len(images)} processes: give "
                "counts whose product that is",
            )
        job = {
            **_grid(grid),
            **self._host_layers(grid),
            "kinds": [{"kind": name, **kind} for name, kind in kinds.items()],
            "images": images,
            "network": _network(self._one("network", NETWORK)),
            "changes": self._changes(sum(len(image["devices"]) for image in images)),
        }
        return GridCase(self._source, job, list(kinds))

    def _expect_planes(self, points: Sequence[int]) -> None:
        if points[2] > PLANES_MAX:
            self._refuse(
                ("grid", 0, "points"),
                f"[grid] points = {list(points)}: {points[2]} planes along z (each is looked at): "
                f"give up to {PLANES_MAX}, and more points along x and y",
            )

    def _host_layers(self, grid: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return host_layers(grid, "", "grid")
        except InputError as error:
            self._refuse(("grid", 0, "host_thickness"), str(error).removeprefix(": "))

    def _changes(self, devices: int) -> list[list[float]]:
        try:
            return changes_of(self._one("run", RUN)["perturb"], devices)
        except InputError as error:
            self._refuse(("run", 0, "perturb"), f"[run] perturb: {error}")


def _grid(values: Mapping[str, Any]) -> dict[str, Any]:
    same = (
        *("steps", "fields", "halo_width", "corners", "schedule", "route", "cut"),
        *("steps_at_once", "rebalance_steps", "knows_speeds"),
    )
    return {
        **{name: values[name] for name in same},
        "points": list(values["points"]),
        "periodic": [low == PERIODIC for low, _ in ends_of(values["boundary"])],
        "fields_all": max(values["all_fields"], values["fields"]),
        "images_along": list(values["boxes_along"] or ()),
        "gain_min": float(values["gain_min"]),
        "spans_kept": 0,
    }


def _rate(value: float) -> float:
    """Bytes a second; 0 stands for no limit."""
    return value * 1e9 if value else float("inf")


def _kind(values: Mapping[str, Any]) -> dict[str, Any]:
    def link(name: str) -> dict[str, float]:
        return {
            "latency": values["link_latency_us"] * 1e-6,
            "bandwidth": _rate(values[name]),
            "message_bandwidth": _rate(values["link_message_gb"]),
        }

    kind = {
        "speed": float(values["points_per_s"]),
        "start": values["start_us"] * 1e-6,
        "boundary_factor": [float(one) for one in values["boundary_factor"]],
        "pack_bandwidth": _rate(values["pack_gb"]),
        "message": values["message_us"] * 1e-6,
        "has_memory": values["memory"] == "own",
        "to_host": link("to_host_gb"),
        "to_device": link("to_device_gb"),
        "peer_bandwidth": values["peer_gb"] * 1e9,
        "is_queued": values["queued"],
    }
    return {**kind, "planes_max": values["planes_max"]} if values["planes_max"] else kind


def _network(values: Mapping[str, Any]) -> dict[str, Any]:
    out = {
        "latency": values["latency_us"] * 1e-6,
        "bandwidth": _rate(values["bandwidth_gb"]),
        "message_bandwidth": _rate(values["message_gb"]),
        "burst": values["burst_kb"] * 1e3,
    }
    return {
        "out": out,
        "in": {"bandwidth": _rate(values["bandwidth_in_gb"] or values["bandwidth_gb"])},
        "piece_bytes": max(1, round(values["piece_kb"] * 1e3)),
        "send": values["send_us"] * 1e-6,
        "receive": values["receive_us"] * 1e-6,
        "copy_bandwidth": _rate(values["copy_gb"]),
        "relay": values["relay_us"] * 1e-6,
        "relay_bandwidth": _rate(values["relay_gb"]),
    }
