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
from makespan.api import price, price_everything
from makespan.cli.balance import balance as balance_command
from makespan.cli.machine import machine as machine_command
from makespan.cli.price import price as price_command
from makespan.errors import ExitCode
from makespan.settings import Settings
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
    [(price_command, "--book"), (machine_command, "--file"), (balance_command, "--graph")],
)
def test_every_flag_is_on_the_command_line_page(
    command: Callable[..., None], argument: str
) -> None:
    page = (REFERENCE / "cli.md").read_text(encoding="utf-8")
    (section,) = re.findall(
        rf"^## makespan {command.__name__} (.*?)(?=^## |\Z)", page, flags=re.MULTILINE | re.DOTALL
    )
    flags = {"--" + name.replace("_", "-") for name in inspect.signature(command).parameters}

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
