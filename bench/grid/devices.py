# SPDX-License-Identifier: Apache-2.0
"""Devices of different speeds, and what a host can do beside faster ones for nothing."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from bench.case import Scale, read_table
from bench.json_rows import Replies, add_rows, each_row, replies_in
from bench.ratio import spread
from bench.result import Outcome, Row
from bench.runtime.program import Places, run_limited

CASE = Path(__file__).resolve().parents[1] / "cases" / "grid" / "devices.toml"
SIZES = ("extent", "planes", "steps", "rounds")
TUNED = -1


def run_mode(
    program: Path, mode: str, case: dict[str, Any], factor: int, more: list[str]
) -> Replies:
    """Run the program once."""
    sizes = [str(case[mode][name]) for name in SIZES]
    command = [str(program), mode, *sizes, str(factor), *more]
    return replies_in(run_limited(command, case["limit_s"], {}))


def run_host(program: Path, case: dict[str, Any], share: str, thickness: int) -> Replies:
    """Run one line of the table of Dong, Wen, Chai, Cai, Zhao and Zhang (the case cites it)."""
    found = run_mode(program, "host", case, case["host"]["factor"], [share, str(thickness)])
    name = "tuned" if thickness == TUNED else f"{thickness} planes"
    replies = found["host"]
    for reply in replies:
        reply["off"] = abs(reply["thickness"] - reply["predicted"])
    return {f"{share}: {name}": replies}


def run_images(build: Path, program: Path, case: dict[str, Any]) -> Replies:
    """Run two images, each with a host beside another device, the second half as fast."""
    sizes = [str(case["images"][name]) for name in SIZES]
    command = [Places(build, build).mpiexec(), "-n", "2", str(program), "images", *sizes]
    return replies_in(run_limited([*command, str(case["images"]["factor"])], case["limit_s"], {}))


def run_tuned_layers(build: Path, case: dict[str, Any]) -> Replies:
    """Run images like these as `makespan diffuse` does: with the tuner, layers, both, neither."""
    words = [sys.executable, str(Path(__file__).with_name("tuned_layers_worker.py"))]
    command = [Places(build, build).mpiexec(), "-n", "2", *words, json.dumps(case["tuned_layers"])]
    cache = build.resolve() / "bench" / "grid" / "tuned-layers-cache"
    environment = {"XDG_CACHE_HOME": str(cache)}
    return replies_in(run_limited(command, case["limit_of_tuned_s"], environment))


def host_rows(case: dict[str, Any], found: Replies, outcome: Outcome) -> None:
    """Append that table: a row for each thickness, beside a host that does nothing."""
    basis = spread([reply["step_ms"] for reply in found["none: 0 planes"]]).median
    for share, layers in case["layers"].items():
        for thickness in layers:
            replies = found[f"{share}: {thickness} planes"]
            value = spread([reply["step_ms"] for reply in replies])
            text = "host_none" if share == "none" else f"host_{share}, {thickness} planes a layer"
            row = Row(f"{text}: a step", value.median, "ms", "host_none", basis / value.median)
            outcome.add(row, value)


def measure(build: Path, scale: Scale, outcome: Outcome) -> None:
    """Run all, and append the rows."""
    case = read_table(CASE, scale)
    program = build.resolve() / "bench" / "grid" / "device_bench"
    found: Replies = {}
    for share, layers in case["layers"].items():
        for thickness in [*layers, *([] if share == "none" else [TUNED])]:
            found |= run_host(program, case, share, thickness)
    if len(os.sched_getaffinity(0)) > 1:
        for mode in ("unequal", "change"):
            for factor in case[mode]["factors"]:
                for name, replies in run_mode(program, mode, case, factor, []).items():
                    found[f"1/{factor}: {name}"] = replies
        found |= run_images(build, program, case)
        found |= run_tuned_layers(build, case)
    for row in each_row(case["row"]):
        if row["of"] not in found:
            left_out = Row(row["name"], None, row["unit"], target=row.get("target"))
            outcome.leave_out(left_out, "it needs two cores, or more than a smoke run")
    host_rows(case, found, outcome)
    add_rows(case["row"], found, outcome)
