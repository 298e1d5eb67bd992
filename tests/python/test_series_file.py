# SPDX-License-Identifier: Apache-2.0
"""Lists of files by time, as ParaView reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.grids.series_file import SeriesFile


def listed(path: Path) -> list[tuple[str, float]]:
    document = json.loads(path.read_text())
    assert document["file-series-version"] == "1.0"
    return [(each["name"], each["time"]) for each in document["files"]]


def test_files_are_listed_as_they_come(tmp_path: Path) -> None:
    path = tmp_path / "spark.vtkhdf.series"
    series = SeriesFile(path)

    series.add(tmp_path / "step-0.vtkhdf", 0.0)
    assert listed(path) == [("step-0.vtkhdf", 0.0)]
    series.add(tmp_path / "more" / "step-8.vtkhdf", 0.1)
    series.add(tmp_path / "step-8.vtkhdf", 0.1)

    assert listed(path)[1:] == [("more/step-8.vtkhdf", 0.1), ("step-8.vtkhdf", 0.1)]
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_that_goes_on_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "a.series"
    first = SeriesFile(path)
    for step in range(4):
        first.add(tmp_path / f"step-{step}", float(step))

    SeriesFile.going_on(path, 2.0).add(tmp_path / "again", 2.0)

    assert listed(path) == [("step-0", 0.0), ("step-1", 1.0), ("again", 2.0)]


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"files": [{"name": "a"}]}', "\0"])
def test_what_is_no_list_is_written_anew(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "a.series"
    if text is not None:
        path.write_text(text)

    SeriesFile.going_on(path, 2.0).add(tmp_path / "a", 0.0)

    assert listed(path) == [("a", 0.0)]


def test_a_disk_that_refuses_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot write .*nowhere/a\.series"):
        SeriesFile(tmp_path / "nowhere" / "a.series").add(tmp_path / "nowhere" / "a", 0.0)
