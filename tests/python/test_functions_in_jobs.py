# SPDX-License-Identifier: Apache-2.0
"""Every function in a script under a launcher: one result, one file, the bits of one process.

Method: the same script alone and with three images; each image prints what it got, without times.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from job_programs import needs_mpi, run_program
from with_simulator import needs_simulator

import makespan

BEGIN = """
import hashlib, os, sys
import numpy as np
import makespan

def digest(value):
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]

def show(**found):
    line = " ".join(f"{name}={value}" for name, value in found.items())
    sys.stdout.write(f"<{line}>\\n")
    sys.stdout.flush()

book = {
    "id": ["a", "b", "c"], "option_type": ["call", "put", "call"], "spot": [100.0, 100.0, 90.0],
    "strike": [100.0, 95.0, 90.0], "rate": [0.03] * 3, "volatility": [0.2] * 3, "expiry": [1.0] * 3,
    "fixings": [12] * 3, "fixing_grid": ["exclude_start"] * 3,
}
graph = {"work": [1.0, 2.0, 3.0, 4.0], "place": [0, 0, 1, 1], "from": [0, 1], "to": [2, 3],
         "edge_bytes": [8, 8]}
machine = {"kind": {"cpu": {"speed": 100.0}}, "node": [{"devices": ["2 cpu"]}]}
grid = {"grid": {"points": [8, 8, 32], "steps": 2}, "kind": {"cpu": {"points_per_s": 1e6}},
        "node": [{"count": 2, "devices": ["cpu"]}]}
places = {"speed": [1.0, 1.0], "domain": [0, 1], "node": [0, 0],
          "latency_s": [[0.0, 1e-6], [1e-6, 0.0]], "bandwidth_bytes_s": [[1e9, 1e9], [1e9, 1e9]]}
# Each image is in a folder of its own: a file that several write would be there several times.
image = os.environ.get("PMI_RANK", "0")
os.mkdir(image)
os.chdir(image)
field = np.arange(4.0 * 5 * 6).reshape(4, 5, 6)
small = {"lattice_cells": [6, 6, 6], "cells": [3, 3, 3], "steps": 10, "phase_steps": 5}
spark = {"duration": 0.01}

def decay(u, rate):
    return {"u": u - rate * u + 0.05 * u.laplacian()}
"""

FUNCTIONS = {
    "price": (
        "makespan.price(book, paths=4096, output='out.csv', gather={gather!r})",
        "{found}.hash",
    ),
    "map": (
        "makespan.map(lambda n: n * n, range(50), record='out.json', gather={gather!r})",
        "digest({found})",
    ),
    "melt": (
        "makespan.melt(output='out.xyz', frame_steps=5, gather={gather!r}, **small)",
        "{found}.hash",
    ),
    "diffuse": (
        "makespan.diffuse(field, steps=9, record='out.json', gather={gather!r})",
        "{found}.hash",
    ),
    "grid": (
        "makespan.grid(decay, {{'u': field}}, parameters={{'rate': 0.1}})"
        ".run(9, kernel='interpreted', record='out.json', gather={gather!r})",
        "{found}.hash",
    ),
    "calcium": ("makespan.calcium(record='out.json', gather={gather!r}, **spark)", "{found}.hash"),
    "balance": (
        "makespan.balance(graph, places=2, output='out.json', gather={gather!r})",
        "digest(list({found}.mapping))",
    ),
    "simulate_phases": (
        "makespan.simulate_phases(graph, places, phases=5, record='out.json', gather={gather!r})",
        "digest(({found}.total_s, list({found}.mapping)))",
    ),
    "simulate": (
        "makespan.simulate(machine, [1.0] * 40, output='out.csv', gather={gather!r})",
        "{found}.record['result_hash']",
    ),
    "simulate_grid": (
        "makespan.simulate_grid(grid, output='out.csv', gather={gather!r})",
        "{found}.record['result_hash']",
    ),
    "machine": (
        "makespan.machine(synthetic='package:2 core:2 pu:1', output='out.xml', gather={gather!r})",
        "digest({found}.xml)",
    ),
}


def test_every_function_that_runs_something_is_tried() -> None:
    """Those that are told settings, and methods of what others return."""
    found = {name for name in makespan.__all__ if hasattr(getattr(makespan, name), "__settings__")}
    found |= {
        name.lower()
        for name in makespan.__all__
        for one in vars(getattr(makespan, name)).values()
        if inspect.isclass(getattr(makespan, name)) and hasattr(one, "__settings__")
    }

    assert set(FUNCTIONS) == found


def results(folder: Path, images: int, name: str) -> list[str]:
    """What each image got with gather="first", and with "all"; sorted."""
    call, told = FUNCTIONS[name]
    printed = run_program(
        folder,
        f"{BEGIN}\nfound = {call.format(gather='first')}\n"
        f"every = {call.format(gather='all')}\n"
        f"show(first=None if found is None else {told.format(found='found')},\n"
        f"     all={told.format(found='every')})\n",
        images,
    )
    written = [path for path in folder.glob("*/out.*") if not path.name.endswith(".record.json")]
    assert len(written) == 1, written
    return sorted(re.findall(r"<(first=.*?)>", printed))


@needs_mpi
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[needs_simulator] if name == "simulate" else [])
        for name in FUNCTIONS
    ],
)
def test_a_function_runs_once(tmp_path: Path, name: str) -> None:
    (alone,) = results(tmp_path / "alone", 1, name)
    first, every = (part.partition("=")[2] for part in alone.split(" "))

    assert first == every != "None"
    expected = [f"first={first} all={every}", *[f"first=None all={every}"] * 2]
    assert results(tmp_path / "job", 3, name) == sorted(expected)
