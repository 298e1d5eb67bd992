# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C before and after what a command does is one message, never a traceback or silence."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from makespan.base.errors import ExitCode
from makespan.cli import app as commands
from makespan.cli import main
from makespan.pricing import command as price

import makespan


def run_program(text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *flags, "-c", text],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_before_a_command_has_begun_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def begin(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(price, "PriceCommand", begin)

    code = main(["price", "book.csv"])

    assert code == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "makespan: interrupted; nothing was written\n"


def test_while_libraries_are_loaded_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "run", run)

    assert main(["price", "book.csv"]) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "makespan: interrupted; nothing was written\n"


def test_while_modules_are_loaded_it_is_said_whatever_is_under_way() -> None:
    """In the body of a class an exception would come out as a RuntimeError."""
    program = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "makespan.cli.app":
            class Body:
                class Field:
                    def __set_name__(self, owner, name):
                        os.kill(os.getpid(), signal.SIGINT)
                field = Field()
        return None
sys.meta_path.insert(0, Interrupts())
sys.argv = ["makespan", "price", "book.csv"]
from makespan.cli import main
main()
"""
    ended = run_program(program)
    assert ended.returncode == -signal.SIGINT
    assert ended.stderr == "makespan: interrupted; nothing was written\n"


def test_one_image_says_it_for_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setenv("PMI_RANK", "2")

    assert main(["price", "book.csv"]) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == ""


def test_when_all_is_done_it_ends_the_process_without_a_traceback() -> None:
    program = (
        "import atexit, os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))\n"
        "sys.argv[1:] = ['--version']\n"
        "from makespan.cli import main\n"
        "sys.exit(main())\n"
    )

    ended = run_program(program)

    assert ended.stdout.startswith("makespan ")
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, "")


def test_a_second_one_while_the_first_is_answered_makes_no_traceback() -> None:
    program = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Again:\n"  # makespan.command.exit is loaded to say that the first one came
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'makespan.command.exit': os.kill(os.getpid(), signal.SIGINT)\n"
        "def run(_): raise KeyboardInterrupt\n"
        "import types\n"
        "app = types.ModuleType('makespan.cli.app')\n"
        "app.run = run\n"
        "sys.modules['makespan.cli.app'] = app\n"
        "sys.meta_path.insert(0, Again())\n"
        "from makespan.cli import main\n"
        "sys.exit(main())\n"
    )

    ended = run_program(program)

    assert ended.stderr == "makespan: interrupted; nothing was written\n"
    assert ended.returncode == ExitCode.INTERRUPTED


def test_the_package_alone_is_loaded_at_once() -> None:
    # Before the command hears Ctrl-C: what takes long there ends with a traceback.
    package = Path(makespan.__file__).parent.parent
    program = f"import sys; sys.path.insert(0, {str(package)!r}); import makespan; "
    program += "print('typing' in sys.modules, 're' in sys.modules)"

    ended = run_program(program, "-S")

    assert ended.stdout == "False False\n"


def test_numpy_is_there_before_the_engine_asks_for_it() -> None:
    # nanobind loads it when the first array goes out, and makes a TypeError of a Ctrl-C in there.
    program = (
        "import sys\n"
        "from makespan.base.engine import load_engine\n"
        "load_engine()\n"
        "print('numpy' in sys.modules)\n"
    )

    ended = run_program(program)

    assert ended.stdout == "True\n"
