# SPDX-License-Identifier: Apache-2.0
"""A kind of files with promises about a power failure, and how programs run where a state lies."""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from makespan.cli import main

import makespan
from tests.crash.disk import Tree
from tests.torture import inputs
from tests.torture.fault import expect

OVER = "over"
"""The mark of a program that has ended well."""


@dataclass(frozen=True)
class Subject:
    """One kind of file."""

    name: str
    prepare: Callable[[Path], list[list[str]]]
    """Writes inputs; the words after `python` of runs, the last of which is recorded."""
    look: Callable[[Path, str, Tree], None]
    """Gets a state's folder, the last mark before the failure, and the tree at the end."""


@contextmanager
def in_folder(folder: Path) -> Iterator[None]:
    """There, and with nothing of the user's cache."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        if before is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = before


def called(folder: Path, *words: str) -> tuple[int, str, str]:
    """A command of makespan in this process: status, stdout, stderr."""
    out, err = io.StringIO(), io.StringIO()
    with in_folder(folder), redirect_stdout(out), redirect_stderr(err):
        code = main(list(words))
    return code, out.getvalue(), err.getvalue()


def result_of(folder: Path, *words: str) -> str:
    """The result of a command that prints a document. Raises `Fault` if it does not end well."""
    code, out, err = called(folder, *words)
    expect(code == 0, f"{' '.join(words)}: status {code}: {(err or out)[-300:]}")
    return str(json.loads(out)["run"]["result_hash"])


MARKING = """
import os, sys
marks = os.open(".marks", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def mark(text):
    os.write(marks, f"{text}\\n".encode())
"""
"""Scripts begin with it; what they mark is on the disk by then."""

KNOWN: dict[str, str] = {}
"""Results of runs that nothing happens to, by name."""


def prices_of_book() -> str:
    """The result of `inputs.book(16, 20_000)`."""
    if "prices" not in KNOWN:
        book = io.BytesIO(inputs.book(16, 20_000).encode())
        import polars as pl

        made = makespan.price(pl.read_csv(book), threads=1, memory=False)
        KNOWN["prices"] = made.record["result_hash"]
    return KNOWN["prices"]
