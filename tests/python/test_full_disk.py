# SPDX-License-Identifier: Apache-2.0
"""A disk that is full or cannot be written to: one message, the older file whole, nothing else.

Method: a limit on the size of the process's files, which hits anywhere in a file; and, where
the system lets us mount one, a small disk that fills up or is read-only; and a library between
these processes and the system that says what a quota says.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import fake_core
import numpy as np
import polars as pl
import pytest
from limited_files import files_of_at_most
from makespan.base.errors import InputError, JournalError
from makespan.cli import main
from makespan.files.atomic import write_files
from makespan.files.frame_file import write_frame
from makespan.files.journal_request import JournalRequest
from makespan.graph.mapping_file import mapping_writer
from makespan.graph.packed_text import write_json
from makespan.grids.calcium.line_scan import ScanImage
from makespan.grids.calcium.line_scan_file import write_line_scan
from makespan.grids.picture_style import write_figure
from makespan.grids.series_file import SeriesFile
from makespan.grids.state_file import StateHead, write_state, write_view
from makespan.grids.table_file import write_table
from makespan.job.progress import OnProgress
from makespan.melting.trajectory import new_trajectory
from makespan.pricing.input import Settings
from makespan.pricing.run import run_book
from makespan.pricing.speed_memory import SpeedMemory
from makespan.sim.example import MACHINE_EXAMPLE
from makespan.sim.grids.example import GRID_EXAMPLE
from small_books import checked, plain_book
from with_simulator import needs_simulator

NUMBERS = np.random.default_rng(5).normal(size=30_000)
"""What no format makes shorter than the disks below."""
HEAD = StateHead("diffuse", 0, 0.0, "", (30, 30, 30), (1.0, 1.0, 1.0), ("u",), "{}")
DISK_BYTES = 96 << 10
RUN_S_MAX = 120


def price_table(suffix: str) -> Callable[[Path], None]:
    table = pl.DataFrame({"price": NUMBERS})
    return lambda path: write_files({path: lambda file: write_frame(table, file, suffix, "{}")})


def planes(_: int, z_begin: int, z_end: int) -> np.ndarray:
    return NUMBERS[:27_000].reshape(30, 30, 30)[z_begin:z_end]


def graph(path: Path) -> None:
    write_json(path, NUMBERS.tolist())


def mapping(path: Path) -> None:
    write_files({path: mapping_writer(path, {"place": NUMBERS.tolist()})})


def series(path: Path) -> None:
    listed = SeriesFile(path)
    listed._times = {f"view-{number}": float(number) for number in range(10_000)}
    listed.add(path.with_name("last"), 1e9)


def picture(path: Path) -> None:
    from matplotlib.figure import Figure

    def draw() -> Figure:
        figure = Figure()
        figure.figimage(NUMBERS.reshape(200, 150))
        return figure

    write_figure(path, draw)


def line_scan(path: Path) -> None:
    positions = np.arange(100.0)
    write_line_scan(path, ScanImage(np.arange(300.0), positions, NUMBERS.reshape(300, 100)))


def trajectory(path: Path) -> None:
    file = new_trajectory(path, 10_000, (9.0, 9.0, 9.0), 1, 0.1)
    try:
        file.write(0, NUMBERS.reshape(10_000, 3))
        file.keep()
    finally:
        file.drop()


WRITERS: dict[str, Callable[[Path], None]] = {
    "prices.csv": price_table(".csv"),
    "prices.parquet": price_table(".parquet"),
    "prices.arrow": price_table(".arrow"),
    "graph.json.zst": graph,
    "map.json": mapping,
    "map.json.zst": mapping,
    "step-0.vtkhdf": lambda path: write_state(path, HEAD, planes),
    "view.vtkhdf": lambda path: write_view(path, HEAD, planes, ["u"]),
    "u.vtkhdf.series": series,
    "table.csv": lambda path: write_table(path, ["x"], [{"x": x} for x in NUMBERS.tolist()]),
    "scan.csv": line_scan,
    "slice.png": picture,
    "melt.xyz": trajectory,
    "melt.dcd": trajectory,
}


def refused(path: Path) -> str:
    """What is said where that writer's file cannot be written."""
    with pytest.raises(InputError) as caught:
        WRITERS[path.name](path)
    return str(caught.value)


