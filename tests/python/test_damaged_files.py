# SPDX-License-Identifier: Apache-2.0
"""Files that lost bits or their end: what was written, or one message; never a traceback.

Of files that makespan writes for itself a flipped bit never passes for another value. Of those that
people write or change themselves it may: a digit is a digit. docs/reference/files.md has the list;
test_damaged_journal.py is about the journal, test_fuzz_book.py about books.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import test_replay
import test_state_file
from damage import COUNTS, damaged
from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.graph.packed_text import read_json
from makespan.graph.read_graph import read_graph
from makespan.grids.calcium.input import CALCIUM_FILE
from makespan.grids.calcium.line_scan import ScanImage
from makespan.grids.calcium.line_scan_file import read_line_scan, write_line_scan
from makespan.grids.diffusion.input import DIFFUSE_FILE
from makespan.grids.diffusion.start_values import start_planes
from makespan.grids.series_file import SeriesFile
from makespan.grids.table_file import read_table, write_table
from makespan.machines.known_machine import known_machine
from makespan.machines.network_file import network_text, read_network
from makespan.pricing.speed_memory import SpeedMemory
from makespan.sim.machine_text import read_machine
from makespan.sim.machine_writer import machine_toml
from makespan.sim.replay import read_replay
from makespan.sim.task_file import read_tasks

ROOT = Path(__file__).resolve().parents[2]
GPU_NODE = (ROOT / "tests" / "data" / "machines" / "gpu_node.xml").read_text()
NUMBERS = np.random.default_rng(3).normal(size=60)


@dataclass(frozen=True)
class Kind:
    """How a file is written, and what is read from it."""

    name: str
    write: Callable[[Path], object]
    read: Callable[[Path], object]
    is_ours: bool
    """Whether a flipped bit must not pass."""
    slower: int = 1
    """So many times fewer are tried."""


def state(path: Path) -> object:
    head, values = test_state_file.read(path)
    return head, values.tobytes()


def network(path: Path) -> None:
    tables = {"latencies": [0.0, 2e-6, 3e-6, 0.0], "bandwidths": [0.0, 1e9, 2e9, 0.0]}
    given = {"transport": "shm", "hosts": ["a", "b"], **tables}
    path.write_text(network_text(given, GPU_NODE))


def stencil(path: Path) -> None:
    """Compressed, as long graphs are."""
    import zstandard

    text = (ROOT / "examples" / "graph" / "stencil.json").read_bytes()
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(text))


def graph(path: Path) -> object:
    table = read_graph([path])
    return (
        table.ids,
        *(column.tobytes() for column in (table.work, table.bytes, table.place, table.fixed)),
        repr(table.edges),
    )


def machine(path: Path) -> object:
    return known_machine(load_engine(), path, None).places()


def copied(*parts: str) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(ROOT.joinpath(*parts).read_bytes())


def toml_machine(path: Path) -> None:
    trace = path.with_name("trace.json")
    trace.write_text(json.dumps(test_replay.trace()))
    path.write_text(machine_toml(read_replay(trace).machine))
    trace.unlink()


def tasks(path: Path) -> None:
    table = pl.DataFrame({"cost": abs(NUMBERS), "items": range(1, 61)})
    table.write_csv(path) if path.suffix == ".csv" else table.write_parquet(path)


def diffusion_from(path: Path) -> object:
    given = DIFFUSE_FILE.defaults().with_keywords(
        {"points": [4, 3, 5], "start": "file", "file": str(path)}
    )
    return start_planes(given)(0, 5).tobytes()


SCAN = ScanImage(np.arange(6.0), np.arange(10.0), NUMBERS.reshape(6, 10))
KINDS = [
    Kind("step.vtkhdf", test_state_file.written, state, is_ours=True),
    Kind("node.network.json", network, lambda path: read_network(path, GPU_NODE), is_ours=True),
    Kind("graph.json.zst", stencil, graph, is_ours=True),
    Kind("graph.json", copied("examples", "graph", "stencil.json"), graph, is_ours=False),
    Kind("node.xml", lambda path: path.write_text(GPU_NODE), machine, is_ours=False, slower=5),
    Kind("machine.toml", toml_machine, read_machine, is_ours=False),
    Kind("spark.toml", copied("examples", "grid", "spark.toml"), CALCIUM_FILE.read, is_ours=False),
    Kind(
        "trace.json",
        lambda path: path.write_text(json.dumps(test_replay.trace())),
        read_replay,
        is_ours=False,
    ),
    Kind("tasks.csv", tasks, read_tasks, is_ours=False),
    Kind("tasks.parquet", tasks, read_tasks, is_ours=False),
    Kind(
        "start.npy",
        lambda path: np.save(path, NUMBERS.reshape(5, 3, 4)),
        diffusion_from,
        is_ours=False,
    ),
    Kind(
        "table.csv",
        lambda path: write_table(
            path, ["step", "u"], [{"step": n, "u": u} for n, u in enumerate(NUMBERS.tolist())]
        ),
        lambda path: read_table(path, ["step", "u"], 100),
        is_ours=False,
    ),
    Kind(
        "scan.csv",
        lambda path: write_line_scan(path, SCAN),
        lambda path: read_line_scan(path, SCAN.positions, 100.0),
        is_ours=False,
    ),
]


def told(kind: Kind, path: Path) -> tuple[Any, str]:
    """What is read, or what is said."""
    try:
        return kind.read(path), ""
    except InputError as error:
        return None, str(error)


@pytest.mark.filterwarnings("error")
@COUNTS
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_damage_is_told_in_one_line(tmp_path: Path, kind: Kind, count: int) -> None:
    path = tmp_path / kind.name
    kind.write(path)
    right, said = told(kind, path)
    assert said == ""
    for what, left in damaged(path.read_bytes(), count // kind.slower):
        path.write_bytes(left)
        found, said = told(kind, path)
        if said:
            assert str(path) in said, what
            assert "\n" not in said, what
        elif kind.is_ours:
            assert found == right, what


@COUNTS
def test_damaged_speeds_are_removed_or_harmless(tmp_path: Path, count: int) -> None:
    """Another speed changes no result (test_memory.py), so these have no digest."""
    memory = SpeedMemory(tmp_path, "work")
    memory.keep({"cpu avx2": 123456789.5})
    (path,) = tmp_path.iterdir()
    for what, left in damaged(path.read_bytes(), count):
        path.write_bytes(left)
        again = SpeedMemory(tmp_path, "work")
        found = again.remembered()
        assert bool(found) != bool(again.problem), what
        assert path.exists() == bool(found), what
        assert "\n" not in (again.problem or ""), what


def listed(path: Path) -> dict[str, float]:
    """What a series lists: files and their times."""
    return {each["name"]: each["time"] for each in json.loads(path.read_text())["files"]}


@COUNTS
def test_a_damaged_series_is_begun_anew_or_harmless(tmp_path: Path, count: int) -> None:
    path = tmp_path / "u.vtkhdf.series"
    SeriesFile(path).add(tmp_path / "a.vtkhdf", 0.5)
    whole = listed(path)
    kept = 0
    for what, left in damaged(path.read_bytes(), count):
        path.write_bytes(left)
        SeriesFile.going_on(path, 1.0).add(tmp_path / "b.vtkhdf", 1.0)
        found = listed(path)
        assert found.pop("b.vtkhdf") == 1.0, what
        # A flipped bit may be another name or an earlier time.
        assert len(found) <= 1, what
        assert all(time < 1.0 for time in found.values()), what
        kept += found == whole
    assert 0 < kept < count


def test_json_of_any_kind_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.write_bytes(b'{"a":\n' * 3)

    with pytest.raises(InputError) as caught:
        read_json(path, "mend it")

    assert "\n" not in str(caught.value)
