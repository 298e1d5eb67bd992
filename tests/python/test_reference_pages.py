# SPDX-License-Identifier: Apache-2.0
"""The reference pages say what the code does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import fake_core
import pytest
from makespan._core import balancers
from makespan.base.errors import ExitCode
from makespan.pricing.input import Settings
from makespan.pricing.pricing import price_everything
from makespan.settings.shared import COMMON, LIST
from small_books import plain_book

import makespan

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"


def test_the_book_format_page_is_current() -> None:
    tool = ROOT / "tools" / "book_format.py"

    ended = subprocess.run(
        [sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, "")


def test_every_flag_and_keyword_is_on_its_page() -> None:
    tool = ROOT / "tools" / "write_settings.py"

    ended = subprocess.run(
        [sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_commands_have_in_common_is_in_the_first_section() -> None:
    page = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    (section,) = re.findall(
        r"^## What all commands have in common$(.*?)^## ", page, re.MULTILINE | re.DOTALL
    )

    described = set(re.findall(r"`(--[a-z-]+)` \|", section))

    assert described == {setting.flag for setting in (*COMMON, LIST)}


def test_every_exit_code_is_on_the_command_line_page() -> None:
    page = (REFERENCE / "cli.md").read_text(encoding="utf-8")

    assert {int(code) for code in re.findall(r"^\| (\d+) \|", page, flags=re.MULTILINE)} == {
        int(code) for code in ExitCode
    }


def test_every_field_of_the_record_is_on_its_page() -> None:
    page = (REFERENCE / "record.md").read_text(encoding="utf-8")
    record = price_everything(fake_core, plain_book(1), Settings()).record
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]

    described = {name for row in rows for name in re.findall(r"`(\w+)`", row)}

    assert described == set(record)


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def _number(text: str) -> float:
    """Read a number as the page writes it: 8.5·10⁻⁹, 10¹⁵, 0.02."""
    text = text.replace(" ", "").replace("\N{MINUS SIGN}1", "")
    if found := re.fullmatch(r"(?:([\d.]+)·)?(\d+)([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", text):
        factor, base, power = found.groups()
        return float(factor or 1) * float(base) ** int(power.translate(_SUPERSCRIPTS))
    return float(text)


def test_every_balancer_and_its_options_are_on_their_page() -> None:
    page = (REFERENCE / "balancers.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (`[^|]*|)\| `(\w+)` \| ([^|]+) \| ([^|]+) … ([^|]+) \|", page, re.MULTILINE
    )
    described: dict[tuple[str, str], tuple[float, float, float]] = {}
    names: list[str] = []
    for who, option, *numbers in rows:
        names = re.findall(r"`(\w+)`", who) or names
        for name in names:
            low, smallest, largest = (_number(number) for number in numbers)
            described[name, option] = (low, smallest, largest)
    table = page.split("## Options")[0]

    entries = balancers()

    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [each["name"] for each in entries]
    expected = {
        (each["name"], option["name"]): (option["default"], option["smallest"], option["largest"])
        for each in entries
        for option in each["options"]
    }
    assert described.keys() == expected.keys()
    for key, numbers_there in expected.items():
        assert described[key] == pytest.approx(numbers_there, rel=1e-6), key


def test_every_error_that_users_are_told_of_is_theirs() -> None:
    """Goal: what docstrings and the reference say is raised can be caught by its name."""
    public = [getattr(makespan, name) for name in makespan.__all__]
    texts = [one.__doc__ or "" for one in (*public, makespan.Grid.run)]
    page = (REFERENCE / "python.md").read_text(encoding="utf-8")
    section = page.partition("## Errors")[2].partition("\n## ")[0]

    told = {name for text in texts for name in re.findall(r"`(\w+Error)`", text)}
    listed = set(re.findall(r"^\|[^|]*\| `(\w+)` \|", section, flags=re.MULTILINE))
    errors = {
        name
        for name, one in zip(makespan.__all__, public, strict=True)
        if isinstance(one, type) and issubclass(one, BaseException)
    }

    assert told <= errors | {"TimeoutError"}  # Python's own
    assert errors - {"MakespanError"} <= listed
