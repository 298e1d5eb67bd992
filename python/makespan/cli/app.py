# SPDX-License-Identifier: Apache-2.0
"""Reads the command line, runs one command, and turns every way out into an exit code."""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from makespan.base.errors import ExitCode, InputError, MakespanError
from makespan.cli.commands import COMMANDS
from makespan.command.exit import failed, forget_stdout, interrupted, say
from makespan.job.launcher import end_by_interrupt, is_later_image

if TYPE_CHECKING:
    from makespan.command.spec import CommandSpec

TEXT = (
    "Machines whose parts run at different speeds finish together. Each command prints an example "
    "of its input by --example, and says more by --help; if something is off, `makespan doctor` "
    "says what."
)
COMPLETION = (
    "Completion: `makespan completion bash`, zsh or fish prints what the shell reads, as in\n"
    '  eval "$(makespan completion bash)"\n'
)
GRACE_S = 0.5
"""For image 0 to say what is wrong: a launcher ends all images when the first of them has ended."""


class _InterruptedError(BaseException):
    """Ctrl-C, which click would turn into an exit without a word."""


def command_spec(name: str) -> CommandSpec:
    """A command by its name."""
    module, _ = COMMANDS[name]
    spec: CommandSpec = import_module(module).COMMAND
    return spec


class _Commands(click.Group):
    """All commands; each is loaded when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's call
        """In the order of the first screen."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The one of this name; raises `click.UsageError` that knows a near one."""
        if cmd_name in COMMANDS:
            from makespan.command.click_command import click_command

            return click_command(command_spec(cmd_name))
        if ctx.resilient_parsing:  # of completion
            return None
        from makespan.settings.algorithm import unknown

        raise click.UsageError(unknown("command", cmd_name, COMMANDS), ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each command; none of them is loaded."""
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text(TEXT)
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])
        with formatter.section("Options"):
            formatter.write_dl(
                [("--version", "Print version and commit."), ("-h, --help", "This.")]
            )
        formatter.write(f"\n{COMPLETION}")


def _version(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:  # noqa: FBT001
    if asked and not ctx.resilient_parsing:
        from makespan.base.version import version_line

        click.echo(version_line())
        ctx.exit()


app = _Commands(
    name="makespan",
    params=[
        click.Option(
            ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version
        )
    ],
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def run(arguments: list[str]) -> int:
    """Exit code of one command line."""
    if arguments[:1] == ["completion"]:
        from makespan.cli.completion import print_completion

        return print_completion(arguments[1:])
    code = _run_quietly(arguments) if is_later_image() else _run(arguments)
    if sys.modules.get("makespan._core") is not None:
        _leave_job(code)
    return code


def _run_quietly(arguments: list[str]) -> int:
    """What is wrong with the command line or the book, image 0 says for all."""
    said, printed = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(printed):
        code = _run(arguments)
    if code not in (ExitCode.OK, ExitCode.BAD_INPUT, ExitCode.NOT_CONFIGURED):
        # With --json what went wrong is a document on stdout, which belongs to image 0.
        sys.stderr.write(said.getvalue() or printed.getvalue())
    if code in (ExitCode.BAD_INPUT, ExitCode.NOT_CONFIGURED) and not _has_mpi_begun():
        time.sleep(GRACE_S)
    return code


def _has_mpi_begun() -> bool:
    engine = sys.modules.get("makespan._core")
    return engine is not None and engine.mpi_library() is not None


def _leave_job(code: int) -> None:
    """One of several processes: an MPI that cannot be ended must not be waited for."""
    from makespan.base.engine import load_engine
    from makespan.job.collective import is_left
    from makespan.job.stopping import end_if_left_behind

    engine = load_engine()
    if code == ExitCode.INTERRUPTED:
        end_by_interrupt()
    end_if_left_behind(code)
    if engine.images_launched() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        if is_left():
            engine.end_job()
        engine.exit_without_finalize(code)


def _run(arguments: Sequence[str]) -> int:
    try:
        name, given = _read(arguments)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return ExitCode.BAD_INPUT
    except click.exceptions.Exit as end:
        return end.exit_code
    except (click.UsageError, MakespanError) as error:
        return failed(_as_ours(error, arguments), as_json="--json" in arguments)
    except _InterruptedError:
        return interrupted()
    except OSError as error:  # of help and version, which click prints
        has_gone = isinstance(error, BrokenPipeError)
        if not has_gone:
            say(f"cannot write to stdout: {error.strerror}")
        forget_stdout()
        return ExitCode.OK if has_gone else ExitCode.RUNTIME_FAILURE
    from makespan.command.run import run_command

    return run_command(command_spec(name), given)


def _read(arguments: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """The command and the values that a command line gives."""
    try:
        with app.make_context("makespan", list(arguments)) as context:
            found: tuple[str, dict[str, Any]] = app.invoke(context)
            return found
    except KeyboardInterrupt as error:
        raise _InterruptedError from error


def _as_ours(error: click.UsageError | MakespanError, arguments: Sequence[str]) -> MakespanError:
    """What click says of a command line, in the words of all errors."""
    if isinstance(error, MakespanError):
        return error
    path = " ".join(["makespan", *(name for name in arguments[:1] if name in COMMANDS)])
    text = error.format_message().rstrip(".")
    return InputError(f"{text[:1].lower()}{text[1:]} (`{path} --help` shows what there is)")
