# SPDX-License-Identifier: Apache-2.0
"""Input files of sections and keys: reading them, and what is said of those that are wrong."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
from makespan.base.errors import InputError
from makespan.settings.input_file import InputFile
from makespan.settings.keywords import takes
from makespan.settings.kinds import (
    ABOVE_0,
    COUNT,
    FOLDER,
    FROM_0,
    INT32_MAX,
    FilePath,
    ListOf,
    Number,
    OneOf,
    OrElse,
    Whole,
    is_finite,
    power_text,
    triple,
)
from makespan.settings.setting import Setting, toml_text

KEYS = (
    Setting("litres", ABOVE_0, 2.5, "of water", "pot"),
    Setting("lid", OneOf(("on", "off")), "on", "while it boils", "pot"),
    Setting("minutes", COUNT, 12, "until done", "fire", aliases=("time",)),
    Setting("salt", FROM_0, 0.0, "spoons", "fire"),
)
SOUP = InputFile("soup", KEYS, "# Soup.\n")
HUGE = "1" + "0" * 400


def soup(folder: Path, text: str) -> Path:
    path = folder / "soup.toml"
    path.write_text(text)
    return path


def test_the_example_reads_back_to_the_defaults(tmp_path: Path) -> None:
    text = SOUP.example()

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
        ("ruf = 1", "key 'ruf' is unknown (known: litres, lid, minutes, salt): use one of"),
        ("[pot]\nlitre = 1", "[pot] key 'litre' is unknown (known: litres, lid): did you mean"),
        ("[pot]\nsalt = 1", "[pot] salt (it is a key of [fire]): move it there"),
        ("salt = 1", "salt stands in no section (it is a key of [fire]): write [fire] above"),
        ("pot = 3", "pot = 3 (it is a section): write [pot], and its keys below"),
        ("[[pot]]\nlitres = 1", "(it is a section): write [pot]"),
        ("[fire]\nminutes = true", "[fire] minutes = true cannot be used (default 12): give a"),
        ("[fire]\nminutes = 3.0", "[fire] minutes = 3.0 cannot be used"),
        ("[fire]\nminutes = 0", "give a whole number of at least 1"),
        (f"[fire]\nminutes = {INT32_MAX + 1}", "minutes = 2147483648 cannot be used"),
        (
            "[fire]\nsalt = nan",
            "(default 0.0): give a finite number, 0",
        ),
        ("[fire]\nsalt = -1", "salt = -1 cannot be used"),
        (
            "[pot]\nlitres = inf",
            "(default 2.5): give a finite number above 0",
        ),
        ("[pot]\nlitres = true", "litres = true cannot be used"),
        (f"[pot]\nlitres = {HUGE}", "litres = 10000"),
        (f"[pot]\nlitres = 1{'0' * 5000}", "(this is no TOML)"),
        (f"[pot]\nlitres = {'[' * 9999}", "it is nested too deep; `makespan soup --example`"),
        ("[pot]\nlitres = 1979-05-27", "litres = 1979-05-27 cannot be used"),
        ('[pot]\nlid = "of"', 'lid = "of" cannot be used (default "on"): give on or off'),
        ('[pot]\nlid = "a\\nb"', 'lid = "a\\nb" cannot be used'),
        ('[pot]\nlid = ["on"]', 'lid = ["on"] cannot be used'),
        ("[pot.lid]\nx = 1", "lid = {x = 1} cannot be used"),
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


def test_flags_and_keywords_come_before_the_file_and_none_says_nothing(tmp_path: Path) -> None:
    given = SOUP.read(soup(tmp_path, "[fire]\nminutes = 3\nsalt = 1.5\n"))

    chosen = given.with_flags({"minutes": 9, "salt": None})

    assert (chosen["minutes"], chosen["salt"]) == (9, 1.5)
    assert given["minutes"] == 3
    assert given.with_keywords({"minutes": 9}).values == chosen.values
    with pytest.raises(InputError, match=r"^minutes=0 cannot be used \(default 12\)"):
        given.with_keywords({"minutes": 0})


def test_keys_from_python_have_no_sections() -> None:
    assert SOUP.known({"salt": 2}) == {"salt": 2}
    assert SOUP.known({"time": 2}) == {"minutes": 2}
    with pytest.raises(InputError, match="soup: keyword 'pepper' is unknown"):
        SOUP.known({"pepper": 2})


@takes(KEYS)
def cook(**given: Any) -> dict[str, Any]:
    """Cooks."""
    return given


def test_another_name_of_a_key_is_understood(tmp_path: Path) -> None:
    assert SOUP.read(soup(tmp_path, "[fire]\ntime = 4\n"))["minutes"] == 4
    assert cook(time=4) == {"litres": 2.5, "lid": "on", "minutes": 4, "salt": 0.0}
    with pytest.raises(InputError, match="minutes=0 cannot be used"):
        cook(time=0)
    with pytest.raises(InputError, match="minutes and time are one setting: give one of them"):
        cook(minutes=4, time=5)
    with pytest.raises(InputError, match=r"line 1: \[fire\] minutes and time are one setting"):
        SOUP.read(soup(tmp_path, "[fire]\nminutes = 4\ntime = 5\n"))


def test_none_is_not_given() -> None:
    assert cook(litres=None, time=None) == cook()


@pytest.mark.parametrize("setting", [Setting("file", FilePath()), Setting("folder", FOLDER)])
def test_an_empty_text_is_no_path(setting: Setting) -> None:
    """What an unset variable of a shell leaves; `Path` takes it for the folder at hand."""
    with pytest.raises(InputError, match="cannot be used: give the path of a f"):
        setting.of_flag("")
    with pytest.raises(InputError, match="='' cannot be used"):
        setting.check_kind("")
    assert setting.of_flag(".") == Path()
    setting.check_kind(".")


def test_a_message_names_the_line(tmp_path: Path) -> None:
    path = soup(tmp_path, "# mine\n[pot]\nlitres = 1\n\n[fire]\nsalt = -1\n")

    with pytest.raises(InputError, match=r"soup.toml, line 6: \[fire\] salt = -1 cannot be used"):
        SOUP.read(path)


@pytest.mark.parametrize("value", [True, "1", None, [1], math.nan, math.inf, -math.inf, 10**400])
def test_what_is_no_number_is_none(value: Any) -> None:
    assert not is_finite(value)
    assert not FROM_0.fits(value)


def test_numbers_are_above_zero_or_from_it_on() -> None:
    assert FROM_0.fits(0)
    assert not ABOVE_0.fits(0.0)
    assert ABOVE_0.fits(5e-324)
    assert not FROM_0.fits(-1)
    assert [Number(least=1, most=2).fits(one) for one in (0.9, 1, 2, 2.1)] == [
        False,
        True,
        True,
        False,
    ]


def test_whole_numbers_have_limits_and_are_no_booleans() -> None:
    fits = Whole(0, 1).fits

    assert [value for value in (0, 1, 2, -1, True, False, 1.0, "1") if fits(value)] == [0, 1]


def test_lists_have_a_length_where_one_is_asked_for() -> None:
    assert ListOf(FROM_0).fits([])
    assert ListOf(FROM_0, 2).fits([1, 2.5])
    assert not ListOf(FROM_0, 2).fits([1])
    assert not ListOf(FROM_0).fits("12")
    three = triple(Whole(1), "three whole numbers")
    assert three.fits([1, 2, 3])
    assert not three.fits([1, 0, 3])
    assert not three.fits([1, True, 3])
    assert three.parsed("4, 5,6") == [4, 5, 6]


def test_a_flag_of_two_kinds_is_read_by_the_one_that_takes_it() -> None:
    kind = OrElse(OneOf(("auto", "never")), COUNT)

    assert [kind.parsed(text) for text in ("auto", "12")] == ["auto", 12]
    assert kind.right == "give auto or never, or a whole number of at least 1"
    with pytest.raises(ValueError, match="often"):
        kind.parsed("often")


def test_powers_of_two_are_short() -> None:
    assert [power_text(one) for one in (12, 2**31, 2**64 - 1)] == ["12", "2^31", "2^64 - 1"]


@pytest.mark.parametrize("value", [True, -3, 2.5, 'a "b" \\ c', "µ\n\t", ["x", [1, 2.0]], []])
def test_values_are_said_as_toml_has_them(value: Any) -> None:
    assert tomllib.loads(f"x = {toml_text(value)}") == {"x": value}


def test_long_values_are_cut() -> None:
    text = toml_text("x" * 100)

    assert len(text) == 60
    assert text.endswith("x...")
