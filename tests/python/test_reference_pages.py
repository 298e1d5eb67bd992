# SPDX-License-Identifier: Apache-2.0
"""The reference pages say what the code does."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import fake_core
import pytest
from makespan._core import balancers
from makespan.base.errors import ExitCode
from makespan.graph.command import balance as balance_command
from makespan.grid.calcium.command import calcium as calcium_command
from makespan.grid.diffusion.command import diffuse as diffuse_command
from makespan.machines.command import machine as machine_command
from makespan.melting.command import melt as melt_command
from makespan.pricing.api import price
from makespan.pricing.command import price as price_command
from makespan.pricing.input import Settings
from makespan.pricing.pricing import price_everything
from small_books import plain_book

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"


def test_the_book_format_page_is_current() -> None:
    tool = ROOT / "tools" / "book_format.py"

    ended = subprocess.run(
        [sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("command", "argument"),
    [
        (price_command, "--book"),
        (machine_command, "--file"),
        (balance_command, "--graph"),
        (calcium_command, "--input"),
        (diffuse_command, "--input"),
        (melt_command, "--input"),
    ],
)
def test_every_flag_is_on_the_command_line_page(
    command: Callable[..., None], argument: str
) -> None:
    page = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    (section,) = re.findall(
        rf"^## makespan {command.__name__} (.*?)(?=^## |\Z)", page, flags=re.MULTILINE | re.DOTALL
    )
    names = [name.rstrip("_") for name in inspect.signature(command).parameters]
    flags = {"--" + name.replace("_", "-") for name in names}

    described = set(re.findall(r"^\|.*?(--[a-z][a-z-]+)", section, flags=re.MULTILINE))

    assert described == flags - {argument}


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


def test_python_and_command_line_have_the_same_defaults() -> None:
    ours = inspect.signature(price).parameters
    theirs = inspect.signature(price_command).parameters

    shared = [name for name in ours if name in theirs and name not in ("book", "journal")]

    assert len(shared) >= 14
    assert {n: ours[n].default for n in shared} == {n: theirs[n].default for n in shared}


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
