# SPDX-License-Identifier: Apache-2.0
"""Input files of calcium sparks: defaults, sets of species, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from makespan.base.engine import Engine, load_engine
from makespan.base.errors import InputError
from makespan.grids.calcium.input import (
    CALCIUM_FILE,
    KEYS,
    SPECIES,
    CalciumUnit,
    calcium_settings,
    checked_calcium,
)
from makespan.grids.calcium.run import Told, run_calcium
from makespan.grids.input import GridOrder
from makespan.grids.joined_run import joined_team
from makespan.grids.outcome import Callbacks
from makespan.settings.input_file import InputValues
from small_grids import SPARK, changed

ENGINE = load_engine()
POINTS = [48, 44, 48]


def given_by(folder: Path, text: str) -> InputValues:
    path = folder / "spark.toml"
    path.write_text(text)
    return CALCIUM_FILE.read(path)


def unit_by(folder: Path, text: str) -> CalciumUnit:
    return checked_calcium(given_by(folder, text), ENGINE)


@contextmanager
def opened(settings: dict[str, Any]) -> Iterator[Any]:
    """A team whose grid is at rest."""
    with joined_team(ENGINE, 1) as team:
        team.open_calcium(settings, {})
        team.start()
        yield team


def digests_after(settings: dict[str, Any], steps: int) -> list[int]:
    with opened(settings) as team:
        team.run(steps)
        return list(map(int, team.digests()))


def test_the_example_has_every_key_with_its_default(tmp_path: Path) -> None:
    text = CALCIUM_FILE.example()

    assert given_by(tmp_path, text).values == CALCIUM_FILE.defaults().values
    assert all(text.count(f"\n{key.name} = ") == 1 for key in KEYS)
    assert all(key.help for key in KEYS)


def test_the_defaults_can_be_used_themselves() -> None:
    assert [key.name for key in KEYS if not key.kind.fits(key.default)] == []


def test_the_engine_has_the_same_defaults() -> None:
    """Goal: what our files call a default is what the engine computes with, told nothing.

    Method: bits after some steps of a unit of which only the opening and the sizes are said.
    """
    given = CALCIUM_FILE.defaults()
    sizes = {name: given[name] for name in ("spacing", "time_step")} | {"points": [64, 64, 64]}
    events = {"ryr_open": [[24, 0.0, 10.0]], "lcc_open": [[3, 0.0, 10.0]]}

    ours = digests_after(calcium_settings(given) | sizes | events, 10)

    assert ours == digests_after(sizes | events, 10)
    assert ours != digests_after(sizes | events | {"lcc_current": 0.11}, 10)


def test_channels_and_voxels_can_be_rows_of_arrays() -> None:
    """Whose numbers are all of one type: whole floats are whole numbers."""
    rows = {"ryr_open": [[2, 0.0, 1.5]], "lcc_open": [[0, 0.5, 1.0]]}
    rows["currents"] = [[1, 2, 3, 0.5, 0.0, 1.0]]
    arrays = {name: np.array(row).tolist() for name, row in rows.items()}

    given = CALCIUM_FILE.defaults().with_keywords(CALCIUM_FILE.known(arrays))

    told = {name: calcium_settings(given)[name] for name in rows}
    assert told == rows
    assert [type(one) for one in told["currents"][0][:4]] == [int, int, int, float]
    known = {key.name: key for key in KEYS}
    for wrong in ([[1.5, 0, 1]], [[-1.0, 0, 1]], [[float("inf"), 0, 1]], [["1", 0, 1]]):
        assert known["ryr_open"].problem(wrong) is not None


def test_what_the_set_says_is_left_to_it(tmp_path: Path) -> None:
    assert "atp" not in calcium_settings(CALCIUM_FILE.defaults())
    assert "ca_rest" not in calcium_settings(CALCIUM_FILE.defaults())

    given = given_by(tmp_path, "[species]\nca_rest = 0.2\natp = [455, 0.14, 0.225, 45]\n")

    assert calcium_settings(given)["ca_rest"] == 0.2
    assert calcium_settings(given)["atp"] == [455, 0.14, 0.225, 45]


@pytest.mark.parametrize("species", SPECIES)
def test_rest_is_the_sets_unless_the_file_has_another(tmp_path: Path, species: str) -> None:
    """Bound at rest: total c / (c + off/on), of which the buffer's four numbers tell."""
    text = SPARK + f'[species]\nspecies = "{species}"\n'
    text = changed(text, duration="0.006\ntime_step = 1e-4")

    own = unit_by(tmp_path, text)
    other = unit_by(tmp_path, text + "ca_rest = 0.3\nfluo = [50.0, 0.02, 0.1, 0.11]\n")

    assert own.fields == other.fields == ("ca", "ca_atp", "ca_cmdn", "ca_trpn", "ca_fluo")
    assert other.rest["ca"] == 0.3
    assert own.rest["ca"] != 0.3
    assert other.rest["ca_fluo"] == pytest.approx(50 * 0.3 / (0.3 + 1.1), rel=1e-12)


