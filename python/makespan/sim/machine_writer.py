# SPDX-License-Identifier: Apache-2.0
"""Machine descriptions of machines that are known otherwise, to be changed by hand."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from itertools import chain, count, groupby
from pathlib import Path
from typing import Any

from makespan.sim.machine import Machine, calm_settings, event_texts, has_image_each

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

Sort = tuple[str, ...]
"""Of devices that differ in nothing that is written: their kind, and the lines of it."""


def machine_toml(machine: Machine, folder: Path | None = None) -> str:
    """What `read_machine` reads back from a file in the folder (None: the working directory).

    Devices of one kind that differ are of several: `cpu`, `cpu-2`, and so on. Numbers have six
    digits.
    """
    lines = [f"# The machine of {_CONTROL.sub('?', ' '.join(machine.source.split()))}.", ""]
    kinds = _kinds(machine)
    for (_, *said), name in kinds.items():
        lines += [f"[kind.{_key(name)}]", *said, ""]
    lines += _node_lines(machine, kinds)
    lines += _network_lines(machine.settings["network"], folder or Path())
    return "\n".join([*lines, *_run_lines(machine)]) + "\n"


def _kinds(machine: Machine) -> dict[Sort, str]:
    """Names of all sorts of devices; the first of a kind has the kind's own."""
    sorts = dict.fromkeys(_sort(device) for image in machine.images for device in image["devices"])
    own = {kind for kind, *_ in sorts}
    others: dict[str, count[int]] = {}
    names: dict[Sort, str] = {}
    for sort in sorts:
        kind = sort[0]
        if kind not in others:
            others[kind], names[sort] = count(2), kind
            continue
        numbered = (f"{kind}-{number}" for number in others[kind])
        names[sort] = next(name for name in numbered if name not in own)
    return names


def _key(kind: str) -> str:
    return kind if _BARE.fullmatch(kind) else _quoted(kind)


def _quoted(text: str) -> str:
    """A text of TOML: JSON's escapes, but for characters beyond 16 bits, which JSON makes two of.

    JSON leaves DEL as it is, and TOML does not take it.
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _sort(device: Mapping[str, Any]) -> Sort:
    lines = [
        f"threads = {device['threads']}",
        f"speed = {device['speed']:.6g}",
        f'mode = "{device["mode"]}"',
    ]
    if device["together"]:
        lines.append(f"together = {device['together']:.6g}")
    if device["claim"]:
        lines.append(f"claim_us = {device['claim'] * 1e6:.6g}")
    for name, value in (("launch_us", device["launch"]), ("piece_us", device["piece"])):
        lines.append(f"{name} = {value * 1e6:.6g}")
    if device["noise"]:
        lines.append(f"noise = {device['noise']:.6g}")
    return (device["kind"], *lines)


def _node_lines(machine: Machine, kinds: Mapping[Sort, str]) -> list[str]:
    """Neighbours that are the same stand once, with their count."""
    nodes: dict[int, list[Mapping[str, Any]]] = {}
    for image in machine.images:
        nodes.setdefault(image["node"], []).append(image)
    shown = [
        (
            [[kinds[_sort(device)] for device in one["devices"]] for one in images],
            has_image_each(images),
        )
        for images in nodes.values()
    ]
    lines: list[str] = []
    for (images, is_each), alike in groupby(shown):
        nodes_alike = len(list(alike))
        runs = [(kind, len(list(same))) for kind, same in groupby(chain.from_iterable(images))]
        named = ", ".join(_quoted(f"{many} {kind}" if many > 1 else kind) for kind, many in runs)
        lines += ["[[node]]", *([f"count = {nodes_alike}"] if nodes_alike > 1 else [])]
        is_told = is_each or len(images) > 1
        lines += [f"devices = [{named}]", *(['image = "device"'] if is_told else []), ""]
    return lines


def _network_lines(network: Mapping[str, Any], folder: Path) -> list[str]:
    if network["platform"]:
        # A description's paths are as of its own folder; ".." leads out of what links lead to.
        path = os.path.relpath(os.path.realpath(network["platform"]), os.path.realpath(folder))
        routes = [f"platform = {_quoted(path)}"]
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
    if machine.knows_speeds:
        lines.append("knows_speeds = true")
    texts = event_texts(machine)
    if texts:
        lines.append(f"perturb = [{', '.join(map(_quoted, texts))}]")
    return ["", "[run]", *lines] if lines else []
