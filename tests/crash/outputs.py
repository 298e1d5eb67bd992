# SPDX-License-Identifier: Apache-2.0
"""Files that are written once or anew, and none of which a run needs to go on."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path

from makespan.grids.tuning_memory import TuningMemory
from makespan.machines.network_file import network_text

import makespan
from tests.crash.disk import Tree
from tests.crash.subject import MARKING, OVER, Subject, called, in_folder, prices_of_book
from tests.torture import inputs
from tests.torture.fault import expect

# --- files that are written in the end

_OUTPUTS = ("out.csv", "out.record.json", "out.trace.json", "out.html")
_OUTPUTS_SCRIPT = (
    MARKING
    + f"""
from makespan.cli import main
code = main(["price", "book.csv", "--threads", "1", "-q", "-o", "out.csv", "--trace",
             "out.trace.json", "--report", "out.html"])
mark("{OVER}")
sys.exit(code)
"""
)
_EARLIER = "of an earlier run\n" * 1000
_EARLIER_FILES = {
    "out.csv": _EARLIER,
    "out.record.json": json.dumps({"output": "out.csv", "written": _EARLIER}),
    "out.trace.json": _EARLIER,
}
"""Of these prices: a record of others is not replaced."""


def _prepare_outputs(folder: Path) -> list[list[str]]:
    (folder / "book.csv").write_text(inputs.book(60, 2_000))
    (folder / "price.py").write_text(_OUTPUTS_SCRIPT)
    for name, text in _EARLIER_FILES.items():
        (folder / name).write_text(text)
    return [["price.py"]]


def _look_at_outputs(folder: Path, mark: str, end: Tree) -> None:
    for name in _OUTPUTS:
        path = folder / name
        found = path.read_bytes() if path.exists() else b""
        earlier = _EARLIER_FILES.get(name, "").encode()
        expect(found in (earlier, end[name]), f"{name} is half written")
        expect(mark != OVER or found == end[name], f"{name} was said to be written, and is not")


# --- pictures and files for ParaView of grids

_GRID_SCRIPT = (
    MARKING
    + f"""
from makespan.cli import main
code = main([sys.argv[1], "in.toml", "--threads", "1", "--json", "--output", "out"])
mark("{OVER}")
sys.exit(code)
"""
)
_EVERY_20_STEPS = "slice_steps = 20\nstate_steps = 20"
_SERIES = "out/paraview/diffuse.vtkhdf.series"


def _grid(name: str, text: str) -> Callable[[Path], list[list[str]]]:
    def prepare(folder: Path) -> list[list[str]]:
        (folder / "in.toml").write_text(text)
        (folder / "grid.py").write_text(_GRID_SCRIPT)
        return [["grid.py", name]]

    return prepare


def _look_at_written_once(*suffixes: str) -> Callable[[Path, str, Tree], None]:
    """Files of the run's folder with these endings."""

    def look(folder: Path, mark: str, end: Tree) -> None:
        names = [name for name in end if name.startswith("out/") and name.endswith(suffixes)]
        expect(len(names) > 1, f"the run has left no {suffixes[0]}")
        for name in names:
            found = (folder / name).read_bytes() if (folder / name).exists() else None
            expect(found in (None, end[name]), f"{name} is half written")
            expect(mark != OVER or found is not None, f"{name} was said to be written, and is not")

    return look


def _look_at_views(folder: Path, mark: str, end: Tree) -> None:
    _look_at_written_once(".png", ".vtkhdf")(folder, mark, end)
    series = folder / _SERIES
    if mark == OVER:
        expect(series.exists() and series.read_bytes() == end[_SERIES], "the series is another")
    if series.exists():
        # A view is on the disk before it is listed.
        for listed in json.loads(series.read_text())["files"]:
            expect((series.parent / listed["name"]).exists(), f"{listed['name']} is only listed")


# --- the record of a map

_MAP_SCRIPT = (
    MARKING
    + f"""
import makespan
makespan.map(abs, range(30), threads=1, record="map.json")
mark("{OVER}")
"""
)


def _prepare_map(folder: Path) -> list[list[str]]:
    (folder / "map.py").write_text(_MAP_SCRIPT)
    (folder / "map.json").write_text(_EARLIER)
    return [["map.py"]]


def _look_at_map_record(folder: Path, mark: str, end: Tree) -> None:
    found = (folder / "map.json").read_bytes()
    expect(found in (_EARLIER.encode(), end["map.json"]), "map.json is half written")
    expect(mark != OVER or found == end["map.json"], "map.json was said to be written, and is not")


