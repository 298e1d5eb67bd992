# SPDX-License-Identifier: Apache-2.0
"""What --help prints of each option is what was written for it, brackets included."""

from __future__ import annotations

import json
import re

import pytest
from makespan.cli import main
from makespan.cli.app import command_spec
from makespan.cli.commands import COMMANDS
from makespan.settings.kinds import Switch
from makespan.settings.shared import COMMON


def words(text: str) -> str:
    """Without line ends and the spaces that wrapping puts in their place."""
    return re.sub(r"\s+", "", text)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments, "--help"]) == 0
    return words(capsys.readouterr().out)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_text_is_printed_whole(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    spec = command_spec(name)

    shown = printed(capsys, name)

    assert "\\[" not in shown
    assert words(spec.text) in shown
    for example in spec.examples:
        assert words(example) in shown
    for setting in spec.settings:
        if setting.is_hidden:
            continue
        assert setting.help, setting.name
        assert words(setting.help) in shown, setting.name
        for word in setting.kind.choices:
            assert word in shown
        assert words(setting.name if setting.is_argument else setting.flag) in shown
        if setting.default is not None and not isinstance(setting.kind, Switch):
            assert f"[default:{words(str(setting.default))}]" in shown, setting.name


def test_devices_are_shown_as_they_are_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'cpu[cores=0-3,isa=avx2]cpu[cores=4-7]'" in printed(capsys, "price")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["prize"], "did you mean 'price'? (`makespan --help` shows what there is)"),
        (["nope"], "machine, doctor): use one of these (`makespan --help` shows what there is)"),
        (["price", "--std-error"], "requires an argument (`makespan price --help` shows what"),
        (["price", "--bogus", "--json"], "--bogus"),
        (["price", "--größe", "--json"], "--größe"),
    ],
)
def test_usage_errors_name_the_help_that_says_more(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2

    shown = capsys.readouterr()
    if "--json" in arguments:
        found = json.loads(shown.out)
        assert shown.out.isascii()  # whatever stdout can take
        assert (found["format"], found["exit_code"]) == ("makespan error", 2)
        assert text in found["error"]
    else:
        assert text in shown.err
        assert shown.err.count("\n") == 1


def test_the_first_screen_has_a_line_for_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0

    shown = capsys.readouterr().out.splitlines()
    for name, (_, line) in COMMANDS.items():
        assert sum(row.split() == [name, *line.split()] for row in shown) == 1, name
        assert command_spec(name).name == name


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_what_all_have_or_says_why_not(name: str) -> None:
    spec = command_spec(name)
    own = {setting.name: setting for setting in spec.settings}
    common = {setting.name for setting in COMMON}

    assert set(spec.without) == common - set(own)
    assert all(len(reason) > 10 for reason in spec.without.values())
    for setting in COMMON:
        if setting.name in own:
            assert own[setting.name].flag == setting.flag
            assert own[setting.name].short == setting.short