def test_sets_of_species_differ(tmp_path: Path) -> None:
    text = changed(SPARK, duration="0.006\ntime_step = 1e-4")

    found = {
        tuple(
            digests_after(
                dict(unit_by(tmp_path, text + f'[species]\nspecies = "{one}"\n').settings), 2
            )
        )
        for one in SPECIES
    }

    assert len(found) == len(SPECIES)


def test_ends_matter_once_calcium_is_there(tmp_path: Path) -> None:
    """A current at a corner: it stays, leaves to what is at rest, or comes in on the other side."""
    corner = (
        '[release]\nlayout = "plain"\nryr_open = []\ncurrents = [[0, 0, 0, 1.0, 0, 1]]\n'
        "[grid]\npoints = [6, 6, 6]\n"
    )
    far = {}
    sums = {}
    for ends in ("no-flux", "rest", "periodic"):
        unit = unit_by(tmp_path, corner + f'boundary = "{ends}"\n')
        with opened(dict(unit.settings)) as team:
            team.run(4)
            ca = team.gather(0, (0, 0, 0), (6, 6, 6))
        far[ends], sums[ends] = ca[5, 5, 5], ca.sum()

    assert far["no-flux"] == far["rest"] < far["periodic"]
    assert sums["rest"] < sums["no-flux"]


def test_the_middle_is_where_calcium_comes_from(tmp_path: Path) -> None:
    unit = unit_by(tmp_path, SPARK)
    plain = '[release]\nlayout = "plain"\nryr_open = []\n'
    grid = "[grid]\npoints = [10, 12, 14]\n"

    assert unit.middle == unit.channels[4]
    assert len(unit.channels) == 9
    assert unit_by(tmp_path, plain + grid).middle == (5, 6, 7)
    current = "currents = [[1, 2, 3, 0.5, 0, 1]]\n"
    assert unit_by(tmp_path, plain + current + grid).middle == (1, 2, 3)


def test_steps_are_the_duration_in_time_steps(tmp_path: Path) -> None:
    assert unit_by(tmp_path, SPARK).steps.steps == 40
    assert unit_by(tmp_path, changed(SPARK, duration=0)).steps.steps == 0


