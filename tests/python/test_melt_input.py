# SPDX-License-Identifier: Apache-2.0
"""Input files of melts: what is read, and what is said of those that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.melting.input import KEYS, MELT_FILE, given_melt, melt_settings, melt_system
from makespan.settings.setting import toml_text
from small_melt import ATOMS, small_input

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "melt" / "in_lj.toml"


def test_the_example_has_every_key_with_its_default() -> None:
    licence, _, text = EXAMPLE.read_text().partition("\n")
    assert "SPDX" in licence
    assert text == MELT_FILE.example()
    assert MELT_FILE.read(EXAMPLE).values == MELT_FILE.defaults().values
    assert all(f"\n{key.name} = " in MELT_FILE.example() for key in KEYS)


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    assert MELT_FILE.read(small_input(tmp_path, "")).values == MELT_FILE.defaults().values


def test_the_engine_has_the_same_defaults() -> None:
    """Told nothing, it has the system that our defaults describe."""
    engine = load_engine()
    ours, its = engine.melt_system(melt_settings(MELT_FILE.defaults())), engine.melt_system({})

    assert (ours["atoms"], ours["box"], ours["cells"]) == (its["atoms"], its["box"], its["cells"])
    assert ours["atoms"] == 32000


def test_what_a_file_says_comes_before_defaults(tmp_path: Path) -> None:
    given = MELT_FILE.read(small_input(tmp_path))

    assert given["lattice_cells"] == [6, 6, 6]
    assert given["density"] == 0.8442
    assert melt_system(given, load_engine())["atoms"] == ATOMS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[systems]",
            "section 'systems' is unknown (known: system, force, run, objects): "
            "did you mean 'system'?",
        ),
        (
            "[run]\nstep = 5",
            "[run] key 'step' is unknown (known: time_step, steps, thermo_steps, frame_steps): "
            "did you mean 'steps'?",
        ),
        ("[run]\ncutoff = 2.5", "[run] cutoff (it is a key of [force]): move it there"),
        (
            "steps = 5",
            "steps stands in no section (it is a key of [run]): write [run] above",
        ),
        ("run = 5", "run = 5 (it is a section): write [run], and its keys below"),
        (
            "[system]\ndensity = -1",
            "[system] density = -1 cannot be used (default 0.8442): give a number above 0",
        ),
        (
            '[system]\ndensity = "thin"',
            '[system] density = "thin" cannot be used (default 0.8442): give a number above 0',
        ),
        (
            "[system]\ntemperature = nan",
            "[system] temperature = nan cannot be used (default 1.44): give a finite number, 0 or "
            "above",
        ),
        (
            "[system]\nlattice_cells = [20, 20]",
            "[system] lattice_cells = [20, 20] cannot be used (default [20, 20, 20]): "
            "give three whole numbers of at least 1",
        ),
        (
            "[objects]\ncells = [2, 5, 5]",
            "[objects] cells = [2, 5, 5] cannot be used (default [5, 5, 5]): "
            "give three whole numbers of at least 3",
        ),
        (
            "[run]\nsteps = true",
            "[run] steps = true cannot be used (default 100): give a whole number of at least 0",
        ),
        (
            "[run]\nsteps = 1e3",
            "[run] steps = 1000.0 cannot be used (default 100): give a whole number of at least 0",
        ),
        (
            "[objects]\nwhen = 0",
            '[objects] when = 0 cannot be used (default "auto"): '
            "give auto or never, or a whole number of at least 1",
        ),
        (
            '[objects]\nfirst_map = "blck"',
            '[objects] first_map = "blck" cannot be used (default "block"): '
            "give block or round-robin",
        ),
        (
            '[objects]\n\nbalancer = "gossip:fanout=x"',
            '[objects] balancer = "gossip:fanout=x" cannot be used (default "makespan"): '
            "option fanout is no number: give gossip:fanout=1",
        ),
        (
            "[run\nsteps = 5",
            ", line 1: expected ']' at the end of a table declaration (this is no TOML); "
            "`makespan melt --example` shows one",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = small_input(tmp_path, text)
    line = f", line {text.count(chr(10)) + 1}: "
    joint = "" if message.startswith(",") else line

    with pytest.raises(InputError) as raised:
        MELT_FILE.read(path)

    assert str(raised.value) == f"{path}{joint}{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[system]\nlattice_cells = [6, 6, 6]",
            "5 cells along x (each would be 2.01552 thick, and pairs reach 2.8): take at most 3",
        ),
        ("[force]\ncutoff = 30.0", "take more lattice_cells"),
        ("[system]\nlattice_cells = [900, 900, 900]", "2.916e+09 atoms (at most 2^26"),
    ],
)
def test_what_does_not_go_together_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = small_input(tmp_path, text)

    with pytest.raises(InputError) as raised:
        melt_system(MELT_FILE.read(path), load_engine())

    assert str(raised.value).startswith(f"{path}: ")
    assert message in str(raised.value)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"[run]\n# gr\xfc\xdfe")

    for path, message in (
        (tmp_path, "it is a folder"),
        (tmp_path / "no.toml", "cannot be read (No such file or directory)"),
        (latin, "line 2: it is no UTF-8 text"),
    ):
        with pytest.raises(InputError) as raised:
            MELT_FILE.read(path)
        assert str(path) in str(raised.value)
        assert message in str(raised.value)


def test_keywords_come_before_the_file_and_are_named(tmp_path: Path) -> None:
    path, nothing = small_input(tmp_path), {key.name: None for key in KEYS}

    given = given_melt(path, {**nothing, "steps": 7, "gather": "all"})

    assert (given["steps"], given["when"], given["thermo_steps"]) == (7, "auto", 10)
    with pytest.raises(InputError, match="steps=-1 cannot be used"):
        given_melt(path, {**nothing, "steps": -1})


@pytest.mark.parametrize("value", [3, 2.5, 'a"b', [1, 2], True])
def test_values_are_shown_as_toml_has_them(value: Any) -> None:
    import tomllib

    assert tomllib.loads(f"x = {toml_text(value)}")["x"] == value


def test_every_key_fits_its_default() -> None:
    assert all(key.kind.fits(key.default) for key in KEYS)
