# SPDX-License-Identifier: Apache-2.0
"""Runs a command whose flags were read, and turns every way out into an exit code."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from makespan.base.errors import ExitCode
from makespan.base.setting_names import by_flags
from makespan.command.exit import run_reporting_errors
from makespan.command.spec import CommandSpec
from makespan.job.launcher import is_later_image
from makespan.settings.algorithm import Algorithm


def run_command(spec: CommandSpec, given: Mapping[str, Any]) -> ExitCode:
    """Blocks until the command has ended; collective where it is."""
    return run_reporting_errors(
        lambda: _run(spec, given),
        as_json=bool(given.get("json")),
        has_checkpoints=any(one.name == "checkpoint" for one in spec.settings),
    )


def _run(spec: CommandSpec, given: Mapping[str, Any]) -> ExitCode | None:
    if given.get("example") and spec.example_input is not None:
        sys.stdout.write("" if is_later_image() else spec.example_input())
        return ExitCode.OK
    if given.get("list"):
        if not is_later_image():
            sys.stdout.write(_listing(spec, as_json=bool(given.get("json"))))
        return ExitCode.OK
    with by_flags():
        _check_algorithms(spec, given)
        return spec.run(given)


def _listing(spec: CommandSpec, *, as_json: bool) -> str:
    if spec.listing is not None:
        return spec.listing(as_json=as_json)
    from makespan.command.listing import listing

    return listing(spec.registries, as_json=as_json)


def _check_algorithms(spec: CommandSpec, given: Mapping[str, Any]) -> None:
    """Raises `InputError` for names that the engine does not know."""
    for setting in spec.settings:
        value = given[setting.name]
        if isinstance(setting.kind, Algorithm) and value not in (None, setting.default):
            setting.check(value, f"{setting.flag} {value}")
