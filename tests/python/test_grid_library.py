# SPDX-License-Identifier: Apache-2.0
"""`makespan.diffuse` and `makespan.calcium`: grids from Python."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from job_programs import MPIEXEC, needs_mpi
from makespan.report.result_hash import shown_hash
from small_grids import FIELD, RUN_S_MAX, SPARK

import makespan

POINTS = (14, 9, 12)  # z, y, x


def field() -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.random.default_rng(1).random(POINTS)


def stepped(values: np.ndarray[Any, Any], steps: int, factor: float) -> np.ndarray[Any, Any]:
    """The plain formula; nothing passes the faces."""
    for _ in range(steps):
        wide = np.pad(values, 1, mode="edge")
        core = (slice(1, -1),) * 3
        around = sum(np.roll(wide, shift, axis)[core] for axis in range(3) for shift in (-1, 1))
        values = values + factor * (around - 6 * values)
    return values


def test_a_field_is_diffused_as_the_formula_says() -> None:
    values = field()

    after = makespan.diffuse(values, steps=25, diffusion=0.5, time_step=0.4, spacing=2.0)

    assert after is not None
    np.testing.assert_allclose(after.values, stepped(values, 25, 0.05), rtol=1e-13)
    assert after.steps == 25
    assert after.table["step"].to_list() == [0, 25]
    assert after.table["mean"][0] == pytest.approx(values.mean())
    assert np.array_equal(values, field())  # it was not changed


def test_the_bits_are_the_same_however_it_is_run() -> None:
    settings: dict[str, Any] = {
        "steps": 12,
        "time_step": 0.1,
        "boundary": {"x": "periodic", "z": [np.float64(0.5), "no-flux"]},
    }
    whole = makespan.diffuse(field(), **settings)

    cut = makespan.diffuse(field(), **settings, threads=3, devices="cpu cpu cpu", steps_at_once=2)

    assert whole is not None
    assert cut is not None
    assert np.array_equal(whole.values, cut.values)
    assert whole.hash == cut.hash


def test_nothing_is_done_in_no_steps() -> None:
    none, one = makespan.diffuse(field(), steps=0), makespan.diffuse([[[2]]], steps=3)

    assert none is not None
    assert one is not None
    assert np.array_equal(none.values, field())
    assert one.values == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("values", "settings", "message"),
    [
        (np.zeros((2, 3)), {}, "values of shape (2, 3): give an array of (z, y, x)"),
        (np.zeros((0, 3, 3)), {}, "values of shape (0, 3, 3)"),
        (np.array([[[0.0, np.nan]]]), {}, "values[0, 0, 1] = nan: give finite numbers"),
        (field(), {"time_step": 1.0}, "stable up to 0.5"),
        (field(), {"tme_step": 1.0}, "diffuse: keyword 'tme_step' is unknown"),
        (field(), {"threads": 0}, "threads=0 cannot be used: give a whole number from 1 to 4096"),
        (field(), {"devices": "cpu cpu", "threads": 1}, "devices = 2 (each has a thread"),
        (field(), {"devices": 2}, "devices=2 cannot be used: give cpu and cuda"),
        (field(), {"schedule": "late"}, "schedule='late' cannot be used"),
        (field(), {"steps": -1}, "steps=-1 cannot be used"),
        (field(), {"points": [12, 9, 14]}, "(the array of values says it): leave points out"),
        (field(), {"start": "mode"}, "start='mode' (the array of values says it)"),
        ([["a"]], {}, "values are no numbers"),
        ("none.toml", {}, "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_is_refused(values: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(makespan.InputError) as refused:
        makespan.diffuse(values, **{"steps": 1, **settings})

    assert message in str(refused.value)


def test_a_spark_comes_back_as_a_table(tmp_path: Path) -> None:
    lines = []
    settings: dict[str, Any] = {
        "points": [48, 44, 48],
        "jsr_length": 0.3,
        "jsr_width": 0.3,
        "ryr_per_side": 3,
        "ryr_open": [[4, 0.0, 0.02], [0, 0.01, 1.0]],
        "duration": 0.03,
        "table_ms": 0.0075,
        "scan_ms": 0.015,
    }

    result = makespan.calcium(**settings, threads=2, devices="cpu cpu", on_line=lines.append)

    assert result is not None
    assert result.fields == {}
    assert result.steps == 200
    assert result.table["step"].to_list() == [0, 50, 100, 150, 200]
    assert result.table["open_ryr"].to_list() == [1, 1, 2, 1, 1]
    assert result.table.to_dicts() == lines
    assert result.table["cleft_ca"][0] == pytest.approx(0.14)
    assert result.table["cleft_ca"][4] > 1
    assert result.table["sr_ca"][4] < 1300
    again = makespan.calcium(**settings, threads=1, output=tmp_path / "out", fields=True)
    assert again is not None
    assert again.hash == result.hash
    assert list(again.fields) == ["ca", "ca_atp", "ca_cmdn", "ca_trpn", "ca_fluo"]
    assert {one.shape for one in again.fields.values()} == {(48, 44, 48)}
    assert again.fields["ca"].max() > 1
    assert (tmp_path / "out" / "spark.png").is_file()


def test_channels_gate_by_chance_and_a_run_goes_on_with_them(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "points": [48, 44, 48],
        "jsr_length": 0.3,
        "jsr_width": 0.3,
        "ryr_per_side": 3,
        "ryr_open": [[channel, 0.0, 0.015] for channel in range(9)],
        "gating_ms": 0.003,
        "seed": 7,
        "table_ms": 0.003,
        "scan_ms": 0.0,
        "checkpoint_ms": 0.03,
    }
    whole = makespan.calcium(**settings, duration=0.12)

    makespan.calcium(**settings, duration=0.06, checkpoint=tmp_path / "saved")
    source = tmp_path / "saved" / "step-400.vtkhdf"
    rest = makespan.calcium(**settings, duration=0.12, restart_from=source)

    assert whole is not None
    assert rest is not None
    assert rest.hash == whole.hash
    assert rest.table.equals(whole.table.filter(whole.table["step"] >= 400))
    assert whole.table["open_ryr"].n_unique() > 1  # some did open
    other = makespan.calcium(**{**settings, "seed": 3}, duration=0.12)
    assert other is not None
    assert other.hash != whole.hash


def test_an_input_file_is_diffused_and_keywords_come_before_it(tmp_path: Path) -> None:
    path = tmp_path / "field.toml"
    path.write_text(FIELD)

    whole, short = makespan.diffuse(path), makespan.diffuse(str(path), steps=10, threads=1)

    assert whole is not None
    assert short is not None
    assert (whole.steps, short.steps) == (20, 10)
    assert whole.values.shape == (14, 10, 12)
    again = makespan.diffuse(short.values, steps=10)
    assert again is not None
    assert again.hash == whole.hash
    by_keywords = makespan.diffuse(points=np.array([12, 10, 14]), width=3.0, steps=20)
    assert by_keywords is not None
    assert by_keywords.hash == whole.hash


def test_first_values_may_come_from_a_file(tmp_path: Path) -> None:
    np.save(tmp_path / "first.npy", field())
    z, y, x = POINTS

    found = makespan.diffuse(start="file", file=tmp_path / "first.npy", points=(x, y, z), steps=4)

    expected = makespan.diffuse(field(), steps=4)
    assert found is not None
    assert expected is not None
    assert found.hash == expected.hash


def test_a_result_is_as_it_is_and_notebooks_show_it() -> None:
    field_after = makespan.diffuse(field(), steps=2)
    spark = makespan.calcium(points=[6, 6, 6], layout="plain", ryr_open=[], duration=0.003)

    assert field_after is not None
    assert spark is not None
    with pytest.raises(FrozenInstanceError):
        field_after.steps = 3  # type: ignore[misc]
    told = f"2 steps, {field_after.seconds:.4g} s, result {shown_hash(str(field_after.hash))}"
    assert told in field_after._repr_html_()
    assert spark.hash is not None
    shown = spark._repr_html_()
    assert f"result {shown_hash(spark.hash)}<br>spark: none: nothing rose" in shown
    assert "<td>20</td>" in shown  # the last step


def test_progress_and_lines_are_told() -> None:
    told: list[makespan.Progress] = []
    lines: list[Any] = []

    result = makespan.diffuse(
        field(), steps=9, table_steps=3, on_progress=told.append, on_line=lines.append
    )

    assert result is not None
    assert [(one.total, one.unit) for one in told] == [(9, "steps")] * len(told)
    assert (told[0].done, told[-1].done, told[-1].share) == (0, 9, 1.0)
    assert result.table.to_dicts() == lines
    assert [line["step"] for line in lines] == [0, 3, 6, 9]


def test_ctrl_c_leaves_what_was_done_and_a_checkpoint(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    settings: dict[str, Any] = {"steps": 40, "table_steps": 8, "checkpoint": saved}

    def interrupt(line: Any) -> None:
        if line["step"] == 16:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(makespan.Interrupted) as raised:
        makespan.diffuse(field(), **settings, on_line=interrupt)

    interrupted = raised.value
    result, done = interrupted.result, interrupted.done
    assert 16 < done < 40
    assert (interrupted.total, interrupted.unit) == (40, "steps")
    assert (result.steps, result.hash) == (done, None)
    assert "interrupted" in result._repr_html_()
    before = makespan.diffuse(field(), steps=done)
    assert before is not None
    assert np.array_equal(result.values, before.values)
    assert interrupted.restart_from == saved / f"step-{done}.vtkhdf"
    rest = makespan.diffuse(field(), **settings, restart_from=interrupted.restart_from)
    whole = makespan.diffuse(field(), steps=40)
    assert rest is not None
    assert whole is not None
    assert rest.hash == whole.hash
    again = pickle.loads(pickle.dumps(interrupted))  # noqa: S301 - our own, for other images
    assert np.array_equal(again.result.values, result.values)


def test_ctrl_c_without_a_checkpoint_leaves_the_lines_of_a_spark(tmp_path: Path) -> None:
    (tmp_path / "spark.toml").write_text(SPARK)

    def interrupt(line: Any) -> None:
        if line["step"] == 20:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(makespan.Interrupted, match=r"interrupted after \d+ of 40 steps") as raised:
        makespan.calcium(tmp_path / "spark.toml", on_line=interrupt, fields=True)

    assert raised.value.restart_from is None
    assert raised.value.result.table["step"].to_list() == [0, 20]
    assert raised.value.result.fields["ca"].shape == (48, 44, 48)


def test_the_files_of_the_command_are_written_for_python_too(tmp_path: Path) -> None:
    names = {name: tmp_path / f"{name}.x" for name in ("record", "trace", "report")}

    result = makespan.diffuse(
        field(), steps=6, output=tmp_path / "out", rebalance_steps=2, schedule="none", **names
    )

    assert result is not None
    record = json.loads(names["record"].read_text())
    assert (record["format"], record["command"]) == ("makespan diffuse record", [])
    assert record["run"]["result_hash"] == result.hash
    assert record["settings"]["rebalance_steps"] == 2
    assert record["settings"]["schedule"] == "none"
    assert json.loads(names["trace"].read_text())["traceEvents"]
    assert "<title>makespan diffuse: diffuse</title>" in names["report"].read_text()
    assert (tmp_path / "out" / "table.csv").is_file()
    with pytest.raises(makespan.InputError, match="would be written over what is read or written"):
        makespan.diffuse(field(), steps=1, record=names["record"], trace=names["record"])


JOB = """
import sys
import makespan
import numpy as np

