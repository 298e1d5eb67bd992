# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of a running grid, those that are kept, and those from which no run goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_grid import FIELDS, POINTS, FakeTeam, damage, small_grid, write_by_hand
from makespan.base.errors import InputError
from makespan.grids.checkpoints import CHECKPOINTS, drop_old
from makespan.grids.input import GridFiles
from makespan.grids.outputs import TABLE, check_out
from makespan.grids.saving import Saving
from makespan.grids.table_file import read_table, write_table

COLUMNS = ("step", "time", "least")


def steps_in(folder: Path) -> list[int]:
    return [int(one.stem.removeprefix("step-")) for one in CHECKPOINTS.all_in(folder)]


def saved(folder: Path, steps: int = 5) -> Path:
    """The checkpoint of a run that was there."""
    team = FakeTeam()
    team.run(steps)
    Saving(team, small_grid()).checkpoint(folder / "saved", steps, {"open": [1]})
    return CHECKPOINTS.path(folder / "saved", steps)


def test_a_grid_is_restored_with_its_step_and_what_else_there_was(tmp_path: Path) -> None:
    team = FakeTeam()

    state = Saving(team, small_grid()).restore(saved(tmp_path))

    assert team.step == 5
    assert [field.min() for field in team.fields] == [5.0, 1005.0]
    assert [field.max() for field in team.fields] == [5.0, 1005.0]
    assert state == {"open": [1]}
    assert Saving(team, small_grid()).check_source(saved(tmp_path)) == 5


def test_the_last_two_are_kept(tmp_path: Path) -> None:
    team = FakeTeam()
    saving = Saving(team, small_grid())

    for step in (0, 5, 10, 20, 100):
        saving.checkpoint(tmp_path, step, {})

    assert steps_in(tmp_path) == [20, 100]


def test_what_a_run_saves_is_not_dropped_for_later_ones(tmp_path: Path) -> None:
    """A run that goes on from step 20 finds those of 30 and 40, which it has not come to."""
    for step in (10, 20, 30, 40):
        CHECKPOINTS.path(tmp_path, step).touch()

    drop_old(tmp_path, 20)
    assert steps_in(tmp_path) == [10, 20, 30, 40]
    CHECKPOINTS.path(tmp_path, 25).touch()
    drop_old(tmp_path, 25)
    assert steps_in(tmp_path) == [20, 25, 30, 40]
    drop_old(tmp_path, 40)
    assert steps_in(tmp_path) == [30, 40]


def test_other_files_are_no_checkpoints(tmp_path: Path) -> None:
    for name in ("step-7.vtkhdf", "step-x.vtkhdf", ".step-9.vtkhdf.12.tmp", "step-8.txt"):
        (tmp_path / name).touch()

    assert steps_in(tmp_path) == [7]
    drop_old(tmp_path, 100)
    assert len(list(tmp_path.iterdir())) == 4


def test_no_run_writes_among_those_of_another(tmp_path: Path) -> None:
    source = saved(tmp_path)
    folder = source.parent

    CHECKPOINTS.check(folder, source)
    CHECKPOINTS.check(tmp_path / "new", None)
    CHECKPOINTS.check(tmp_path / "new", source)
    with pytest.raises(InputError, match=r"those of an earlier run; give restart_from .*step-5"):
        CHECKPOINTS.check(folder, None)
    with pytest.raises(InputError, match="or name another folder"):
        CHECKPOINTS.check(folder, tmp_path / "step-5.vtkhdf")


