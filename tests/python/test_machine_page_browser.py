# SPDX-License-Identifier: Apache-2.0
"""The page of a machine in a browser without a network: every heat map is drawn, with numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser import shown
from makespan.base.engine import load_engine
from makespan.machines.known_machine import KnownMachine
from makespan.machines.outcome import result_of
from makespan.machines.page import machine_html


class Measured:
    """An engine's machine of four cores whose costs are known."""

    def __init__(self) -> None:
        self._real = load_engine().Machine.synthetic("package:2 numa:1 core:2 pu:1")

    def places(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._real.places()
        return found

    def xml(self) -> str:
        return str(self._real.xml())

    def matrices(self) -> list[dict[str, Any]]:
        places = {p["label"]: p["place"] for p in self.places()}
        cores = [places[f"Core {n}"] for n in range(4)]
        near, far = 30e-9, 90e-9
        rows = [
            [0.0 if i == j else near if i // 2 == j // 2 else far for j in range(4)]
            for i in range(4)
        ]
        values = [value for row in rows for value in row]
        return [
            {
                "name": "makespan:core_latency",
                "kind": "latency",
                "in_si_units": True,
                "from": cores,
                "to": cores,
                "values": values,
            },
            {
                "name": "makespan:memory_copy_bandwidth",
                "kind": "bandwidth",
                "in_si_units": True,
                "from": [places["Package 0"], places["Package 1"]],
                "to": [places["NUMANode 0"], places["NUMANode 1"]],
                "values": [4e10, 2e10, 2e10, 4e10],
            },
        ]

    def domains(self) -> dict[str, Any]:
        return {
            "labels": ["Package 0", "Package 1"],
            "latencies": [30e-9, 90e-9, 90e-9, 30e-9],
            "receive_s": [2e-7, 6e-7, 6e-7, 2e-7],
            "bandwidths": [1e10, 5e9, 5e9, 1e10],
            "nuco": [1.0, 3.0, 3.0, 1.0],
            "latency_source": "makespan:core_latency",
            "bandwidth_source": "makespan:memory_copy_bandwidth",
        }


NETWORK = {
    "transport": "shm",
    "hosts": ["a", "<b>"],
    "latencies": [0.0, 2e-6, 2e-6, 0.0],
    "bandwidths": [0.0, 1e9, 3e9, 0.0],
}


def test_every_map_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "machine.html"
    machine = KnownMachine(Measured(), "a & b", sampling="4 of 64 cores", network=NETWORK)
    path.write_text(machine_html(result_of(machine)))

    seen = shown(path, tmp_path / "profile")

    assert seen.complaints == []
    assert seen.texts("h1") == ["makespan machine: a & b"]
    assert seen.texts("h2") == [
        "Places",
        "Costs",
        "core latency",
        "memory copy bandwidth",
        "image latency",
        "image bandwidth",
        "NUCO factor between domains",
    ]
    assert len([e for e in seen.elements if e.tag == "image" and "hm" in e.classes]) == 5
    numbers = seen.texts("text", "heatmap-label")
    assert numbers.count("30 ns") == 4
    assert numbers.count("90 ns") == 8
    assert numbers.count("3") == 2
    assert numbers.count("40 GB/s") == 2
    assert numbers.count("2 us") == 2
    axes = seen.texts("text", "yaxislayer-above")
    assert sorted(axes[:4]) == ["Core 0", "Core 1", "Core 2", "Core 3"]
    assert "image 1 on <b>" in axes
    assert any("4 of 64 cores" in note for note in seen.texts("p", "note"))
    assert "2 x Package 0-1" in seen.texts("pre")[0]


def test_a_page_whose_data_are_cut_does_not_pass(tmp_path: Path) -> None:
    path = tmp_path / "machine.html"
    text = machine_html(result_of(KnownMachine(Measured(), "a")))
    place = text.rindex('"type":"heatmap"')
    path.write_text(text[:place] + text[place + 9 :])

    seen = shown(path, tmp_path / "profile")

    drawn = [e for e in seen.elements if e.tag == "image" and "hm" in e.classes]
    assert len(drawn) < 3 or seen.complaints
