# SPDX-License-Identifier: Apache-2.0
"""What --help prints of each option is what was written for it, brackets included."""

from __future__ import annotations

import re

import pytest
import typer
from makespan.cli import main
from makespan.cli.app import app

GROUP = typer.main.get_command(app)
COMMANDS = sorted(GROUP.commands)


def words(text: str) -> str:
    """Without line ends and the spaces that wrapping puts in their place."""
    return re.sub(r"\s+", "", text)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments, "--help"]) == 0
    return words(capsys.readouterr().out)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_text_is_printed_whole(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = GROUP.commands[name]

    shown = printed(capsys, name)

    assert "\\[" not in shown
    assert words(command.help) in shown
    for part in command.epilog.split("\n\n"):
        assert words(part) in shown
    options = [one for one in command.params if not getattr(one, "hidden", False)]
    assert options
    for option in options:
        assert words(option.help or "") in shown, option.name
        for flag in option.opts if option.param_type_name == "option" else ():
            assert flag in shown


def test_devices_are_shown_as_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'cpu[cores=0-3,isa=avx2]cpu[cores=4-7]'" in printed(capsys, "price")
    assert "othernumbersof[network]," in printed(capsys, "simulate")


def test_the_first_screen_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    shown = printed(capsys)

    assert all(name in shown for name in COMMANDS)
