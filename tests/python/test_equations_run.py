# SPDX-License-Identifier: Apache-2.0
"""Goal: runs of equations are cut up, written, interrupted and gone on with as any other grid's."""

from __future__ import annotations

import json
import os
import pickle
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from job_programs import MPIEXEC, needs_mpi, run_program
from makespan.equations.api import Grid, grid
from makespan.equations.outcome import GridResult
from own_equations import result_of, same_bits
from signalled_program import left_by

import makespan

FEW: dict[str, Any] = {"kernel": "interpreted", "threads": 1}


def gray_scott(u: Any, v: Any, feed: Any, kill: Any) -> dict[str, Any]:
    reaction = u * v * v
    return {
        "u": u + 0.16 * u.laplacian() - reaction + feed * (1 - u),
        "v": v + 0.08 * v.laplacian() + reaction - (feed + kill) * v,
    }


def start() -> dict[str, np.ndarray[Any, Any]]:
    v = np.zeros((24, 20))
    v[10:14, 8:12] = 0.25 + 0.1 * np.random.default_rng(1).random((4, 4))
    return {"u": 1 - 2 * v, "v": v}


def plane(**changed: Any) -> Grid:
    stated = {"boundary": "periodic", "parameters": {"feed": 0.035, "kill": 0.065}, **changed}
    return grid(gray_scott, start(), **stated)


def run(steps: int, **settings: Any) -> GridResult:
    result = plane().run(steps, **FEW | settings)
    assert result is not None
    return result


def test_a_result_has_fields_a_table_and_a_hash() -> None:
    result = run(8, table_steps=4)

    assert result.steps == 8
    assert list(result.fields) == ["u", "v"]
    assert {one.shape for one in result.fields.values()} == {(24, 20)}
    assert result.table.columns == [
        "step", "time", "u_least", "u_most", "u_mean", "v_least", "v_most", "v_mean"
    ]  # fmt: skip
    assert result.table["step"].to_list() == [0, 4, 8]
    assert result.table["v_most"][2] == result.fields["v"].max()
    assert result.table["u_mean"][2] == pytest.approx(result.fields["u"].mean(), rel=1e-14)
    assert result.frames == ()
    assert result.hash is not None
    assert "8 steps" in result._repr_html_()
    assert result.seconds > 0


def test_nothing_is_done_in_no_steps_and_first_values_are_not_changed() -> None:
    given = start()

    none = grid(gray_scott, given, parameters={"feed": 0.035, "kill": 0.065}).run(0, **FEW)
    grid(gray_scott, given, parameters={"feed": 0.035, "kill": 0.065}).run(5, **FEW)

    assert none is not None
    for name, values in start().items():
        assert same_bits(none.fields[name], values)
        assert same_bits(given[name], values)


def test_the_bits_are_the_same_however_it_is_run() -> None:
    whole = run(12)

    for settings in (
        {"kernel": "compiled"},
        {"threads": 3, "devices": "cpu cpu cpu"},
        {"threads": 2, "devices": "cpu cpu", "schedule": "none", "rebalance_steps": 4},
        {"kernel": "compiled", "threads": 4, "devices": "cpu cpu"},
    ):
        cut = run(12, **settings)
        assert cut.hash == whole.hash, settings
        assert same_bits(cut.fields["v"], whole.fields["v"])
    other = plane(parameters={"feed": 0.036, "kill": 0.065}).run(12, **FEW)
    assert other is not None
    assert other.hash != whole.hash


def test_frames_are_what_runs_of_fewer_steps_end_with() -> None:
    result = run(10, frames_steps=4)

    assert [frame.step for frame in result.frames] == [0, 4, 8, 10]
    for frame in result.frames:
        before = run(frame.step)
        assert all(same_bits(frame.fields[name], before.fields[name]) for name in "uv")