# --- a machine's file, and what lies between its images

_MACHINE_SCRIPT = (
    MARKING
    + f"""
from makespan.cli import main
code = main(["machine", "new.xml", "-o", "node.xml"])
mark("{OVER}")
sys.exit(code)
"""
)
_MACHINE_FILES = ("node.xml", "node.network.json")


def _prepare_machine(folder: Path) -> list[list[str]]:
    """Written as with `--measure` of a job, from files: measured times differ."""
    (folder / "machine.py").write_text(_MACHINE_SCRIPT)
    for name, synthetic in (("new", "core:2 pu:1"), ("node", "core:3 pu:2")):
        path = folder / f"{name}.xml"
        called(folder, "machine", "--synthetic", synthetic, "-o", path.name)
        network = network_text(_NETWORK, path.read_text())
        path.with_name(f"{name}.network.json").write_text(network)
    return [["machine.py"]]


_NETWORK = {
    "transport": "shm",
    "hosts": ["a", "b"],
    "latencies": [0.0, 2e-6, 3e-6, 0.0],
    "bandwidths": [0.0, 1e9, 2e9, 0.0],
}


def _look_at_machine(folder: Path, mark: str, end: Tree) -> None:
    before = folder.with_name(f"{folder.name}-before")
    before.mkdir(exist_ok=True)
    _prepare_machine(before)
    is_new = []
    for name in _MACHINE_FILES:
        found = (folder / name).read_bytes()
        expect(found in ((before / name).read_bytes(), end[name]), f"{name} is half written")
        is_new.append(found == end[name])
    shutil.rmtree(before)
    expect(mark != OVER or all(is_new), "the machine was said to be written, and is not")
    code, _, said = called(folder, "machine", "node.xml")
    if all(is_new) or not any(is_new):
        expect(code == 0, f"status {code}: {said}")
    else:
        expect("measured with another machine file" in said, f"an older network passes: {said}")


# --- ways to run grids that won

_WAYS = ({"schedule": "pipeline"}, {"schedule": "none"}, {"schedule": "overlap"})
_WAYS_SCRIPT = f"""
from pathlib import Path
from makespan.grids.tuning_memory import TuningMemory
for won in {_WAYS}:
    TuningMemory(Path("grids"), {{"a": "run"}}).keep(won)
"""


def _prepare_ways(folder: Path) -> list[list[str]]:
    """By what runs keep them with: a run that tries ways takes minutes."""
    (folder / "ways.py").write_text(_WAYS_SCRIPT)
    return [["ways.py"]]


def _look_at_ways(folder: Path, _mark: str, end: Tree) -> None:
    expect(any(name.startswith("grids/") for name in end), "no way was kept")
    kept = TuningMemory(folder / "grids", {"a": "run"}).kept()
    expect(kept is None or kept in _WAYS, f"{kept} was never kept")
    left = sorted(path.name for path in (folder / "grids").glob("*.json"))
    expect(bool(left) == (kept is not None), f"what is cut stays: {left}")


# --- speeds

_SPEEDS_SCRIPT = """
import makespan
makespan.price("book.csv", threads=1)
"""


def _prepare_speeds(folder: Path) -> list[list[str]]:
    (folder / "book.csv").write_text(inputs.book(16, 1_000_000))
    (folder / "price.py").write_text(_SPEEDS_SCRIPT)
    return [["price.py"], ["price.py"]]


def _look_at_speeds(folder: Path, _mark: str, end: Tree) -> None:
    expect(any("speeds/" in path for path in end), "the run has left no speeds")
    (folder / "book.csv").write_text(inputs.book(16, 20_000))
    with in_folder(folder), warnings.catch_warnings(action="ignore"):
        made = makespan.price("book.csv", threads=1)
    expect(made.record["result_hash"] == prices_of_book(), "the result is another one")


SUBJECTS = (
    Subject("outputs", _prepare_outputs, _look_at_outputs),
    Subject(
        "views",
        _grid("diffuse", inputs.diffuse(60, 20).replace("slice_steps = 0", _EVERY_20_STEPS)),
        _look_at_views,
    ),
    Subject("scan", _grid("calcium", inputs.calcium(0.015)), _look_at_written_once(".png")),
    Subject("map-record", _prepare_map, _look_at_map_record),
    Subject("machine", _prepare_machine, _look_at_machine),
    Subject("ways", _prepare_ways, _look_at_ways),
    Subject("speeds", _prepare_speeds, _look_at_speeds),
)
