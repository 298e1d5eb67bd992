# SPDX-License-Identifier: Apache-2.0
"""What every command does with its last words."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from makespan.base.errors import ExitCode, Interrupted, MakespanError


def say(text: str) -> None:
    """One message to people; stdout is for results."""
    sys.stderr.write(f"makespan: {text}\n")


def forget_stdout() -> None:
    """Its reader has gone, or its disk is full: what is left must not complain when Python ends.

    Python 3.13 would also end with a code of its own.
    """
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


def failed(error: MakespanError, *, as_json: bool) -> ExitCode:
    """Tells what went wrong, to a program or to people; the exit code."""
    if as_json:
        from makespan.command.error_document import error_document

        if _printed(error_document(error)):
            return error.exit_code
    say(str(error))
    return error.exit_code


def _printed(text: str) -> bool:
    """Whether stdout took it: its disk may be full, its reader gone."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        forget_stdout()
        return False
    return True


def interrupted() -> ExitCode:
    """Tells that Ctrl-C came before there was anything to keep; the exit code."""
    from makespan.base.errors import ExitCode
    from makespan.job.launcher import is_later_image

    # Ctrl-C reaches every image of a job, and one speaks for all.
    if not is_later_image():
        say("interrupted; nothing was written")
    return ExitCode.INTERRUPTED


def run_reporting_errors(
    command: Callable[[], ExitCode | None], *, as_json: bool, has_checkpoints: bool
) -> ExitCode:
    """Runs a command that writes its files last, says how it ended, and returns the exit code.

    A command that knows its own exit code returns it. `has_checkpoints`: it takes --checkpoint.
    """
    from makespan.base.errors import EngineError, ExitCode, Interrupted, MakespanError

    code = None
    try:
        code = command()
        sys.stdout.flush()
    except Interrupted as interrupt:
        say(how_to_restart(interrupt, has_checkpoints=has_checkpoints))
        return ExitCode.INTERRUPTED
    except KeyboardInterrupt:
        return interrupted()
    except BrokenPipeError:
        forget_stdout()
    except MakespanError as error:
        return failed(error, as_json=as_json)
    except (RuntimeError, MemoryError, OSError) as error:
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, OSError) and not _printed(""):
            as_json = False
            text = f"cannot write to stdout ({error.strerror or error})"
        return failed(EngineError(text), as_json=as_json)
    return ExitCode.OK if code is None else code


def how_to_restart(interrupt: Interrupted, *, has_checkpoints: bool) -> str:
    """What was done of an interrupted run, and how the rest is."""
    if not has_checkpoints:
        return f"{interrupt}; nothing was written"
    if interrupt.done == interrupt.total:
        return f"{interrupt}"
    if interrupt.restart_from is None:
        is_kept = any(one.partition("=")[0] == "--checkpoint" for one in sys.argv)
        why = "before its first checkpoint" if is_kept else "with --checkpoint it could go on"
        return f"{interrupt}, {why}"
    from makespan.job.launcher import is_image

    given = _without_restart(sys.argv[1:])
    if given[:1] == ["melt"]:  # which has frames of what is left, and replaces no others
        given = _with_later_output(given, Path(interrupt.restart_from).name)
    command = shlex.join(["makespan", *given, "--restart-from", str(interrupt.restart_from)])
    how = ", under the same launcher" if is_image() else ""
    return f"{interrupt}. To go on{how}:\n  {command}"


def _with_later_output(arguments: list[str], begin: str) -> list[str]:
    """A command line whose output has another name, by where it begins."""
    kept: list[str] = []
    is_value = False
    for argument in arguments:
        flag, equals, value = argument.partition("=")
        if is_value:
            kept.append(_later(argument, begin))
        elif flag == "--output" and equals:
            kept.append(f"{flag}={_later(value, begin)}")
        elif joined := re.fullmatch("(-q*o)(.+)", argument):
            kept.append(joined[1] + _later(joined[2], begin))
        else:
            kept.append(argument)
        is_value = not is_value and re.fullmatch("-q*o|--output", argument) is not None
    return kept


def _later(output: str, begin: str) -> str:
    path = Path(output)
    return str(path.with_name(f"{path.stem}-from-{begin}{path.suffix}"))


def _without_restart(arguments: list[str]) -> list[str]:
    """A command line without the checkpoint that it went on from, if it did."""
    kept: list[str] = []
    is_value = False
    for argument in arguments:
        if not is_value and not argument.startswith("--restart-from="):
            is_value = argument == "--restart-from"
            if not is_value:
                kept.append(argument)
        else:
            is_value = False
    return kept


def stdout_width(fallback: int) -> int:
    """Columns of the terminal; `fallback` if stdout is none."""
    return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else fallback