def test_what_is_told_while_it_runs() -> None:
    lines: list[Any] = []
    told: list[Any] = []

    result = run(9, table_steps=3, on_line=lines.append, on_progress=told.append)

    assert result.table.to_dicts() == lines
    assert [line["step"] for line in lines] == [0, 3, 6, 9]
    assert (told[0].done, told[-1].done, told[-1].share) == (0, 9, 1.0)


def test_a_run_goes_on_from_a_checkpoint_with_the_same_bits(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    whole = run(20)

    run(12, checkpoint=saved, checkpoint_steps=6)
    rest = run(20, restart_from=saved / "step-12.vtkhdf", kernel="compiled")

    assert rest.hash == whole.hash
    assert rest.steps == 20
    assert rest.table["step"].to_list()[-1] == 20


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"parameters": {"feed": 0.03, "kill": 0.065}}, "parameters = "),
        ({"boundary": "no-flux"}, "faces = "),
        ({"boundary": {"x": 0.5}}, "faces = "),
        ({"time_step": 2.0}, "time_step = "),
    ],
)
def test_another_problem_does_not_go_on_from_it(
    changed: dict[str, Any], message: str, tmp_path: Path
) -> None:
    run(2, checkpoint=tmp_path, checkpoint_steps=2)

    with pytest.raises(makespan.InputError) as refused:
        plane(**changed).run(4, restart_from=tmp_path / "step-2.vtkhdf", **FEW)

    assert message in str(refused.value)


def test_other_coefficients_and_ends_do_not_go_on_from_it(tmp_path: Path) -> None:
    def decay(u: Any, rate: Any) -> dict[str, Any]:
        return {"u": u - rate * u + 0.01 * u.laplacian()}

    def state(rate: float, end: float) -> Grid:
        ends = {"u": np.full(20, end), "rate": 0.0}
        fields = {"u": np.ones((24, 20)), "rate": np.full((24, 20), rate)}
        return grid(decay, fields, boundary={"y": (ends, "no-flux")})

    state(0.1, 1.0).run(2, checkpoint=tmp_path, checkpoint_steps=2, **FEW)
    saved = tmp_path / "step-2.vtkhdf"

    for other in (state(0.05, 1.0), state(0.1, 2.0)):
        with pytest.raises(makespan.InputError, match="given = "):
            other.run(4, restart_from=saved, **FEW)
    assert state(0.1, 1.0).run(4, restart_from=saved, **FEW) is not None


@pytest.mark.parametrize("kernel", ["interpreted", "compiled"])
def test_several_steps_at_once_take_fewer_messages(kernel: str, tmp_path: Path) -> None:
    found = {}
    for steps_at_once in (1, 3):
        record = tmp_path / f"{steps_at_once}.json"
        result = plane(boundary="no-flux").run(
            96,
            kernel=kernel,
            threads=2,
            devices="cpu cpu",
            steps_at_once=steps_at_once,
            record=record,
            table_steps=0,
        )
        assert result is not None
        devices = json.loads(record.read_text())["devices"]
        assert len(devices) == 2
        found[steps_at_once] = (result.hash, [one["messages"] for one in devices])

    assert found[1][0] == found[3][0]
    # One exchange before the first step, then one for each step.
    assert found[1][1] == [97, 97]
    # Or for three, but where the engine is left alone for fewer.
    assert all(32 < count < 48 for count in found[3][1])


def test_no_more_steps_at_once_than_a_halo_is_wide() -> None:
    def far(u: Any) -> dict[str, Any]:
        return {"u": u + 0.01 * (u[0, 4] - u)}

    with pytest.raises(makespan.InputError, match=r"steps_at_once = 3 .*take 1 to 2"):
        grid(far, {"u": start()["u"]}).run(4, steps_at_once=3, **FEW)


