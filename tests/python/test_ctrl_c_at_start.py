# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C before and after what a command does is one message, never a traceback or silence."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from makespan.cli import app as commands
from makespan.cli import main, price
from makespan.errors import ExitCode


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

    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )

    assert ended.stdout.startswith("makespan ")
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, "")


def test_numpy_is_there_before_the_engine_asks_for_it() -> None:
    # nanobind loads it when the first array goes out, and makes a TypeError of a Ctrl-C in there.
    program = (
        "import sys\n"
        "from makespan.engine import load_engine\n"
        "load_engine()\n"
        "print('numpy' in sys.modules)\n"
    )

    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )

    assert ended.stdout == "True\n"
