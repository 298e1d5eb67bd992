# SPDX-License-Identifier: Apache-2.0
"""Puts the commands together and turns every way out into an exit code."""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from makespan.cli import balance, calcium, diffuse, doctor, machine, melt, price, simulate
from makespan.cli.exit import interrupted, say
from makespan.collective import is_left
from makespan.engine import load_engine
from makespan.errors import ExitCode
from makespan.launcher import end_by_interrupt, is_later_image

HELP = (
    "Prices books of Asian options on every core; shows and measures machines; balances graphs; "
    "runs a melt of atoms that balances itself, calcium sparks, and diffusion; simulates bags on "
    "machines that one does not have. If something is off, `makespan doctor` says what."
)

GRACE_S = 0.5
"""For image 0 to say what is wrong: a launcher ends all images when the first of them has ended."""


class _InterruptedError(BaseException):
    """Ctrl-C, which Typer would turn into an exit without a word."""


@contextlib.contextmanager
def _heard() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        raise _InterruptedError from error


class _Commands(TyperGroup):
    """All commands; Ctrl-C goes through."""

    def make_context(self, *given: Any, **named: Any) -> Any:
        """Reads the command line."""
        with _heard():
            return super().make_context(*given, **named)

    def invoke(self, ctx: Any) -> Any:
        """Runs the command."""
        with _heard():
            return super().invoke(ctx)


app = typer.Typer(
    name="makespan",
    cls=_Commands,
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # brackets in help are what users type, not markup
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(*, asked: bool) -> None:
    if asked:
        from makespan.version import version_line

        typer.echo(version_line())
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=lambda value: _version(asked=value),
            is_eager=True,
            help="Print version and commit.",
        ),
    ] = False,
) -> None:
    """What there is is said in `HELP`."""


app.command(name="price", help=price.HELP, epilog=price.EPILOG)(price.price)
app.command(name="doctor", help=doctor.HELP, epilog=doctor.EPILOG)(doctor.doctor)
app.command(name="machine", help=machine.HELP, epilog=machine.EPILOG)(machine.machine)
app.command(name="balance", help=balance.HELP, epilog=balance.EPILOG)(balance.balance)
app.command(name="calcium", help=calcium.HELP, epilog=calcium.EPILOG)(calcium.calcium)
app.command(name="diffuse", help=diffuse.HELP, epilog=diffuse.EPILOG)(diffuse.diffuse)
app.command(name="melt", help=melt.HELP, epilog=melt.EPILOG)(melt.melt)
app.command(name="simulate", help=simulate.HELP, epilog=simulate.EPILOG)(simulate.simulate)


def run(arguments: list[str]) -> int:
    """Exit code of one command line."""
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
    engine = load_engine()
    if code == ExitCode.INTERRUPTED:
        end_by_interrupt()
    if engine.images_launched() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        if is_left():
            engine.end_job()
        engine.exit_without_finalize(code)


def _run(arguments: list[str]) -> int:
    try:
        code = app(args=arguments, prog_name="makespan", standalone_mode=True)
    except SystemExit as end:
        code = end.code if end.code is not None else ExitCode.OK
    except _InterruptedError:
        return interrupted()
    except OSError as error:  # of help and version, which Typer prints
        say(f"cannot write to stdout: {error.strerror}")
        return ExitCode.RUNTIME_FAILURE
    return code if isinstance(code, int) else ExitCode.RUNTIME_FAILURE
