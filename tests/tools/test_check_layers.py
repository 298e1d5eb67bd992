# SPDX-License-Identifier: Apache-2.0
"""Each rule of layers.toml finds a planted violation, and lets through what is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_layers import Layers, check_layers

from tests.tools.repository import PROJECT, make_repository


def findings_for(folder: Path, path: str, include: str) -> list[str]:
    root = make_repository(folder, {path: f"// first line\n#include {include}\n"})
    return [str(finding) for finding in check_layers(root)]


@pytest.mark.parametrize(
    ("path", "include", "reason"),
    [
        ("src/makespan/base/ids.hpp", '"makespan/simd/philox.hpp"', "room base includes"),
        (
            "src/makespan/bag/policy/guided.hpp",
            '"makespan/bag/bag.hpp"',
            "room bag/policy includes",
        ),
        ("src/makespan/bag/device_team.cpp", '"makespan/grid/box.hpp"', "room bag includes"),
        ("src/makespan/bag/policy/guided.cpp", "<thread>", "room bag/policy is pure"),
        ("src/makespan/bag/protocol/claim.cpp", "<chrono>", "room bag/protocol is pure"),
        ("src/makespan/bag/protocol/claim.hpp", "<random>", "room bag/protocol is pure"),
        ("src/makespan/bag/device_team.cpp", "<mpi.h>", "<mpi.h> is seen only in"),
        ("src/makespan/bag/device_team.cpp", "<hwloc.h>", "<hwloc.h> is seen only in"),
        ("src/makespan/pgas/image.cpp", "<ucp/api/ucp.h>", "<ucp/api/ucp.h> is seen only in"),
        ("src/makespan/bag/device_team.cpp", "<hwy/highway.h>", "<hwy/highway.h> is seen only in"),
        ("src/makespan/apps/asian/book.cpp", "<hwy/highway.h>", "<hwy/highway.h> is seen only in"),
        (
            "src/makespan/apps/asian/book.cpp",
            "<cuda_runtime.h>",
            "<cuda_runtime.h> is seen only in",
        ),
        (
            "src/makespan/bag/device_team.cpp",
            "<simgrid/s4u.hpp>",
            "<simgrid/s4u.hpp> is seen only in",
        ),
        (
            "src/makespan/bag/a.cpp",
            "<nanobind/nanobind.h>",
            "<nanobind/nanobind.h> is seen only in",
        ),
        ("src/makespan/bag/device_team.cpp", "<iostream>", "<iostream> is seen only in"),
        ("python/bindings/module.cpp", "<mpi.h>", "<mpi.h> is seen only in"),
        ("src/makespan/bag/device_team.cpp", '"makespan/attic/box.hpp"', "is in no room"),
    ],
)
def test_finds_planted_include(tmp_path: Path, path: str, include: str, reason: str) -> None:
    found = findings_for(tmp_path, path, include)

    assert len(found) == 1
    assert found[0].startswith(f"{path}:2: ")
    assert reason in found[0]


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("src/makespan/bag/policy/guided.hpp", '"makespan/base/quantity.hpp"'),
        ("src/makespan/bag/policy/guided.hpp", '"makespan/bag/policy/chunk_policy.hpp"'),
        ("src/makespan/bag/device_team.cpp", "<thread>"),
        ("src/makespan/pgas/mpi/window.cpp", "<mpi.h>"),
        ("src/makespan/simd/ops-inl.hpp", "<hwy/highway.h>"),
        ("src/makespan/apps/asian/simulate-inl.hpp", "<hwy/highway.h>"),
        ("src/makespan/apps/asian/kernel.cu", "<cuda_runtime.h>"),
        ("python/bindings/module.cpp", "<nanobind/nanobind.h>"),
        ("python/bindings/module.cpp", '"makespan/bag/bag.hpp"'),
        ("src/makespan/capi/bag.cpp", '"makespan/bag/bag.hpp"'),
    ],
)
def test_lets_allowed_include_through(tmp_path: Path, path: str, include: str) -> None:
    assert findings_for(tmp_path, path, include) == []


def test_finds_source_outside_of_rooms(tmp_path: Path) -> None:
    found = findings_for(tmp_path, "src/makespan/attic/box.hpp", "<vector>")

    assert found == [
        "src/makespan/attic/box.hpp:1: lies in no room of layers.toml: add the room there"
    ]


def test_table_with_unknown_room_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "layers.toml"
    table.write_text('[rooms]\nbase = ["attic"]\n[pure]\nrooms = []\nbanned_headers = []\n')

    with pytest.raises(ValueError, match="attic"):
        Layers.read(table)


def test_longest_room_wins() -> None:
    layers = Layers.read(PROJECT / "layers.toml")

    assert layers.room_of("bag/policy/guided.hpp") == "bag/policy"
    assert layers.room_of("bag/device_team.hpp") == "bag"
    assert layers.room_of("bagpipe/a.hpp") is None
