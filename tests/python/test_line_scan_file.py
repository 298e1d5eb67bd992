# SPDX-License-Identifier: Apache-2.0
"""Line scans as CSV: the same bits again, also for other programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from makespan.base.errors import InputError
from makespan.grids.calcium.line_scan import ScanImage, middles
from makespan.grids.calcium.line_scan_file import read_line_scan, write_line_scan
from sparks import spark

FOREVER = float("inf")


def test_all_bits_come_back(tmp_path: Path) -> None:
    image = spark()
    write_line_scan(tmp_path / "scan.csv", image)

    found = read_line_scan(tmp_path / "scan.csv", image.positions, FOREVER)

    assert found is not None
    assert found.times.tobytes() == image.times.tobytes()
    assert found.light.tobytes() == image.light.tobytes()


def test_other_programs_read_it(tmp_path: Path) -> None:
    image = spark()
    write_line_scan(tmp_path / "scan.csv", image)

    table = pl.read_csv(tmp_path / "scan.csv")

    assert [float(name) for name in table.columns[1:]] == image.positions.tolist()
    assert table["time_ms"].to_list() == image.times.tolist()
    assert (table[:, 1:].to_numpy() == image.light).all()


def test_a_run_that_goes_on_takes_the_lines_before_it(tmp_path: Path) -> None:
    image = spark()
    write_line_scan(tmp_path / "scan.csv", image)

    found = read_line_scan(tmp_path / "scan.csv", image.positions, 1.0)

    assert found is not None
    assert found.times.tolist() == [0.0, 0.25, 0.5, 0.75]
    assert found.light.tobytes() == image.light[:4].tobytes()


def test_there_may_be_no_line_and_no_file(tmp_path: Path) -> None:
    positions = middles(2, 1.0)
    write_line_scan(tmp_path / "scan.csv", ScanImage(np.empty(0), positions, np.empty((0, 2))))

    found = read_line_scan(tmp_path / "scan.csv", positions, FOREVER)

    assert found is not None
    assert found.light.shape == (0, 2)
    assert read_line_scan(tmp_path / "nowhere.csv", positions, FOREVER) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "cannot be read as a line scan"),
        ("time_ms,0.5,1.5\n0,1\n", "cannot be read as a line scan"),
        ("time_ms,0.5,1.5\n0,1,one\n", "cannot be read as a line scan"),
        ("time_ms,0.5,1.5\n0,1,µ\n", "cannot be read as a line scan"),
        ("time_ms,0.5,2.5\n0,1,1\n", "a line scan of other positions"),
        ("step,0.5,1.5\n0,1,1\n", "a line scan of other positions"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "scan.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=rf"scan\.csv: it .*{told}.*: name another folder"):
        read_line_scan(path, middles(2, 1.0), FOREVER)


def test_a_disk_that_refuses_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write .*nowhere/scan\.csv"):
        write_line_scan(tmp_path / "nowhere" / "scan.csv", spark())