@pytest.mark.parametrize("size", [0, 1, 4096, 50_000])
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_does_not_fit_leaves_the_older_one(
    tmp_path: Path, name: str, size: int
) -> None:
    path = tmp_path / name
    path.write_text("old")
    (tmp_path / "warm").mkdir()
    WRITERS[name](tmp_path / "warm" / name)  # libraries write caches of their own at first

    with files_of_at_most(size):
        said = refused(path)

    assert said.startswith(f"cannot write {path}: ")
    assert "\n" not in said
    assert path.read_text() == "old"
    assert {one.name for one in tmp_path.iterdir()} == {name, "warm"}


SIMULATIONS = [
    pytest.param(MACHINE_EXAMPLE, "--tasks 100 --policy all", marks=needs_simulator),
    (GRID_EXAMPLE, "--sweep steps=1,2,3,4,5,6,7,8,9"),
]


def simulated(description: Path, flags: str, output: str) -> int:
    """The exit code of `makespan simulate`, beside the description."""
    with contextlib.chdir(description.parent):
        return main(["simulate", description.name, *flags.split(), "-q", "-o", output])


@pytest.mark.parametrize(("description", "flags"), SIMULATIONS)
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".json"])
def test_cases_that_do_not_fit_are_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], description: str, flags: str, suffix: str
) -> None:
    described, output = tmp_path / "described.toml", tmp_path / f"cases{suffix}"
    described.write_text(description)
    output.write_text("old")

    with files_of_at_most(600):
        code = simulated(described, flags, output.name)

    said = capsys.readouterr().err
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith(f"makespan: cannot write {output.name}: ")
    assert output.read_text() == "old"
    assert {one.name for one in tmp_path.iterdir()} == {output.name, described.name}


@pytest.mark.parametrize(("description", "flags"), SIMULATIONS)
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".json"])
def test_cases_are_written_to_names_that_are_no_text(
    tmp_path: Path, description: str, flags: str, suffix: str
) -> None:
    described, output = tmp_path / "described.toml", os.fsdecode(b"cases-\xff" + suffix.encode())
    described.write_text(description)

    assert simulated(described, flags, output) == 0
    assert described.with_name(output).stat().st_size > 0


class InBatches(fake_core.PricingRun):
    """All is finished at once and handed over in parts, so that there are several commits."""

    ROWS = 20

    def wait(self, seconds: float) -> dict[str, Any]:  # noqa: ARG002
        self.thread.join()
        state = super().wait(0.0)
        is_last = self.taken + self.ROWS >= self.rows
        return {**state, "done": is_last or self.stop.is_set()}

    def take_finished(self) -> np.ndarray:
        rows = self.finished[self.taken :][: self.ROWS]
        self.taken += len(rows)
        return np.array(rows, dtype=np.int64)


def journal_of(path: Path, rows: int, *, resume: bool, progress: OnProgress | None = None) -> int:
    """Rows that were there before."""
    request = JournalRequest(path, resume)
    book = checked(plain_book(rows))
    return run_book(fake_core, book, Settings(), request, progress=progress).from_journal


@pytest.mark.parametrize("size", [0, 100, 30_000, 60_000, 110_000])
def test_a_journal_that_does_not_fit_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path = tmp_path / "run.db"
    told = [0]

    with monkeypatch.context() as engine, files_of_at_most(size):
        engine.setattr(fake_core, "PricingRun", InBatches)
        with pytest.raises(JournalError) as caught:
            journal_of(path, 1000, resume=False, progress=lambda one: told.append(one.done))

    assert f"cannot write journal {path}" in str(caught.value)
    assert "go on with restart_from" in str(caught.value)
    kept = journal_of(path, 1000, resume=True)
    assert journal_of(path, 1000, resume=True) == 1000
    assert max(told) <= kept < 1000
    assert kept > 0 or size < 30_000


