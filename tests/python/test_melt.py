# SPDX-License-Identifier: Apache-2.0
"""`makespan.melt`: the same bits wherever objects are, and files that are whole or not there."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from dcd_reader import read_dcd
from job_programs import MPIEXEC, needs_mpi
from makespan.base.errors import InputError
from makespan.melting.outcome import Line
from makespan.melting.table import HEAD, line_text
from makespan.report.result_hash import shown_hash
from small_melt import ATOMS, small_input

import makespan
from makespan import Interrupted, MeltResult, Progress


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return small_input(tmp_path)


def melted(source: Path, **given: Any) -> MeltResult:
    result = makespan.melt(source, **given)
    assert result is not None
    return result


def test_every_number_of_threads_has_the_same_result(source: Path) -> None:
    one = melted(source, threads=1)

    for more in (
        {"threads": 2},
        {"threads": 3, "first_map": "round-robin"},
        {"threads": 2, "when": 1, "balancer": "random"},
        {"threads": 2, "phase_steps": 7, "when": "never"},
    ):
        result = melted(source, **more)
        assert result.hash == one.hash
        assert result.thermo.equals(one.thermo)
        assert result.places == more["threads"]
    assert melted(source, threads=2, steps=21).hash != one.hash


def test_objects_are_placed_and_moved_by_what_is_named(source: Path) -> None:
    rotated = melted(source, threads=2, when=1, balancer="rotate")
    dealt = melted(source, threads=2, when="never", first_map="round-robin").objects
    blocks = melted(source, threads=2, when="never", first_map="block").objects

    # To the next place, each of them, in each phase: no other balancer does that.
    assert rotated.phases["moved"].to_list() == [len(rotated.objects)] * 4
    for kind in ("cell", "compute"):
        places = [
            table.filter(pl.col("kind") == kind).sort("object")["place_first"].to_list()
            for table in (dealt, blocks)
        ]
        assert places[0] == [number % 2 for number in range(len(places[0]))]
        assert places[1] == sorted(places[0])


def test_the_first_line_is_that_of_lammps() -> None:
    """Its log.6Oct16.lj.fixed.icc.1, all digits."""
    lines: list[Line] = []

    result = makespan.melt(steps=0, threads=2, on_line=lines.append)

    assert result is not None
    assert result.atoms == 32000
    assert HEAD.split() == ["Step", "Temp", "E_pair", "TotEng", "Press"]
    assert line_text(lines[0]) == "       0         1.44   -6.7733681   -4.6134356   -5.0197073"
    assert len(HEAD) == len(line_text(lines[0]))


def test_numbers_may_be_numpys_and_whole() -> None:
    given = {"cells": np.array([3, 3, 3]), "lattice_cells": (6, 6, 6), "steps": np.int64(2)}

    result = makespan.melt(threads=1, density=1, cutoff=2, temperature=0, **given)

    assert result is not None
    assert result.steps == 2
    assert result.thermo["temperature"][0] == 0


def test_a_result_tells_of_lines_phases_and_objects(source: Path) -> None:
    result = melted(source, threads=2, when="never")

    assert result.thermo["step"].to_list() == [0, 10, 20]
    assert result.thermo["temperature"][0] == pytest.approx(1.44)
    assert (result.steps, result.complete, result.atoms) == (20, True, ATOMS)
    assert result.phases["phase"].to_list() == [1, 2, 3, 4]
    assert (result.phases["busy_s_longest"] >= result.phases["busy_s_mean"]).all()
    objects = result.objects
    assert objects["kind"].value_counts(sort=True)["count"].to_list() == [378, 27]
    assert objects["seconds_first"].min() > 0  # type: ignore[operator]
    assert objects["place_first"].equals(objects["place_last"].alias("place_first"))
    assert result.phases["moved"].sum() == 0


def test_a_trajectory_has_the_crystal_first(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "melt.dcd"

    melted(source, output=path, frame_steps=8)

    found = read_dcd(path)
    assert found.positions.shape == (3, ATOMS, 3)  # 0, 8, 16: the last step is not among them
    assert (found.first, found.every) == (0, 8)
    constant = (4 / 0.8442) ** (1 / 3)
    assert found.boxes[0].tolist() == pytest.approx(
        [6 * constant, 0, 6 * constant, 0, 0, 6 * constant]
    )
    halves = found.positions[0] / (constant / 2)
    np.testing.assert_allclose(halves, np.round(halves), atol=1e-5)
    assert (np.round(halves).sum(axis=1) % 2 == 0).all()  # face-centred
    moved = found.positions[1] - found.positions[0]
    assert np.abs(moved).max() > 0.01


def test_a_run_goes_on_from_a_checkpoint(source: Path, tmp_path: Path) -> None:
    whole = melted(source, threads=2, steps=35)
    saved = tmp_path / "saved"
    melted(source, threads=2, checkpoint=saved)
    assert sorted(path.name for path in saved.iterdir()) == ["phase-4", "phase-5"]

    rest = melted(
        source,
        threads=3,
        steps=35,
        checkpoint=saved,
        restart_from=saved / "phase-4",
        output=tmp_path / "rest.dcd",
    )

    assert rest.hash == whole.hash
    assert rest.thermo.equals(whole.thermo.filter(whole.thermo["step"] > 15))
    assert read_dcd(tmp_path / "rest.dcd").first == 20
    assert len(read_dcd(tmp_path / "rest.dcd").positions) == 2


def test_a_checkpoint_may_have_any_name(source: Path, tmp_path: Path) -> None:
    saved, told = tmp_path / "saved", list[Progress]()
    melted(source, checkpoint=saved)
    (saved / "phase-4").rename(tmp_path / "backup")

    melted(
        source,
        steps=35,
        restart_from=tmp_path / "backup",
        output=tmp_path / "rest.dcd",
        on_progress=told.append,
    )

    found = read_dcd(tmp_path / "rest.dcd")
    assert (found.first, len(found.positions)) == (20, 2)
    assert [one.done for one in told] == [20, 25, 30, 35]
    assert told[0].left_s == pytest.approx(3 * told[0].elapsed_s)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"temperature": 1.0}, r"temperature = 1 \(the checkpoint is of a run with 1.44\)"),
        ({"phase_steps": 10}, r"phase_steps = 10 \(the checkpoint is of a run with 5\)"),
        ({"steps": 15}, r"steps = 15 \(the checkpoint has done 20 of them\): give more"),
        ({"steps": 5}, r"steps = 5 \(the checkpoint has done 20 of them\): give more"),
        ({"steps": 20}, r"steps = 20 \(.*the run is at its end.*\): raise steps"),
        ({"cells": [3, 3, 4], "lattice_cells": [6, 6, 8]}, "it has other collections"),
        ({"restart_from": "nowhere"}, r"checkpoint nowhere \(there is none\)"),
        ({"restart_from": "no\udcff"}, r"checkpoint 'no\\udcff' \(there is none\)"),
        ({"restart_from": "a\0b"}, r"'a\\x00b' cannot be used \(embedded null byte\)"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(
    source: Path, tmp_path: Path, given: dict[str, Any], message: str
) -> None:
    saved = tmp_path / "saved"
    melted(source, checkpoint=saved)

    with pytest.raises(InputError, match=message):
        melted(source, **{"restart_from": saved / "phase-5", "steps": 30, **given})


def test_checkpoints_of_two_runs_are_kept_apart(source: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    melted(source, checkpoint=saved)

    with pytest.raises(InputError, match=r"earlier run; give restart_from .*phase-5"):
        melted(source, checkpoint=saved)
    with pytest.raises(InputError, match="it is a file"):
        melted(source, checkpoint=source)
    with pytest.raises(InputError, match="does not exist; create it"):
        melted(source, checkpoint=tmp_path / "no" / "saved")


def test_a_result_has_where_atoms_are_in_the_end(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "melt.dcd"

    result = melted(source, threads=2)

    assert result.positions is not None
    assert result.positions.shape == (ATOMS, 3)
    assert result.box == pytest.approx([6 * (4 / 0.8442) ** (1 / 3)] * 3)
    again = melted(source, threads=1, output=path, frame_steps=20)  # of steps 0 and 20
    np.testing.assert_array_equal(again.positions, result.positions)
    np.testing.assert_allclose(
        read_dcd(path).positions[1], result.positions % result.box, rtol=2e-7, atol=2e-6
    )


def test_a_result_is_shown_in_notebooks(source: Path) -> None:
    result = melted(source, threads=1)

    shown = result._repr_html_()

    assert "total_energy" in shown
    assert "864 atoms, 20 steps on 1 place in " in shown
    assert f"result {shown_hash(str(result.hash))}<" in shown
    assert result.record["result_hash"] == result.hash


def test_progress_is_told_after_each_phase(source: Path, tmp_path: Path) -> None:
    told: list[Progress] = []

    melted(source, on_progress=told.append, checkpoint=tmp_path / "saved", steps=15)
    melted(source, on_progress=told.append, restart_from=tmp_path / "saved" / "phase-3")

    assert [(one.done, one.total, one.unit) for one in told] == [
        *((5, 15, "steps"), (10, 15, "steps"), (15, 15, "steps")),
        *((15, 20, "steps"), (20, 20, "steps")),
    ]
    assert told[1].share == pytest.approx(2 / 3)
    assert told[1].left_s == pytest.approx(told[1].elapsed_s / 2)
    assert told[3].left_s == pytest.approx(told[3].elapsed_s)


def test_ctrl_c_leaves_what_was_done(source: Path, tmp_path: Path) -> None:
    saved, path = tmp_path / "saved", tmp_path / "melt.dcd"

    def interrupt(progress: Progress) -> None:
        if progress.done == 10:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted) as raised:
        melted(source, on_progress=interrupt, checkpoint=saved, output=path, threads=2)

    interrupted = raised.value
    assert (interrupted.done, interrupted.total, interrupted.unit) == (10, 20, "steps")
    result = interrupted.result
    assert (result.complete, result.steps, result.hash) == (False, 10, None)
    assert result.positions is None
    assert result.phases.height == 2
    assert "stopped: no result" in result._repr_html_()
    assert len(read_dcd(path).positions) == 2
    assert interrupted.restart_from is not None
    assert interrupted.restart_from.parent == saved
    rest = melted(source, checkpoint=saved, restart_from=interrupted.restart_from)
    assert rest.hash == melted(source).hash
    # The result goes to other images as it is.
    again = pickle.loads(pickle.dumps(interrupted))  # noqa: S301, our own
    assert str(again) == "interrupted after 10 of 20 steps"
    assert again.result.thermo.equals(result.thermo)


def test_frames_of_the_beginning_are_not_replaced_by_those_of_the_rest(
    source: Path, tmp_path: Path
) -> None:
    saved, path = tmp_path / "saved", tmp_path / "melt.dcd"
    melted(source, checkpoint=saved, output=path)

    with pytest.raises(InputError, match=r"melt\.dcd is there already, .* name another output"):
        melted(source, output=path, restart_from=saved / "phase-4")


@needs_mpi
@pytest.mark.parametrize("gather", ["first", "all"])
def test_a_job_gives_the_result_to_one_image_or_to_all(source: Path, gather: str) -> None:
    text = (
        "import makespan, sys\n"
        f"result = makespan.melt(sys.argv[1], threads=1, gather='{gather}')\n"
        "print(None if result is None else f'{result.hash} {result.positions.shape}')\n"
    )

    ended = subprocess.run(
        [str(MPIEXEC), "-n", "2", sys.executable, "-c", text, str(source)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ended.returncode == 0, ended.stderr
    own = f"{melted(source).hash} ({ATOMS}, 3)"
    assert sorted(ended.stdout.splitlines()) == sorted([own, own if gather == "all" else "None"])


def test_a_run_that_fails_leaves_no_file(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "melt.xyz"
    path.write_text("old")

    def fail(line: Line) -> None:
        if line["step"] == 10:
            raise ZeroDivisionError("in a callback")

    with pytest.raises(ZeroDivisionError, match="in a callback"):
        melted(source, threads=2, output=path, on_line=fail)

    assert path.read_text() == "old"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in.toml", "melt.xyz"]


def test_atoms_that_fly_apart_are_told_and_leave_no_file(source: Path, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"in\.toml with time_step, steps: atom \d+ left cell .* smaller time_step"
    ):
        melted(source, threads=2, time_step=5.0, output=tmp_path / "melt.xyz", steps=40)

    assert [one.name for one in tmp_path.iterdir()] == ["in.toml"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"threads": 0}, "threads=0 cannot be used: give a whole number from 1 to 4096"),
        ({"stepz": 1}, "melt: keyword 'stepz' is unknown .*: did you mean 'steps'"),
        ({"steps": -1}, "steps=-1 cannot be used: give a whole number of at least 0"),
        ({"when": "often"}, "when='often' cannot be used: give auto or never, or a whole number"),
        ({"balancer": "gredy"}, "balancer='gredy' cannot be used .* did you mean 'greedy'"),
        ({"output": "melt.pdb"}, "'.pdb' tells no format"),
    ],
)
def test_invalid_arguments_are_refused(source: Path, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        melted(source, **given)