def test_another_update_does_not_go_on_from_it(tmp_path: Path) -> None:
    run(2, checkpoint=tmp_path, checkpoint_steps=2)

    def other(u: Any, v: Any, feed: Any, kill: Any) -> dict[str, Any]:
        return {**gray_scott(u, v, feed, kill), "v": v}

    problem = grid(other, start(), boundary="periodic", parameters={"feed": 0.035, "kill": 0.065})
    with pytest.raises(makespan.InputError, match="update = "):
        problem.run(4, restart_from=tmp_path / "step-2.vtkhdf", **FEW)


def test_ctrl_c_leaves_what_was_done_and_a_checkpoint(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"table_steps": 8, "checkpoint": tmp_path, "frames_steps": 8}

    def interrupt(line: Any) -> None:
        if line["step"] == 16:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(makespan.Interrupted) as raised:
        run(4000, **settings, on_line=interrupt)

    interrupted = raised.value
    result, done = interrupted.result, interrupted.done
    assert 16 <= done < 4000
    assert (interrupted.total, interrupted.unit) == (4000, "steps")
    assert (result.steps, result.hash) == (done, None)
    assert same_bits(result.fields["v"], run(done).fields["v"])
    rest = run(done + 5, restart_from=interrupted.restart_from)
    assert rest.hash == run(done + 5).hash
    again = pickle.loads(pickle.dumps(interrupted))  # noqa: S301 - our own, for other images
    assert same_bits(again.result.fields["v"], result.fields["v"])


def stated(**changed: Any) -> tuple[Any, Any]:
    """What a record says of the problem and of its first values."""
    result = plane(**changed).run(0, **FEW)
    assert result is not None
    return result.record["problem"], result.record["first_values_hash"]


def test_a_record_has_all_that_a_problem_is_stated_by() -> None:
    problem, first = stated()

    assert problem["update"]["fields"] == ["u", "v"]
    assert problem["parameters"] == {"feed": 0.035, "kill": 0.065}
    assert problem["boundary"] == {"y": ["periodic"] * 2, "x": ["periodic"] * 2}
    assert (problem["shape"], problem["spacing"]) == ([24, 20], [1.0, 1.0])
    assert first == run(0).hash == run(2).record["first_values_hash"]
    side = np.full(20, 0.5)
    others = [
        {"parameters": {"feed": 0.03, "kill": 0.065}},
        {"boundary": {"y": 1.0}},
        {"boundary": {"y": ({"u": side, "v": 0.0}, 0.5)}},
        {"boundary": {"y": ({"u": 2 * side, "v": 0.0}, 0.5)}},
        {"spacing": 1.5},
        {"time_step": 0.5},
    ]
    found = [problem, *(stated(**one)[0] for one in others)]
    assert all(found.count(one) == 1 for one in found)
    fields = {name: values + 0.01 for name, values in start().items()}
    other = grid(gray_scott, fields, parameters={"feed": 0.035, "kill": 0.065}).run(0, **FEW)
    assert other is not None
    assert other.record["first_values_hash"] != first


def test_a_record_has_the_hash_alone_of_a_long_update() -> None:
    def long(u: Any) -> Any:
        for number in range(1100):
            u = u + 1.0 / (number + 2.0) * u
        return {"u": u}

    result = grid(long, {"u": np.ones(4)}, check_stability=False).run(0, **FEW)

    assert result is not None
    assert result.record["problem"]["update"] is None
    assert len(result.record["problem"]["update_hash"]) == 64


def test_files_are_written(tmp_path: Path) -> None:
    names = {name: tmp_path / f"{name}.x" for name in ("record", "trace", "report")}

    result = run(
        6, output=tmp_path / "out", slice_steps=3, state_steps=6, rebalance_steps=2, **names
    )

    record = json.loads(names["record"].read_text())
    assert record["run"]["result_hash"] == result.hash
    assert json.loads(names["trace"].read_text())["traceEvents"]
    assert "<title>" in names["report"].read_text()
    out = tmp_path / "out"
    assert (out / "table.csv").is_file()
    pictures = sorted(one.name for one in (out / "slices").iterdir())
    assert pictures == [f"{name}-{step:08d}.png" for name in "uv" for step in (0, 3, 6)]
    assert (out / "paraview" / "grid-00000006.vtkhdf").is_file()


