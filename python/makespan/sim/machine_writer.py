# SPDX-License-Identifier: Apache-2.0
"""Machine descriptions of machines that are known otherwise, to be changed by hand."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from makespan.sim.machine import Machine, calm_settings, event_texts, has_image_each

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def machine_toml(machine: Machine, folder: Path | None = None) -> str:
    """What `read_machine` reads back from a file in the folder (None: the working directory).

    Devices of one kind get one speed, the mean: give a device its own kind where that is too few.
    """
    lines = [f"# The machine of {' '.join(machine.source.split())}.", ""]
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for image in machine.images:
        for device in image["devices"]:
            kinds.setdefault(device["kind"], []).append(device)
    for kind, devices in kinds.items():
        lines += [f"[kind.{_key(kind)}]", *_kind_lines(devices), ""]
    lines += _node_lines(machine)
    lines += _network_lines(machine.settings["network"], folder or Path())
    return "\n".join([*lines, *_run_lines(machine)]) + "\n"


def _key(kind: str) -> str:
    return kind if _BARE.fullmatch(kind) else json.dumps(kind)


def _kind_lines(devices: list[Mapping[str, Any]]) -> list[str]:
    first = devices[0]
    speed = sum(device["speed"] for device in devices) / len(devices)
    lines = [f"threads = {first['threads']}", f"speed = {speed:.6g}", f'mode = "{first["mode"]}"']
    if first["together"]:
        together = sum(device["together"] for device in devices) / len(devices)
        lines.append(f"together = {together:.6g}")
    for name, value in (("launch_us", first["launch"]), ("piece_us", first["piece"])):
        lines.append(f"{name} = {value * 1e6:.6g}")
    if first["noise"]:
        lines.append(f"noise = {first['noise']:.6g}")
    return lines


def _node_lines(machine: Machine) -> list[str]:
    """Neighbours that are the same stand once, with their count."""
    nodes: dict[int, list[Mapping[str, Any]]] = {}
    for image in machine.images:
        nodes.setdefault(image["node"], []).append(image)
    shown = [
        ([[device["kind"] for device in one["devices"]] for one in images], has_image_each(images))
        for images in nodes.values()
    ]
    lines: list[str] = []
    for (images, is_each), alike in groupby(shown):
        count = len(list(alike))
        kinds = [kind for image in images for kind in image]
        runs = [(kind, len(list(same))) for kind, same in groupby(kinds)]
        named = ", ".join(json.dumps(f"{many} {kind}" if many > 1 else kind) for kind, many in runs)
        lines += ["[[node]]", *([f"count = {count}"] if count > 1 else [])]
        is_told = is_each or len(images) > 1
        lines += [f"devices = [{named}]", *(['image = "device"'] if is_told else []), ""]
    return lines


def _network_lines(network: Mapping[str, Any], folder: Path) -> list[str]:
    if network["platform"]:
        # A description's paths are as of its own folder; ".." leads out of what links lead to.
        path = os.path.relpath(os.path.realpath(network["platform"]), os.path.realpath(folder))
        routes = [f"platform = {json.dumps(path)}"]
    else:
        routes = [
            f"latency_us = {network['latency'] * 1e6:.6g}",
            f"bandwidth_gb = {network['bandwidth'] / 1e9:.6g}",
        ]
    return [
        "[network]",
        *routes,
        f"node_latency_us = {network['node_latency'] * 1e6:.6g}",
        f"atomic_us = {network['atomic'] * 1e6:.6g}",
        f"message_us = {network['message'] * 1e6:.6g}",
        f'progress = "{network["progress"]}"',
    ]


def _run_lines(machine: Machine) -> list[str]:
    usual, settings = calm_settings({}), machine.settings
    names = {"seed": "seed", "losses_noticed_s": "losses_noticed_after"}
    names["result_bytes"] = "result_bytes"
    lines = [
        f"{key} = {settings[name]!r}"
        for key, name in names.items()
        if settings[name] != usual[name]
    ]
    texts = event_texts(machine)
    if texts:
        lines.append(f"perturb = [{', '.join(map(json.dumps, texts))}]")
    return ["", "[run]", *lines] if lines else []
