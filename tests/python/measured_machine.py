# SPDX-License-Identifier: Apache-2.0
"""A machine file with what a measurement would have put there: two packages, four NUMA nodes."""

from __future__ import annotations

import re
from pathlib import Path

GPU_NODE = Path(__file__).resolve().parents[1] / "data" / "machines" / "gpu_node.xml"
BANDWIDTHS = (40, 40, 20, 20)
"""By NUMA node, in 10^9 bytes per second."""
NEAR_PS, FAR_PS = 30_000, 120_000
"""Between cores of one NUMA node, and of different ones."""


def measured_machine(path: Path, *, host: str | None = None, times: int = 1) -> Path:
    """Writes the file; `times`: how fast its memories are, compared with `BANDWIDTHS`."""
    text = GPU_NODE.read_text()
    numbers = {
        kind: re.findall(rf'type="{kind}"[^>]* gp_index="(\d+)"', text)
        for kind in ("Group", "NUMANode", "Core")
    }
    near = list(zip(numbers["Group"], numbers["NUMANode"], strict=True))
    added = _bandwidths(near, times) + _latencies(numbers["Core"])
    if host is not None:
        name = f'<info name="HostName" value="{host}"/>'
        text = re.sub(r'(<object type="Machine"[^>]*>)', rf"\1{name}", text, count=1)
    path.write_text(text.replace("  <support", added + "  <support", 1))
    return path


def _bandwidths(near: list[tuple[str, str]], times: int) -> str:
    places = [f"Group:{group}" for group, _ in near] + [f"NUMANode:{node}" for _, node in near]
    size = len(places)
    values = [0] * size**2
    for row in range(len(near)):
        for column, value in enumerate(BANDWIDTHS):
            own = value if row == column else value // 2
            values[row * size + len(near) + column] = own * times * 10**9
    head = f'nbobjs="{size}" kind="26" name="makespan:memory_triad_bandwidth"'
    return _matrix("distances2hetero", head, places, values)


def _latencies(cores: list[str]) -> str:
    each = len(cores) // len(BANDWIDTHS)
    values = [
        0 if a == b else NEAR_PS if a // each == b // each else FAR_PS
        for a in range(len(cores))
        for b in range(len(cores))
    ]
    head = f'type="Core" nbobjs="{len(cores)}" kind="6" name="makespan:core_latency" indexing="gp"'
    return _matrix("distances2", head, cores, values)


def _matrix(element: str, head: str, places: list[str], values: list[int]) -> str:
    indexes, numbers = (" ".join(map(str, words)) + " " for words in (places, values))
    return (
        f"  <{element} {head}>\n"
        f'    <indexes length="{len(indexes)}">{indexes}</indexes>\n'
        f'    <u64values length="{len(numbers)}">{numbers}</u64values>\n'
        f"  </{element}>\n"
    )
