# SPDX-License-Identifier: Apache-2.0
"""Measure bags on unequal devices and images: ``python -m bench.bag [--smoke]``: `make bench-bag`.

Prints a table and writes ``build/bench/bag.json`` with the circumstances of the run beside it, and
``bag.chunks.html``, a page about items per claim. A target that is missed shows in table and file;
the exit code stays 0, because a figure is reported as it is.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from makespan.base.engine import load_engine
from rich.console import Console

from bench.bag import chunks, claims, devices, images, maps, uneven
from bench.bag.chunks_page import sweep_html
from bench.bag.devices import Places
from bench.case import Scale
from bench.machine import circumstances
from bench.report import print_outcome
from bench.result import Outcome, write_outcome, write_text
from bench.runtime import program

CASES = Path(__file__).resolve().parents[1] / "cases" / "bag"
PEERS = Path("build/bench").resolve()
PARTS = ["devices", "uneven", "chunks", "images", "claims", "maps"]


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.bag", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, for CI")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="folder")
    parser.add_argument("--part", action="append", choices=PARTS, help="these only")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    return parser.parse_args(words)


def two_devices() -> Places:
    """Return two cores of this process at two instruction sets; exits where it has but one."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        sys.exit("bench.bag needs two cores, and this process may use one")
    isas = load_engine().available_isas()
    second = isas[1] if len(isas) > 1 else isas[0]
    return Places(
        first=f"cpu[cores={cores[-2]},isa={isas[0]}]",
        second=f"cpu[cores={cores[-1]},isa={second}]",
    )


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    arguments = read_arguments(words)
    found = circumstances(smoke=arguments.smoke)
    outcome = Outcome()
    console = Console(stderr=True)
    scale = Scale.SMOKE if arguments.smoke else Scale.FULL
    parts = arguments.part or PARTS

    def notice(text: str) -> None:
        console.print(text, markup=False)

    if "devices" in parts:
        device_case = devices.read_case(CASES / "devices.toml", scale)
        devices.run_case(device_case, two_devices(), outcome, notice)
    if "uneven" in parts:
        uneven_case = devices.read_case(CASES / "uneven.toml", scale)
        devices.run_case(uneven_case, two_devices(), outcome, notice)
        task_case = uneven.read_case(CASES / "uneven_tasks.toml", scale)
        uneven.run_case(task_case, arguments.build, outcome, notice)
    if "chunks" in parts:
        chunk_case = chunks.read_case(CASES / "chunks.toml", scale)
        sweep = chunks.run_case(chunk_case, two_devices(), outcome, notice)
        write_text(arguments.output.resolve() / "bag.chunks.html", sweep_html(chunk_case, sweep))
    if "images" in parts:
        image_case = images.read_case(CASES / "images.toml", scale)
        places = program.Places(arguments.build, PEERS)
        images.run_case(image_case, places, outcome, notice)
    if "claims" in parts:
        claims.run_case(CASES / "claims.toml", scale, arguments.build, outcome)
    if "maps" in parts:
        map_case = maps.read_case(CASES / "maps.toml", scale)
        maps.run_case(map_case, arguments.build, PEERS, outcome, notice)
    rows_path = arguments.output.resolve() / "bag.json"
    write_outcome(rows_path, outcome, found)
    print_outcome(Console(), "bench bag", outcome)
    print(f"written: {rows_path}")


if __name__ == "__main__":
    main()
