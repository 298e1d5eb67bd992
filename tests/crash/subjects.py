# SPDX-License-Identifier: Apache-2.0
"""Kinds of files with promises about a power failure: what writes them, and what reads them.

A subject's program is recorded in a folder; each state that a power failure may leave of it is
given to `look`, which opens it with what users would, and raises `Fault` if a promise is broken.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError
from makespan.cli import main

import makespan
from tests.crash.disk import Tree
from tests.torture import inputs
from tests.torture.fault import Fault, expect
from tests.torture.state_files import check_state_file, checkpoints_of

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


# --- the journal

_MARKING = """
import os, sys
marks = os.open(".marks", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def mark(text):
    os.write(marks, f"{text}\\n".encode())
"""
_JOURNAL_SCRIPT = (
    _MARKING
    + """
import makespan, makespan.pricing.run
makespan.pricing.run.WAIT_S = 0.002  # more commits
stop_at = int(sys.argv[1])
def progress(told):
    if stop_at and told.done >= stop_at:
        os._exit(0)
    mark(told.done)
kept = "restart_from" if os.path.exists("book.journal") else "checkpoint"
makespan.price("book.csv", threads=1, on_progress=progress, **{kept: "book.journal"})
"""
)


def _journal(*runs: str) -> Callable[[Path], list[list[str]]]:
    def prepare(folder: Path) -> list[list[str]]:
        (folder / "book.csv").write_text(inputs.book(16, 20_000))
        (folder / "price.py").write_text(_JOURNAL_SCRIPT)
        return [["price.py", stop_at] for stop_at in runs]

    return prepare


def _look_at_journal(folder: Path, mark: str, _end: Tree) -> None:
    promised = int(mark or 0)
    kept_by = "restart_from" if (folder / "book.journal").exists() else "checkpoint"
    try:
        with in_folder(folder), warnings.catch_warnings(action="ignore"):
            journal: dict[str, Any] = {kept_by: "book.journal"}
            made = makespan.price("book.csv", threads=1, **journal)
    except InputError as error:
        expect(not promised, f"{promised} options were in the journal, and now: {error}")
        return
    kept = made.record["options"]["from_journal"]
    expect(kept >= promised, f"{promised} options were in the journal, {kept} are")
    expect(made.record["result_hash"] == _prices_of_book(), "the result is another one")


_known: dict[str, str] = {}


def _prices_of_book() -> str:
    if "prices" not in _known:
        book = io.BytesIO(inputs.book(16, 20_000).encode())
        import polars as pl

        made = makespan.price(pl.read_csv(book), threads=1, memory=False)
        _known["prices"] = made.record["result_hash"]
    return _known["prices"]


# --- the journal of a map

_MAP_ITEMS = 30
_MAP_SCRIPT = (
    _MARKING
    + f"""
import makespan, makespan.tasks.run, time
makespan.tasks.run.WAIT_S = 0.002  # more commits
stop_at = int(sys.argv[1])
def square(item):
    time.sleep(0.001)
    return item * item
def progress(told):
    if stop_at and told.done >= stop_at:
        os._exit(0)
    mark(told.done)
kept = "restart_from" if os.path.exists("map.journal") else "checkpoint"
kept = {{kept: "map.journal"}}
makespan.map(square, range({_MAP_ITEMS}), threads=1, on_progress=progress, **kept)
"""
)


def _map(*runs: str) -> Callable[[Path], list[list[str]]]:
    def prepare(folder: Path) -> list[list[str]]:
        (folder / "map.py").write_text(_MAP_SCRIPT)
        return [["map.py", stop_at] for stop_at in runs]

    return prepare


def _look_at_map(folder: Path, mark: str, _end: Tree) -> None:
    """Method: the function by its name, which says what it is asked for."""
    promised = int(mark or 0)
    path, ran = folder / "map.journal", []

    def square(item: int) -> int:
        ran.append(item)
        return item * item

    square.__module__, square.__qualname__ = "__main__", "square"
    kept: dict[str, Any] = {"restart_from" if path.exists() else "checkpoint": path}
    try:
        with warnings.catch_warnings(action="ignore"):
            found = makespan.map(square, range(_MAP_ITEMS), threads=1, **kept)
    except InputError as error:
        expect(not promised, f"{promised} items were in the journal, and now: {error}")
        return
    held = _MAP_ITEMS - len(ran)
    expect(held >= promised, f"{promised} items were in the journal, {held} are")
    expect(found == [item * item for item in range(_MAP_ITEMS)], "the result is another one")


# --- files that are written in the end

_OUTPUTS = ("out.csv", "out.record.json", "out.trace.json", "out.html")
_OUTPUTS_SCRIPT = (
    _MARKING
    + f"""
from makespan.cli import main
code = main(["price", "book.csv", "--threads", "1", "-q", "-o", "out.csv", "--trace",
             "out.trace.json", "--report", "out.html"])
mark("{OVER}")
sys.exit(code)
"""
)
_EARLIER = "of an earlier run\n" * 1000
_EARLIER_FILES = {
    "out.csv": _EARLIER,
    "out.record.json": json.dumps({"output": "out.csv", "written": _EARLIER}),
    "out.trace.json": _EARLIER,
}
"""Of these prices: a record of others is not replaced."""


def _prepare_outputs(folder: Path) -> list[list[str]]:
    (folder / "book.csv").write_text(inputs.book(60, 2_000))
    (folder / "price.py").write_text(_OUTPUTS_SCRIPT)
    for name, text in _EARLIER_FILES.items():
        (folder / name).write_text(text)
    return [["price.py"]]


def _look_at_outputs(folder: Path, mark: str, end: Tree) -> None:
    for name in _OUTPUTS:
        path = folder / name
        found = path.read_bytes() if path.exists() else b""
        earlier = _EARLIER_FILES.get(name, "").encode()
        expect(found in (earlier, end[name]), f"{name} is half written")
        expect(mark != OVER or found == end[name], f"{name} was said to be written, and is not")


# --- checkpoints of grids

_GRID_SCRIPT = (
    _MARKING
    + f"""
from makespan.cli import main
from makespan.grids.saving import Saving
sound = Saving.checkpoint
def checkpoint(self, folder, step, state):
    sound(self, folder, step, state)
    mark(step)
Saving.checkpoint = checkpoint
code = main([sys.argv[1], "in.toml", "--threads", "1", "--json", "--output", "out",
             "--checkpoint", "saved"])
mark("{OVER}")
sys.exit(code)
"""
)


def _grid(name: str, text: str) -> Callable[[Path], list[list[str]]]:
    def prepare(folder: Path) -> list[list[str]]:
        (folder / "in.toml").write_text(text)
        (folder / "grid.py").write_text(_GRID_SCRIPT)
        return [["grid.py", name]]

    return prepare


def _look_at_grid(name: str) -> Callable[[Path, str, Tree], None]:
    def look(folder: Path, mark: str, end: Tree) -> None:
        saved = checkpoints_of(folder / "saved", "step-", ".vtkhdf")
        for path in saved:
            check_state_file(path)
        steps = [int(path.stem.removeprefix("step-")) for path in saved]
        if mark == OVER:
            _expect_same_tables(folder, end)
            mark = str(
                max(int(path.split("-")[1].split(".")[0]) for path in end if "step-" in path)
            )
        if mark:
            expect(max(steps, default=-1) >= int(mark), f"step {mark} was saved; there are {steps}")
        words = ["--threads", "1", "--json", "--output", "out", "--checkpoint", "saved"]
        if saved:
            words += ["--restart-from", f"saved/{saved[-1].name}"]
        elif (folder / "out" / "table.csv").exists():
            words[4] = "out-again"
        found = result_of(folder, name, "in.toml", *words)
        expect(found == _result_of_grid(name, folder), "the result is another one")
        if words[4] == "out":
            _expect_same_tables(folder, end)

    return look


def _expect_same_tables(folder: Path, end: Tree) -> None:
    for path, data in end.items():
        if path.startswith("out/") and path.endswith(".csv"):
            expect((folder / path).exists(), f"{path} is missing")
            expect((folder / path).read_bytes() == data, f"{path} is another one")


def _result_of_grid(name: str, folder: Path) -> str:
    if name not in _known:
        _known[name] = result_of(folder, name, "in.toml", "--threads", "1", "--json")
    return _known[name]


# --- checkpoints and frames of a melt

MELT_STEPS = 60
_MELT_SCRIPT = (
    _MARKING
    + f"""
from makespan.cli import main
from makespan.melting.run import _Watch
begin, end = int(sys.argv[1]), int(sys.argv[2])
sound, over = _Watch.phase, begin
def phase(self, steps):
    # The checkpoint of the phase before is complete; that of this one may come yet.
    global over
    if over == end:
        os._exit(0)
    if over:
        mark(over)
    over += 1
    return sound(self, steps)
_Watch.phase = phase
others = ["--restart-from", f"saved/phase-{{begin}}"] if begin else ["-o", "atoms.xyz"]
code = main(["melt", "in.toml", "--threads", "2", "--json", "--checkpoint", "saved", *others])
mark("{OVER}")
sys.exit(code)
"""
)


def _melt(*runs: tuple[str, str]) -> Callable[[Path], list[list[str]]]:
    """Each from a phase (0: the beginning) to one where it is killed (-1: none)."""

    def prepare(folder: Path) -> list[list[str]]:
        (folder / "in.toml").write_text(inputs.melt(MELT_STEPS))
        (folder / "melt.py").write_text(_MELT_SCRIPT)
        return [["melt.py", *one] for one in runs]

    return prepare


def _look_at_frames(folder: Path, mark: str, end: Tree) -> None:
    frames = folder / "atoms.xyz"
    found = frames.read_bytes() if frames.exists() else b""
    expect(found in (b"", end["atoms.xyz"]), "atoms.xyz is half written")
    expect(found or mark != OVER, "atoms.xyz was said to be written, and is not")


def _look_at_melt(folder: Path, mark: str, end: Tree) -> None:
    if "atoms.xyz" in end:
        _look_at_frames(folder, mark, end)
    saved = checkpoints_of(folder / "saved", "phase-", "")
    promised = int(mark) if mark.isdecimal() else MELT_STEPS // 10 + 1 if mark else 0
    newest = max((int(path.name.removeprefix("phase-")) for path in saved), default=0)
    expect(newest >= promised, f"phase {promised} was saved, the newest one is {newest}")
    going_on = [path for path in saved if not path.name.endswith(f"-{MELT_STEPS // 10 + 1}")]
    words = ["--restart-from", f"saved/{going_on[-1].name}"] if going_on else []
    result = result_of(folder, "melt", "in.toml", "--threads", "1", "--json", *words)
    if "melt" not in _known:
        _known["melt"] = result_of(folder, "melt", "in.toml", "--threads", "1", "--json")
    expect(result == _known["melt"], "the result is another one")


# --- speeds

_SPEEDS_SCRIPT = """
import makespan
makespan.price("book.csv", threads=1)
"""


def _prepare_speeds(folder: Path) -> list[list[str]]:
    (folder / "book.csv").write_text(inputs.book(16, 1_000_000))
    (folder / "price.py").write_text(_SPEEDS_SCRIPT)
    return [["price.py"], ["price.py"]]


def _look_at_speeds(folder: Path, _mark: str, end: Tree) -> None:
    expect(any("speeds/" in path for path in end), "the run has left no speeds")
    (folder / "book.csv").write_text(inputs.book(16, 20_000))
    with in_folder(folder), warnings.catch_warnings(action="ignore"):
        made = makespan.price("book.csv", threads=1)
    expect(made.record["result_hash"] == _prices_of_book(), "the result is another one")


SUBJECTS = {
    one.name: one
    for one in (
        Subject("journal", _journal("0"), _look_at_journal),
        Subject("journal-resumed", _journal("6", "0"), _look_at_journal),
        Subject("map-journal", _map("0"), _look_at_map),
        Subject("map-journal-resumed", _map("10", "0"), _look_at_map),
        Subject("outputs", _prepare_outputs, _look_at_outputs),
        Subject("diffuse", _grid("diffuse", inputs.diffuse(60, 20)), _look_at_grid("diffuse")),
        Subject("calcium", _grid("calcium", inputs.calcium(0.015)), _look_at_grid("calcium")),
        Subject("melt", _melt(("0", "-1")), _look_at_melt),
        # The earlier of two checkpoints is gone on from, and the later one is written anew.
        Subject("melt-resumed", _melt(("0", "5"), ("5", "-1")), _look_at_melt),
        Subject("speeds", _prepare_speeds, _look_at_speeds),
    )
}


def said(error: BaseException) -> str:
    """A fault's sentence; what else came is a traceback to a user."""
    return str(error) if isinstance(error, Fault) else f"{type(error).__name__}: {error}"
