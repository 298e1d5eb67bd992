# SPDX-License-Identifier: Apache-2.0
"""Input files of diffusions: defaults, what the engine is told, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from makespan.base.errors import InputError
from makespan.grids.diffusion.input import (
    DIFFUSE_FILE,
    KEYS,
    clock_of,
    diffusion_settings,
    points_of,
    spacing_of,
)
from makespan.grids.state_file import open_state
from makespan.settings.input_file import InputValues
from small_grids import run


def given_by(folder: Path, text: str) -> InputValues:
    path = folder / "field.toml"
    path.write_text(text)
    return DIFFUSE_FILE.read(path)


def test_the_example_has_every_key_with_its_default(tmp_path: Path) -> None:
    text = DIFFUSE_FILE.example()

    assert given_by(tmp_path, text).values == DIFFUSE_FILE.defaults().values
    assert all(text.count(f"\n{key.name} = ") == 1 for key in KEYS)
    assert all(key.help for key in KEYS)


def test_the_defaults_can_be_used_themselves() -> None:
    assert [key.name for key in KEYS if not key.kind.fits(key.default)] == []


def test_lambdas_are_those_of_each_axis(tmp_path: Path) -> None:
    given = given_by(
        tmp_path, "[grid]\nspacing = [1, 2.0, 0.5]\n[run]\ndiffusion = 2\ntime_step = 0.05\n"
    )

    assert spacing_of(given) == (1.0, 2.0, 0.5)
    assert diffusion_settings(given)["lambdas"] == pytest.approx([0.1, 0.025, 0.4], rel=1e-15)


def test_one_spacing_is_that_of_all_axes(tmp_path: Path) -> None:
    given = given_by(tmp_path, "[grid]\nspacing = 2\npoints = [3, 4, 5]\n")

    assert spacing_of(given) == (2.0, 2.0, 2.0)
    assert points_of(given) == (3, 4, 5)
    assert diffusion_settings(given)["lambdas"] == [0.1 / 4] * 3


def test_ends_become_the_six_faces(tmp_path: Path) -> None:
    text = '[grid]\nboundary = {x = ["no-flux", 1.5], y = "periodic", z = [0, -2]}\n'

    settings = diffusion_settings(given_by(tmp_path, text))

    assert settings["faces"] == ["no-flux", "value", "periodic", "periodic", "value", "value"]
    assert settings["values"] == [0.0, 1.5, 0.0, 0.0, 0.0, -2.0]


def test_what_is_said_of_all_ends_or_of_no_axis(tmp_path: Path) -> None:
    for text, faces in (
        ("2.5", ["value"] * 6),
        ('"periodic"', ["periodic"] * 6),
        ('{y = "periodic"}', ["no-flux"] * 2 + ["periodic"] * 2 + ["no-flux"] * 2),
    ):
        given = given_by(tmp_path, f"[grid]\nboundary = {text}\n")

        assert diffusion_settings(given)["faces"] == faces
    assert diffusion_settings(DIFFUSE_FILE.defaults())["faces"] == ["no-flux"] * 6


def test_a_number_that_ends_have_is_kept_there(tmp_path: Path) -> None:
    """Goal: low and high ends are not mixed up. Method: the steady state is a straight line."""
    (tmp_path / "line.toml").write_text(
        "[grid]\npoints = [9, 1, 1]\nboundary = {x = [1.0, 10.0]}\n"
        "[run]\nsteps = 2000\ntime_step = 0.15\n"
        '[start]\nstart = "uniform"\n[output]\nslice_steps = 0\n'
    )

    ended = run(tmp_path, "diffuse", "line.toml", "--threads", 1, "--checkpoint", "saved", "-q")

    assert ended.returncode == 0
    with open_state(tmp_path / "saved" / "step-2000.vtkhdf") as state:
        values = state.read(0, 0, 1).ravel()
    slopes = values[1:] - values[:-1]
    assert slopes == pytest.approx([slopes[0]] * 8, abs=1e-12)
    assert slopes[0] > 0
    assert values.mean() == pytest.approx(5.5, abs=1e-12)


@pytest.mark.parametrize(("steps", "time_step"), [(1000, 0.1), (7, 1e-300), (2**53, 0.3)])
def test_as_many_steps_are_made_as_are_asked_for(steps: int, time_step: float) -> None:
    given = DIFFUSE_FILE.defaults().with_keywords({"steps": steps, "time_step": time_step})

    assert clock_of(given).steps == steps


@pytest.mark.parametrize(
    ("section", "name", "value", "right"),
    [
        ("grid", "points", "[12, 10]", "give three whole numbers of at least 1, as [128, 128"),
        ("grid", "points", "[12, 0, 10]", "give three whole numbers of at least 1"),
        ("grid", "points", "[12, 10, true]", "give three whole numbers of at least 1"),
        ("grid", "spacing", "0", "give a number from 1e-100 to 1e+100, or three"),
        ("grid", "spacing", "[1, 1]", "or three"),
        ("grid", "spacing", "[1, 1e-200, 1]", "from 1e-100 to 1e+100"),
        ("grid", "boundary", '{x = ["periodic", "no-flux"]}', "; periodic are both"),
        ("grid", "boundary", '"closed"', 'give "no-flux", "periodic" or a number, or by axis'),
        ("grid", "boundary", "{z = [1, inf]}", 'give "no-flux", "periodic" or a number'),
        ("grid", "boundary", "{z = [1, true]}", 'give "no-flux", "periodic" or a number'),
        ("grid", "boundary", "{w = 1}", "as {x = "),
        ("grid", "boundary", "{}", "as {x = "),
        ("grid", "boundary", "[1, 2]", "as {x = "),
        ("run", "diffusion", "-1", "give a number, 0 or above"),
        ("run", "time_step", "0", "give a number above 0"),
        ("run", "steps", "-1", "give a whole number of at least 0"),
        ("run", "steps", "1e3", "give a whole number of at least 0"),
        ("run", "steps_at_once", "9", "give a whole number from 1 to 8"),
        ("start", "start", '"random"', "give gaussian, point, mode, uniform or file"),
        ("start", "height", "nan", "give a finite number"),
        ("start", "background", "true", "give a finite number"),
        ("start", "centre", "[1, 2]", "give three numbers, or [] for the middle"),
        ("start", "width", "0", "give a number above 0"),
        ("start", "half_waves", "[1, -1, 1]", "give three whole numbers"),
        ("start", "file", "3", "give the name of a file"),
        ("output", "table_steps", "-1", "give a whole number of at least 0"),
        ("output", "slice_steps", "0.5", "give a whole number of at least 0"),
        ("output", "slice_axis", '"w"', "give x, y or z"),
        ("output", "state_steps", "true", "give a whole number of at least 0"),
        ("output", "checkpoint_steps", "-1", "give a whole number of at least 0"),
    ],
)
def test_a_bad_value_is_refused_with_its_place(
    tmp_path: Path, section: str, name: str, value: Any, right: str
) -> None:
    with pytest.raises(InputError) as raised:
        given_by(tmp_path, f"[{section}]\n{name} = {value}\n")

    said = str(raised.value)
    assert said.startswith(f"{tmp_path / 'field.toml'}, line 2: [{section}] {name} = ")
    assert " cannot be used (default " in said
    assert right in said


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("[run]\ntime_step = 0.2\n", ["= 0.6 ", "stable up to 0.5", "by less than 0.833333"]),
        ("[grid]\nspacing = [1, 1, 0.1]\n", ["= 10.2 ", "stable up to 0.5"]),
        ("[run]\ndiffusion = 1e300\ntime_step = 1e290\n", ["lambda = inf (D dt / h^2"]),
        ("[grid]\npoints = [20000, 20000, 20000]\n", ["take 119210 GiB", "take fewer points"]),
    ],
)
def test_what_the_engine_refuses_names_the_file(
    tmp_path: Path, text: str, messages: list[str]
) -> None:
    (tmp_path / "field.toml").write_text(text)

    ended = run(tmp_path, "diffuse", "field.toml", "--threads", 1)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("makespan: field.toml: ")
    assert [message for message in messages if message not in ended.stderr] == []