def test_an_update_that_leaves_all_bounds_is_found() -> None:
    with pytest.raises(makespan.MakespanError) as refused:
        result_of(lambda u: {"u": u * u * u}, {"u": np.full((3, 3), 1e9)}, 20, **FEW)

    assert "u" in str(refused.value)


PROGRAM = """
import numpy as np
from makespan import grid

def update(u, v, rate, x, step):
    slope = u[0, 1] - u[0, -1]
    return {"u": u + rate * (u[4, 0] - 2 * u + u[-4, 1]) + 1e-3 * np.sin(x + step), "v": v + slope}

random = np.random.default_rng(5)
u = random.random((22, 9))
ends = {"y": ({"u": random.random(9), "v": 0.0}, "no-flux"), "x": "periodic"}
problem = grid(update, {"u": u, "v": 0 * u}, boundary=ends, parameters={"rate": 0.1})
result = problem.run(15, frames_steps=5, table_steps=5, gather="all")
print(result.hash, len(result.frames), float(result.fields["u"].sum()).hex(), result.table.height)
"""


@needs_mpi
@pytest.mark.parametrize("images", [2, 3])
def test_images_of_a_job_come_to_the_same_bits(images: int, tmp_path: Path) -> None:
    assert MPIEXEC is not None
    alone = run_program(tmp_path / "alone", PROGRAM, 1).splitlines()

    together = run_program(tmp_path / "together", PROGRAM, images).splitlines()

    assert len(alone) == 1
    assert together == alone * images


def test_values_that_become_no_numbers_end_the_run() -> None:
    growing = grid(lambda u: {"u": u * u}, {"u": [1.0, 1e200]})

    with pytest.raises(makespan.EngineError, match=r"u\[1\] = inf; values are no numbers any more"):
        growing.run(3, **FEW)


REFUSED = """
import makespan
from makespan import grid

try:
    grid(lambda u: {"u": u[0, 5]}, {"u": [[1.0, 2.0]]}).run(1)
except makespan.InputError as error:
    print(error)
try:
    settings = {"devices": "cuda", "kernel": "interpreted"}
    grid(lambda u: {"u": 0.5 * u}, {"u": [[1.0, 2.0]]}).run(1, **settings)
except makespan.InputError as error:
    print(error)
"""


@needs_mpi
def test_what_is_refused_is_refused_on_all_images(tmp_path: Path) -> None:
    told = run_program(tmp_path, REFUSED, 2).splitlines()

    assert sum(line.startswith("program.py, line 6: u[0, 5] reads 5") for line in told) == 2
    assert sum('GPU 0 and kernel="interpreted"' in line for line in told) == 1


def test_ctrl_c_ends_a_compiler(tmp_path: Path) -> None:
    """Method: one that says that it has begun, and sleeps; it is gone afterwards."""
    compiler = tmp_path / "slow-c++"
    compiler.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exit\necho $$ > {tmp_path}/pid\n'
        f"echo begun > {tmp_path}/said\nexec sleep 60\n"
    )
    compiler.chmod(0o755)
    os.mkfifo(tmp_path / "said")
    program = f"""
import os, threading
os.environ.update(MAKESPAN_CXX={str(compiler)!r}, XDG_CACHE_HOME={str(tmp_path)!r})
import makespan

def tell():
    os.write(1, open({str(tmp_path / "said")!r}, "rb").read())

threading.Thread(target=tell).start()
makespan.grid(lambda u: {{"u": 0.25 * u}}, {{"u": [[1.0, 2.0]]}}).run(5, threads=1)
"""

    ended = left_by(tmp_path, program, signal.SIGINT, ended_s=10.0)

    assert ended.returncode == 130
    assert ended.stderr.endswith("Interrupted: interrupted after 0 of 5 steps\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