values = np.arange(1000.0).reshape(10, 10, 10) if {rank} == 0 else np.zeros((2, 2, 2))
field = makespan.diffuse(values, steps=6, threads=1, gather=sys.argv[1])
spark = makespan.calcium("spark.toml", threads=1, fields=True, gather=sys.argv[1])
try:
    makespan.diffuse(values, steps=1, time_step=1.0, threads=1, gather=sys.argv[1])
    refused = False
except makespan.InputError:
    refused = True
hashes = [None if one is None else one.hash for one in (field, spark)]
sys.stdout.write(repr((hashes, refused)) + "\\n")
"""


@needs_mpi
@pytest.mark.parametrize("gather", ["first", "all"])
def test_a_job_gives_the_results_to_one_image_or_to_all(tmp_path: Path, gather: str) -> None:
    (tmp_path / "spark.toml").write_text(SPARK)
    rank = "int(__import__('os').environ['PMI_RANK'])"
    (tmp_path / "job.py").write_text(JOB.replace("{rank}", rank))

    ended = subprocess.run(
        [str(MPIEXEC), "-n", "2", sys.executable, "job.py", gather],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    field_alone = makespan.diffuse(np.arange(1000.0).reshape(10, 10, 10), steps=6)
    spark_alone = makespan.calcium(tmp_path / "spark.toml")
    assert field_alone is not None
    assert spark_alone is not None
    own = repr(([field_alone.hash, spark_alone.hash], True))
    other = own if gather == "all" else repr(([None, None], False))
    assert sorted(ended.stdout.splitlines()) == sorted([own, other])