def test_speeds_that_do_not_fit_are_a_warning(tmp_path: Path) -> None:
    memory = SpeedMemory(tmp_path / "speeds", "work")

    with files_of_at_most(3):
        memory.keep({"cpu": 1e9})

    assert memory.problem is not None
    assert "speeds cannot be remembered in" in memory.problem
    assert list((tmp_path / "speeds").iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["price", "book.csv"], ["price", "book.csv", "--json"]]
)
def test_a_full_disk_behind_stdout_is_one_message(tmp_path: Path, arguments: list[str]) -> None:
    plain_book(9).write_csv(tmp_path / "book.csv")
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("fake_cli.py")), *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            timeout=RUN_S_MAX,
            check=False,
        )

    assert ended.returncode == 4
    assert ended.stderr.startswith("makespan: ")
    assert ended.stderr.count("\n") == 1
    assert "No space left on device" in ended.stderr


def may_mount() -> bool:
    """Whether a process may have mounts of its own here."""
    if shutil.which("unshare") is None:
        return False
    trial = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "x", "/mnt"]
    return subprocess.run(trial, capture_output=True, check=False).returncode == 0


SANITIZERS = ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "_RJEM_MALLOC_CONF")
ON_A_DISK = """
import json, sys
from pathlib import Path
import test_full_disk as tests
said = {}
for name in tests.WRITERS:
    path = Path(sys.argv[1]) / name
    said[name] = [tests.refused(path), path.read_text(), [p.name for p in path.parent.iterdir()]]
print(json.dumps(said))
"""


def told_by_all(run: Sequence[str], kept: Mapping[str, str], disk: Path) -> list[str]:
    """What each writer says where it cannot write, each having left what was there, and no more."""
    here = Path(__file__).parent
    # Of a sanitizer, which the extension may be built with.
    kept = {name: os.environ[name] for name in SANITIZERS if name in os.environ} | dict(kept)
    ended = subprocess.run(
        run,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        env={
            "PYTHONPATH": str(here),
            "HOME": str(disk.parent),
            "PATH": "/usr/bin:/bin",
            **kept,
        },
        check=False,
    )

    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert set(found) == set(WRITERS)
    for name, (said, left, files) in found.items():
        assert said.startswith(f"cannot write {disk / name}: "), said
        assert left == "old"
        assert set(files) == set(WRITERS)
    return [said for said, _, _ in found.values()]


@pytest.mark.skipif(not may_mount(), reason="no mounts of one's own here")
@pytest.mark.parametrize(
    ("then", "why"), [("", "full|space"), ("mount -o remount,ro {disk};", "[Rr]ead-only")]
)
def test_a_small_disk_and_a_read_only_one(tmp_path: Path, then: str, why: str) -> None:
    disk, names = tmp_path / "disk", " ".join(WRITERS)
    disk.mkdir()
    story = (
        f"mount -t tmpfs -o size={DISK_BYTES} tmpfs {disk}; "
        f"for name in {names}; do printf old > {disk}/$name; done; {then.format(disk=disk)} "
        f'exec {sys.executable} -c "$0" {disk}'
    )

    unshare = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec", story, ON_A_DISK]
    for said in told_by_all(unshare, {}, disk):
        assert re.search(why, said), said


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler")
def test_a_quota(tmp_path: Path) -> None:
    disk, library = tmp_path / "disk", tmp_path / "libquota.so"
    disk.mkdir()
    for name in WRITERS:
        (disk / name).write_text("old")
    source = Path(__file__).with_name("quota.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", source, "-o", library, "-ldl"], check=True)
    loaded = " ".join(filter(None, [os.environ.get("LD_PRELOAD"), str(library)]))
    quota = {
        "LD_PRELOAD": loaded,
        "MAKESPAN_QUOTA_FOLDER": str(disk),
        "MAKESPAN_QUOTA_BYTES": str(DISK_BYTES // 2),
    }

    for said in told_by_all([sys.executable, "-c", ON_A_DISK, str(disk)], quota, disk):
        assert re.search("[Qq]uota", said), said
