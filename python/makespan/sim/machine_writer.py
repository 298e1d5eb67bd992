# SPDX-License-Identifier: Apache-2.0
"""Machine descriptions of machines that were measured, to be changed by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from makespan.sim.machine_text import Machine


def machine_toml(machine: Machine) -> str:
    """What `read_machine` reads back, but for changes and losses, of which a measured run has none.

    Devices of one kind get one speed, the mean: give a device its own kind where that is too few.
    """
    lines = [f"# The machine of {machine.source}, as it was measured.", ""]
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for image in machine.images:
        for device in image["devices"]:
            kinds.setdefault(device["kind"], []).append(device)
    for kind, devices in kinds.items():
        lines += [f"[kind.{kind}]", *_kind_lines(devices), ""]
    for image in machine.images:
        counts = Counter(device["kind"] for device in image["devices"])
        named = ", ".join(
            f'"{count} {kind}"' if count > 1 else f'"{kind}"' for kind, count in counts.items()
        )
        lines += ["[[node]]", f"devices = [{named}]", ""]
    network = machine.settings["network"]
    lines += [
        "[network]",
        f"latency_us = {network['latency'] * 1e6:.6g}",
        f"bandwidth_gb = {network['bandwidth'] / 1e9:.6g}",
        f"node_latency_us = {network['node_latency'] * 1e6:.6g}",
        f"atomic_us = {network['atomic'] * 1e6:.6g}",
        f"message_us = {network['message'] * 1e6:.6g}",
        f'progress = "{network["progress"]}"',
    ]
    return "\n".join(lines) + "\n"


def _kind_lines(devices: list[Mapping[str, Any]]) -> list[str]:
    first = devices[0]
    speed = sum(device["speed"] for device in devices) / len(devices)
    lines = [f"threads = {first['threads']}", f"speed = {speed:.6g}", f'mode = "{first["mode"]}"']
    if first["together"]:
        together = sum(device["together"] for device in devices) / len(devices)
        lines.append(f"together = {together:.6g}")
    for name, value in (("launch_us", first["launch"]), ("piece_us", first["piece"])):
        lines.append(f"{name} = {value * 1e6:.6g}")
    return lines