def test_a_folder_must_have_a_place(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(InputError, match="it is a file; name a folder"):
        CHECKPOINTS.check(tmp_path / "file", None)
    with pytest.raises(InputError, match="out does not exist; create it"):
        CHECKPOINTS.check(tmp_path / "out" / "saved", None)
    CHECKPOINTS.check(tmp_path / "out" / "saved", None, tmp_path / "out")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("x" * 300, "loop"):
        with pytest.raises(InputError, match=r"cannot be used \(.*\); name another file"):
            CHECKPOINTS.check(tmp_path / name, None)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (small_grid(**{"lambda": 0.2}), "lambda = 0.1 there, and 0.2 here; go on with what it was"),
        (small_grid(faces=["value"]), 'faces = nothing there, and ["value"] here'),
        (replace(small_grid(), settings={}), "= [3, 2, 4] there, and nothing here"),
        (
            replace(small_grid(), application="calcium"),
            "it is of `makespan diffuse`; name a checkpoint of `makespan calcium`",
        ),
        (replace(small_grid(), points=(3, 2, 5)), "of (3, 2, 4) points, not a, b of (3, 2, 5)"),
        (replace(small_grid(), fields=("a", "c")), "fields a, b of (3, 2, 4) points, not a, c"),
        (small_grid(steps=4), "step 5 is past the last one, 4; give more steps"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path, grid: object, message: str) -> None:
    source, team = saved(tmp_path), FakeTeam()

    for act in ("check_source", "restore"):
        with pytest.raises(InputError) as raised:
            getattr(Saving(team, grid), act)(source)  # type: ignore[arg-type]
        assert str(raised.value).startswith(f"{source}: ")
        assert message in str(raised.value)
    assert team.fields[0].max() == 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"settings": "{}"}, "what its run was told cannot be read"),
        ({"settings": "no JSON"}, "what its run was told cannot be read"),
        ({"settings": '{"settings": [], "state": {}}'}, "what its run was told cannot be read"),
        ({"step": -3}, "step -3 (steps count from 0)"),
    ],
)
def test_a_file_of_others_is_refused(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    x, y, z = POINTS
    path = tmp_path / "step-5.vtkhdf"
    write_by_hand(path, replace(small_grid().head(5), **changed), np.zeros((z, y, x)))

    for act in ("check_source", "restore"):
        with pytest.raises(InputError) as raised:
            getattr(Saving(FakeTeam(), small_grid()), act)(path)
        assert str(raised.value).startswith(f"{path}: ")
        assert message in str(raised.value)


def test_the_last_step_can_be_gone_on_from(tmp_path: Path) -> None:
    assert Saving(FakeTeam(), small_grid(steps=5)).check_source(saved(tmp_path)) == 5


def test_a_value_that_is_no_number_is_named_with_its_voxel(tmp_path: Path) -> None:
    x, y, z = POINTS
    values = np.zeros((z, y, x))
    values[3, 1, 2] = np.inf
    write_by_hand(tmp_path / "step-5.vtkhdf", small_grid().head(5), values)

    with pytest.raises(InputError, match=r"a = inf at voxel \(2, 1, 3\); name an earlier"):
        Saving(FakeTeam(), small_grid()).restore(tmp_path / "step-5.vtkhdf")


def test_a_damaged_one_is_refused_and_none_replaces_it(tmp_path: Path) -> None:
    source = saved(tmp_path)
    damage(source, "b")

    with pytest.raises(InputError, match="field 'b', plane 1: its bytes are not those"):
        Saving(FakeTeam(), small_grid()).restore(source)


def test_views_are_listed_and_no_run_goes_on_from_one(tmp_path: Path) -> None:
    saving = Saving(FakeTeam(), small_grid())

    series = saving.view(tmp_path / "paraview", 0, FIELDS)
    assert saving.view(tmp_path / "paraview", 20, FIELDS) == series

    assert series.name == "diffuse.vtkhdf.series"
    assert "diffuse-00000020.vtkhdf" in series.read_text()
    with pytest.raises(InputError, match="it is for ParaView only"):
        saving.check_source(tmp_path / "paraview" / "diffuse-00000020.vtkhdf")


def test_a_table_reads_back_to_the_same_numbers(tmp_path: Path) -> None:
    lines = [
        {"step": 0, "time": 0.1 + 0.2, "least": None},
        {"step": 10, "time": 1e-300, "least": 1 / 3},
        {"step": 20, "time": 2.0, "least": 5},
    ]
    path = tmp_path / TABLE

    write_table(path, COLUMNS, lines)

    assert read_table(path, COLUMNS, 21) == lines
    assert read_table(path, COLUMNS, 20) == lines[:2]
    assert read_table(path, COLUMNS, 0) == []
    assert read_table(tmp_path / "none.csv", COLUMNS, 99) == []
    assert path.read_text().splitlines()[:2] == ["step,time,least", "0,0.30000000000000004,"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "its columns are not step, time, least"),
        ("step,time\n0,1\n", "its columns are not step, time, least"),
        ("step,time,least\n0,1\n", "it is no table of this run"),
        ("step,time,least\n0,1,x\n", "could not convert string to float: 'x'"),
        ("step,time,least\n0.5,1,2\n", "'0.5' is no step"),
        ("step,time,least\n,1,2\n", "'' is no step"),
        ("step,time,least\n0,1," + "9" * 200000 + "\n", "it is no table of this run"),
        ("\xff", "it is no table of this run"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / TABLE
    path.write_text(content, encoding="latin-1")

    with pytest.raises(InputError) as raised:
        read_table(path, COLUMNS, 5)

    assert str(raised.value).startswith(f"{path}: it is no table of this run (")
    assert message in str(raised.value)
    assert str(raised.value).endswith("; move it away")


def test_results_do_not_lie_among_those_of_another_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "old").mkdir()
    check_out(GridFiles(output=tmp_path / "old"))
    (tmp_path / "old" / TABLE).touch()
    saved = tmp_path / "saved"
    saved.mkdir()

    check_out(GridFiles())
    check_out(GridFiles(output=tmp_path / "new"))
    check_out(GridFiles(output=tmp_path / "old", restart_from=tmp_path / "file"))
    for out, message in (
        ("old", "it holds the results of an earlier run; name another folder, or delete"),
        ("file", "it is a file; name a folder"),
        ("a/b", "does not exist; create it"),
    ):
        with pytest.raises(InputError, match=message):
            check_out(GridFiles(output=tmp_path / out))
    # A run may have been killed before its first checkpoint.
    with pytest.raises(InputError, match=r"no checkpoint in .*saved to go on from: name another"):
        check_out(GridFiles(output=tmp_path / "old", checkpoint=saved))
    CHECKPOINTS.path(saved, 30).touch()
    with pytest.raises(InputError, match=r"restart_from .*step-30\.vtkhdf, or name another"):
        check_out(GridFiles(output=tmp_path / "old", checkpoint=saved))
