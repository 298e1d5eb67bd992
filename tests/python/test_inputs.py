# SPDX-License-Identifier: Apache-2.0
"""Input files of sections and keys: reading them, and what is said of those that are wrong."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
from makespan.base.errors import InputError
from makespan.settings.key_file import KeyFile
from makespan.settings.keys import (
    ABOVE,
    COUNT,
    FROM_0,
    INT32_MAX,
    Key,
    example_text,
    is_finite,
    is_list,
    is_number,
    is_triple,
    is_whole,
    one_of,
    toml_text,
)

KEYS = (
    Key("pot", "litres", 2.5, *ABOVE, "of water"),
    Key("pot", "lid", "on", *one_of(("on", "off")), "while it boils"),
    Key("fire", "minutes", 12, *COUNT, "until done"),
    Key("fire", "salt", 0.0, *FROM_0, "spoons"),
)
SOUP = KeyFile("soup", KEYS)
HUGE = "1" + "0" * 400


def soup(folder: Path, text: str) -> Path:
    path = folder / "soup.toml"
    path.write_text(text)
    return path


def test_the_example_reads_back_to_the_defaults(tmp_path: Path) -> None:
    text = example_text("# Soup.\n", KEYS)

    given = SOUP.read(soup(tmp_path, text))

    assert given.values == SOUP.defaults().values
    assert text.splitlines()[:4] == [
        "# Soup.",
        "",
        "[pot]",
        "litres = 2.5  # of water",
    ]


def test_keys_that_are_left_out_have_their_defaults(tmp_path: Path) -> None:
    given = SOUP.read(soup(tmp_path, "[fire]\nminutes = 3\n"))

    assert (given["minutes"], given["litres"], given["lid"]) == (3, 2.5, "on")
    assert given.source == str(tmp_path / "soup.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[pot]\nlitres = 2,5", "line 2: expected newline or end of document after a statement"),
        (
            '[pot]\nlid = "on',
            "unterminated string (this is no TOML); `makespan soup --example` shows",
        ),
        ("[pot]\n[fire]\n[pot]", "line 3: cannot declare ('pot',) twice (this is no TOML)"),
        ("[pots]", "section 'pots' is unknown (known: pot, fire): did you mean 'pot'?"),
        ("ruf = 1", "key 'ruf' is unknown (known: litres, lid, minutes, salt): did you mean"),
        ("[pot]\nlitre = 1", "[pot] key 'litre' is unknown (known: litres, lid): did you mean"),
        ("[pot]\nsalt = 1", "[pot] salt (it is a key of [fire]): move it there"),
        ("salt = 1", "salt stands in no section (it is a key of [fire]): write [fire] above"),
        ("pot = 3", "pot = 3 (it is a section): write [pot], and its keys below"),
        ("[[pot]]\nlitres = 1", "(it is a section): write [pot]"),
        ("[fire]\nminutes = true", "[fire] minutes = true cannot be used (default 12): give a"),
        ("[fire]\nminutes = 3.0", "[fire] minutes = 3.0 cannot be used"),
        ("[fire]\nminutes = 0", "give a whole number of at least 1"),
        (f"[fire]\nminutes = {INT32_MAX + 1}", "minutes = 2147483648 cannot be used"),
        ("[fire]\nsalt = nan", "[fire] salt = nan cannot be used (default 0.0): give a number, 0"),
        ("[fire]\nsalt = -1", "salt = -1 cannot be used"),
        ("[pot]\nlitres = inf", "litres = inf cannot be used (default 2.5): give a number above 0"),
        ("[pot]\nlitres = true", "litres = true cannot be used"),
        (f"[pot]\nlitres = {HUGE}", "litres = 10000"),
        (f"[pot]\nlitres = 1{'0' * 5000}", "(this is no TOML)"),
        (f"[pot]\nlitres = {'[' * 9999}", "it is nested too deep; `makespan soup --example`"),
        ("[pot]\nlitres = 1979-05-27", "litres = 1979-05-27 cannot be used"),
        ('[pot]\nlid = "of"', 'lid = "of" cannot be used (default "on"): give "on" or "off"'),
        ('[pot]\nlid = "a\\nb"', 'lid = "a\\nb" cannot be used'),
        ('[pot]\nlid = ["on"]', 'lid = ["on"] cannot be used'),
        ("[pot.lid]\nx = 1", "lid = {'x': 1} cannot be used"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = soup(tmp_path, text)

    with pytest.raises(InputError) as raised:
        SOUP.read(path)

    said = str(raised.value)
    assert said.startswith(str(path))
    assert message in said
    assert "\n" not in said


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "large.toml").write_bytes(b"#" * (2 << 20))

    for path, message in (
        (tmp_path, "it is a folder"),
        (tmp_path / "none.toml", "No such file or directory); `makespan soup --example` shows one"),
        (tmp_path / "large.toml", "it is larger than 1 MiB"),
    ):
        with pytest.raises(InputError) as raised:
            SOUP.read(path)
        assert str(raised.value).startswith(str(path))
        assert message in str(raised.value)


def test_flags_come_before_the_file_and_none_says_nothing(tmp_path: Path) -> None:
    given = SOUP.read(soup(tmp_path, "[fire]\nminutes = 3\nsalt = 1.5\n"))

    chosen = given.with_values({"minutes": 9, "salt": None}, {})

    assert (chosen["minutes"], chosen["salt"]) == (9, 1.5)
    assert given["minutes"] == 3
    with pytest.raises(InputError, match=r"^--for-minutes = 0 cannot be used"):
        given.with_values({"minutes": 0}, {"minutes": "--for-minutes"})


def test_keys_from_python_have_no_sections() -> None:
    assert SOUP.known({"salt": 2}) == {"salt": 2}
    with pytest.raises(InputError, match="soup has no key 'pepper'"):
        SOUP.known({"pepper": 2})


@pytest.mark.parametrize("value", [True, "1", None, [1], math.nan, math.inf, -math.inf, 10**400])
def test_what_is_no_number_is_none(value: Any) -> None:
    assert not is_finite(value)
    assert not is_number(above_zero=False)(value)


def test_numbers_are_above_zero_or_from_it_on() -> None:
    assert is_number(above_zero=False)(0)
    assert not is_number(above_zero=True)(0.0)
    assert is_number(above_zero=True)(5e-324)
    assert not is_number(above_zero=False)(-1)


def test_whole_numbers_have_limits_and_are_no_booleans() -> None:
    fits = is_whole(0, 1)

    assert [value for value in (0, 1, 2, -1, True, False, 1.0, "1") if fits(value)] == [0, 1]


def test_lists_have_a_length_where_one_is_asked_for() -> None:
    assert is_list(is_finite)([])
    assert is_list(is_finite, 2)([1, 2.5])
    assert not is_list(is_finite, 2)([1])
    assert not is_list(is_finite)((1, 2))
    assert is_triple(1)([1, 2, 3])
    assert not is_triple(1)([1, 0, 3])
    assert not is_triple(1)([1, True, 3])


@pytest.mark.parametrize("value", [True, -3, 2.5, 'a "b" \\ c', "µ\n\t", ["x", [1, 2.0]], []])
def test_values_are_said_as_toml_has_them(value: Any) -> None:
    assert tomllib.loads(f"x = {toml_text(value)}") == {"x": value}


def test_long_values_are_cut() -> None:
    text = toml_text("x" * 100)

    assert len(text) == 60
    assert text.endswith("x...")