@pytest.mark.parametrize(
    ("section", "name", "value", "right"),
    [
        ("grid", "points", "[48, 44]", "give three whole numbers of at least 1, as [176, 136"),
        ("grid", "spacing", "0", "give a number above 0"),
        ("grid", "boundary", '"open"', 'give "no-flux", "rest" or "periodic"'),
        ("grid", "boundary", '{x = "rest"}', 'give "no-flux", "rest" or "periodic"'),
        ("run", "duration", "-1", "give a number from 0 to 1e+09"),
        ("run", "duration", "1e305", "give a number from 0 to 1e+09"),
        ("run", "time_step", "inf", "give a finite number from 1e-09 to 1e+09"),
        ("release", "layout", '"plane"', "give release-unit or plain"),
        ("release", "ryr_open", "[24, 0, 10]", "give rows of [channel, from ms, to ms]"),
        ("release", "ryr_open", "[[24, 5, 1]]", "give rows of [channel, from ms, to ms]"),
        ("release", "lcc_open", "[[1.5, 0, 1]]", "as [[24, 0, 10]]"),
        ("release", "currents", "[[1, 1, 1, 2]]", "give rows of [x, y, z, pA, from ms, to ms]"),
        ("release", "currents", "[[1, 1, 1, nan, 0, 1]]", "give rows of [x, y, z, pA"),
        ("release", "ryr_conductance", "-1", "give a number, 0 or above"),
        ("geometry", "cleft_height", "0", "give a number above 0"),
        ("geometry", "ryr_per_side", "2.0", "give a whole number from 0 to 1000"),
        ("geometry", "lcc_count", "true", "give a whole number from 0 to 1000"),
        ("species", "species", '"hacke"', "give hake, walker or smith"),
        ("species", "ca_rest", '"given"', 'give a number, 0 or above, or "set" for the set\'s'),
        ("species", "atp", "[1, 2, 3]", "or [] for the set's"),
        ("species", "fluo", "[1, 2, 3, -1]", "give [total uM, diffusion um2/ms, on 1/(uM ms)"),
        ("output", "table_ms", "-1", "give a number from 0 to 1e+09"),
        ("output", "slice_axis", '"xy"', "give x, y or z"),
    ],
)
def test_a_bad_value_is_refused_with_its_place(
    tmp_path: Path, section: str, name: str, value: Any, right: str
) -> None:
    with pytest.raises(InputError) as raised:
        given_by(tmp_path, f"[{section}]\n{name} = {value}\n")

    said = str(raised.value)
    assert said.startswith(f"{tmp_path / 'spark.toml'}, line 2: [{section}] {name} = ")
    assert " cannot be used (default " in said
    assert right in said


# Diffusion alone is stable, and no channel is open yet.
GATED = {"duration": "0.0\ntime_step = 1.68e-4", "ryr_open": "[]\ngating_ms = 0.003"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"duration": "0.0\ntime_step = 0.01"}, "time_step = 0.01 ms"),
        ({"duration": "0.0\ntime_step = 0.01"}, "stable up to 0.000170455 ms"),
        (GATED, "diffusion beside open channels is stable up to"),
        ({"ryr_open": "[[9, 0, 1]]"}, "RyR 9 opens (there are 9): count them from 0"),
        ({"jsr_length": 3.0}, "an SR along x of 3 µm (there is room for 0.72 µm)"),
        ({"duration": "1e9\ntime_step = 1e-9"}, "duration = 1e+09 ms (in steps of 1e-09 ms these"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_named(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as raised:
        unit_by(tmp_path, changed(SPARK, **values))

    assert str(raised.value).startswith(f"{tmp_path / 'spark.toml'}: ")
    assert message in str(raised.value)


class Refusing:
    """A team without memory."""

    images = threads = 1

    def open_calcium(self, *_: object) -> None:
        raise ValueError("a field of 957492 MiB")


class Blind:
    """The engine, which does not look at voxels."""

    calcium_unit = staticmethod(ENGINE.calcium_unit)


def test_a_grid_without_memory_is_refused_before_its_voxels_are_looked_at(tmp_path: Path) -> None:
    """The slice alone has 10^8 of them here."""
    given = given_by(tmp_path, "[grid]\npoints = [16384, 8192, 8192]\n")

    with pytest.raises(InputError, match=r"spark\.toml: a field of 957492 MiB"):
        run_calcium(cast("Engine", Blind()), Refusing(), Told(given), GridOrder(), Callbacks())
