# SPDX-License-Identifier: Apache-2.0
"""Whatever an input file, a flag or a keyword says: a value, or one message; never a traceback.

Method: Hypothesis writes files of known and unknown sections and keys with values of any type and
size, cuts examples off and changes their bytes, and gives every setting any text and any value.
"""

from __future__ import annotations

import json
import math
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from makespan.base.errors import InputError
from makespan.cli.app import command_spec
from makespan.cli.commands import COMMANDS
from makespan.grids.calcium.input import CALCIUM_FILE
from makespan.grids.diffusion.input import DIFFUSE_FILE
from makespan.melting.input import MELT_FILE
from makespan.settings.input_file import InputFile
from makespan.settings.setting import Setting
from makespan.sim.example import MACHINE_EXAMPLE
from makespan.sim.grids.description import GridCase, grid_case, read_tables
from makespan.sim.grids.example import GRID_EXAMPLE
from makespan.sim.machine_text import read_machine

import makespan


def read_grid(path: Path) -> GridCase:
    """A description of a grid, as `makespan simulate` reads it."""
    text, tables = read_tables(path)
    return grid_case(str(path), tables, text)


FILES = {"melt": MELT_FILE, "calcium": CALCIUM_FILE, "diffuse": DIFFUSE_FILE}
READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    **{name: (file.read, file.example()) for name, file in FILES.items()},
    "simulate": (read_machine, MACHINE_EXAMPLE),
    "simulate_grid": (read_grid, GRID_EXAMPLE),
}
FUNCTIONS = [name for name in makespan.__all__ if hasattr(getattr(makespan, name), "__settings__")]
ONE_MESSAGE = {"suppress_health_check": [HealthCheck.function_scoped_fixture]}

numbers = st.one_of(
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0, 1, -1, 2**31, 2**53 + 1, 2**64, 1e-320, 1e308]),
)
values = st.recursive(
    st.one_of(numbers, st.booleans(), st.text(max_size=20)),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)
names = st.text(string.ascii_lowercase + "_", min_size=1, max_size=12)


def toml(value: Any) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(value) if math.isfinite(value) else "nan"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return str(value)


def expect_value_or_message(read: Callable[[], object], *names: str) -> None:
    """It returns, or says in one message what is wrong, and where."""
    try:
        read()
    except InputError as error:
        text = str(error)
        assert text.strip()
        assert "Traceback" not in text
        assert all(name in text for name in names), text


def settings_of(file: InputFile) -> st.SearchStrategy[str]:
    """Files of this kind, of which some keys and values are right."""
    known = sorted({(one.section, one.name) for one in file.settings.values()})
    lines = st.tuples(
        st.one_of(st.sampled_from(known), st.tuples(names, names)), st.one_of(values, st.none())
    )
    return st.lists(lines, max_size=6).map(lambda found: text_of(file, found))


def text_of(file: InputFile, lines: list[tuple[tuple[str, str], Any]]) -> str:
    """The file of these lines; None stands for the default."""
    sections: dict[str, dict[str, str]] = {}
    for (section, name), value in lines:
        own = file.settings.get(name)
        chosen = own.default if value is None and own is not None else value
        if chosen is not None:
            sections.setdefault(section, {})[name] = toml(chosen)
    return "".join(
        f"[{section}]\n" + "".join(f"{name} = {value}\n" for name, value in keys.items())
        for section, keys in sections.items()
    )


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=150, **ONE_MESSAGE)
@given(data=st.data())
def test_any_keys_and_values(name: str, data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "in.toml"
    path.write_text(data.draw(settings_of(FILES[name])), encoding="utf-8")

    expect_value_or_message(lambda: FILES[name].read(path), str(path))


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=150, **ONE_MESSAGE)
@given(cut=st.integers(0, 4000), at=st.integers(0, 4000), byte=st.integers(0, 255))
@example(cut=0, at=0, byte=0)
def test_a_file_that_is_cut_or_changed(
    name: str, cut: int, at: int, byte: int, tmp_path: Path
) -> None:
    read, text = READERS[name]
    whole = bytearray(text.encode())
    whole[at % len(whole)] = byte
    path = tmp_path / "in.toml"
    path.write_bytes(bytes(whole[: cut % len(whole)] if cut % 2 else whole))

    expect_value_or_message(lambda: read(path), str(path))


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "a = " + "9" * 10_000, "x" * 2_000_000, "a = [" + "[" * 5000, "\x00", "﻿a=1"],
    ids=["deep", "digits", "huge", "brackets", "zero", "mark"],
)
def test_a_file_of_garbage(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "in.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError) as caught:
        READERS[name][0](path)

    assert str(path) in str(caught.value)


def every_setting() -> list[tuple[str, Setting]]:
    """Of commands and functions."""
    found = [
        (f"{name} {one.name}", one) for name in COMMANDS for one in command_spec(name).settings
    ]
    return found + [
        (f"{name}() {one.name}", one)
        for name in FUNCTIONS
        for one in getattr(makespan, name).__settings__
    ]


SETTINGS = every_setting()


@pytest.mark.parametrize(
    "setting", [one for _, one in SETTINGS], ids=[name for name, _ in SETTINGS]
)
@settings(max_examples=15, **ONE_MESSAGE)
@given(
    text=st.one_of(
        st.text(max_size=30), numbers.map(str), st.sampled_from(["", ",", ":", "a:b=c"])
    ),
    value=st.one_of(values, st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)),
)
def test_any_text_and_any_value_of_a_setting(setting: Setting, text: str, value: Any) -> None:
    expect_value_or_message(lambda: setting.of_flag(text))
    expect_value_or_message(lambda: setting.check_kind(value), setting.name)
    expect_value_or_message(lambda: setting.check(value, "here"), "here")
