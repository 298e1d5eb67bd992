# SPDX-License-Identifier: Apache-2.0
"""What runs of grids write: over nothing of their own, and before an error ends them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from makespan.cli import main
from makespan.files.atomic import make_output_folder
from small_grids import FIELD

import makespan

FEW: dict[str, Any] = {"kernel": "interpreted", "threads": 1}


@pytest.mark.parametrize(
    "named",
    [
        "out/table.csv",
        "out/slices/u-00000000.png",
        "out/paraview/step-5.vtkhdf",
        "out/../out/line-scan.csv",
        "saved/step-5.vtkhdf",
    ],
)
@pytest.mark.parametrize("flag", ["--record", "--trace"])
def test_a_record_is_not_written_over_what_the_run_writes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flag: str,
    named: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("field.toml").write_text(FIELD)
    for folder in ("out", "out/slices", "out/paraview", "saved"):
        Path(folder).mkdir()

    code = main(["diffuse", "field.toml", "-o", "out", "--checkpoint", "saved", flag, named])

    assert code == 2
    assert f"{named} would be written over what the run writes" in capsys.readouterr().err
    assert not [
        path for path in tmp_path.rglob("*") if path.is_file() and path.name != "field.toml"
    ]


@pytest.mark.parametrize("name", ["slices", "paraview"])
def test_a_file_where_a_folder_will_be_is_found_before_the_run(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    lines: list[Any] = []

    with pytest.raises(makespan.InputError, match=f"{name} in it is a file"):
        makespan.diffuse(np.ones((3, 4, 5)), steps=2, output=tmp_path, on_line=lines.append)

    assert not lines


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """As where the disk is full or the user's share of it: in the middle of a run."""
    (tmp_path / "file").touch()

    with pytest.raises(makespan.InputError, match=r"^cannot write .*paraview: Not a directory; "):
        make_output_folder(tmp_path / "file" / "paraview")


@pytest.mark.parametrize("name", ["slices", "paraview"])
def test_a_run_that_can_make_no_folder_says_so(tmp_path: Path, name: str) -> None:
    def spoil(line: Any) -> None:
        if line["step"] == 2:
            shutil.rmtree(tmp_path / name)
            (tmp_path / name).touch()

    every = {"slices": "slice_steps", "paraview": "state_steps"}[name]
    problem = makespan.grid(lambda u: {"u": u + 0.1 * u.laplacian()}, {"u": np.ones((8, 8))})
    with pytest.raises(makespan.InputError, match=f"^cannot write .*{name}: "):
        problem.run(8, output=tmp_path, table_steps=1, **{every: 4}, on_line=spoil, **FEW)


def test_a_record_may_lie_among_results(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    record = tmp_path / "out" / "record.json"

    makespan.diffuse(np.ones((3, 4, 5)), steps=2, output=tmp_path / "out", record=record)

    assert record.is_file()


def growing(tmp_path: Path, **more: Any) -> Any:
    problem = makespan.grid(lambda u: {"u": u * 10}, {"u": np.full((6, 5), 1.0)})
    return problem.run(1000, **FEW, output=tmp_path / "out", table_steps=1, **more)


def test_a_run_that_leaves_all_bounds_has_the_lines_before(tmp_path: Path) -> None:
    with pytest.raises(makespan.EngineError, match="begin again with a shorter time step"):
        growing(tmp_path)

    lines = (tmp_path / "out" / "table.csv").read_text().splitlines()
    assert len(lines) > 300
    assert all(np.isfinite(float(value)) for line in lines[1:] for value in line.split(","))
    with pytest.raises(makespan.InputError, match="holds the results of an earlier run"):
        growing(tmp_path)


def test_so_has_one_that_a_callback_ends(tmp_path: Path) -> None:
    def refuse(progress: Any) -> None:
        if progress.done > 20:
            raise LookupError("enough")

    with pytest.raises(LookupError):
        growing(tmp_path, on_progress=refuse)

    assert len((tmp_path / "out" / "table.csv").read_text().splitlines()) > 20


def test_first_values_without_bounds_are_not_mended_by_time_steps(tmp_path: Path) -> None:
    with pytest.raises(makespan.EngineError, match=r"after step 0: .*give other first values"):
        makespan.diffuse(
            points=[3, 4, 5], steps=2, height=1e308, background=1e308, output=tmp_path / "out"
        )
    makespan.diffuse(points=[3, 4, 5], steps=2, output=tmp_path / "out")  # the mended run


@pytest.mark.parametrize(
    ("values", "spacing"),
    [
        (np.array([[-1.7e308, 1.7e308], [0.0, 1.0]]), 1.0),
        (np.random.default_rng(1).random((50, 2)) * 1e308, (1e50, 1e-50)),
    ],
)
def test_values_that_cannot_be_drawn_end_no_run(
    tmp_path: Path, values: np.ndarray[Any, Any], spacing: Any
) -> None:
    problem = makespan.grid(lambda u: {"u": 0.5 * u}, {"u": values}, spacing=spacing)

    with pytest.warns(RuntimeWarning, match="is not drawn"):
        found = problem.run(1, **FEW, output=tmp_path / "out")

    assert found.steps == 1
    assert (tmp_path / "out" / "table.csv").is_file()


def test_time_steps_are_bounded() -> None:
    with pytest.raises(makespan.InputError, match=r"time_step=1e.306 cannot .* up to 1e.290"):
        makespan.diffuse(points=[3, 4, 5], steps=1000, diffusion=0.0, time_step=1e306)


def test_the_limit_of_steps_is_told() -> None:
    with pytest.raises(makespan.InputError, match=r"give a whole number up to 2\^53"):
        makespan.diffuse(points=[3, 4, 5], steps=10**30)


def test_weights_are_of_the_users_rows() -> None:
    values = np.random.default_rng(1).random((6, 7))
    ends = {"y": ({"u": values[0]}, {"u": values[1]})}
    problem = makespan.grid(
        lambda u: {"u": u + 0.1 * u.laplacian(order=4)}, {"u": values}, boundary=ends
    )

    weighted = problem.run(3, **FEW, plane_weights=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])

    assert weighted.hash == problem.run(3, **FEW).hash
    with pytest.raises(makespan.InputError, match=r"5 plane_weights .arrays have 6 along y"):
        problem.run(3, **FEW, plane_weights=[1.0] * 5)


def test_a_folder_for_compilers_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    problem = makespan.grid(lambda u: {"u": 0.75 * u}, {"u": np.ones((4, 5))})

    with pytest.raises(makespan.InputError, match=r"none is no folder.*set TMPDIR to a folder"):
        problem.run(1, kernel="compiled", threads=1)
