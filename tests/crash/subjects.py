# SPDX-License-Identifier: Apache-2.0
"""Kinds of files with promises about a power failure: what writes them, and what reads them.

A subject's program is recorded in a folder; each state that a power failure may leave of it is
given to `look`, which opens it with what users would, and raises `Fault` if a promise is broken.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from makespan.base.errors import InputError

import makespan
from tests.crash import outputs
from tests.crash.disk import Tree
from tests.crash.subject import (
    KNOWN,
    MARKING,
    OVER,
    Subject,
    in_folder,
    prices_of_book,
    result_of,
)
from tests.torture import inputs
from tests.torture.fault import Fault, expect
from tests.torture.state_files import check_state_file, checkpoints_of

# --- the journal

_JOURNAL_SCRIPT = (
    MARKING
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
    expect(made.record["result_hash"] == prices_of_book(), "the result is another one")


# --- the journal of a map

_MAP_ITEMS = 30
_MAP_SCRIPT = (
    MARKING
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


# --- checkpoints of grids

_GRID_SCRIPT = (
    MARKING
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
    if name not in KNOWN:
        KNOWN[name] = result_of(folder, name, "in.toml", "--threads", "1", "--json")
    return KNOWN[name]


# --- checkpoints and frames of a melt

MELT_STEPS = 60
_MELT_SCRIPT = (
    MARKING
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
    if "melt" not in KNOWN:
        KNOWN["melt"] = result_of(folder, "melt", "in.toml", "--threads", "1", "--json")
    expect(result == KNOWN["melt"], "the result is another one")


SUBJECTS = {
    one.name: one
    for one in (
        Subject("journal", _journal("0"), _look_at_journal),
        Subject("journal-resumed", _journal("6", "0"), _look_at_journal),
        Subject("map-journal", _map("0"), _look_at_map),
        Subject("map-journal-resumed", _map("10", "0"), _look_at_map),
        *outputs.SUBJECTS,
        Subject("diffuse", _grid("diffuse", inputs.diffuse(60, 20)), _look_at_grid("diffuse")),
        Subject("calcium", _grid("calcium", inputs.calcium(0.015)), _look_at_grid("calcium")),
        Subject("melt", _melt(("0", "-1")), _look_at_melt),
        # The earlier of two checkpoints is gone on from, and the later one is written anew.
        Subject("melt-resumed", _melt(("0", "5"), ("5", "-1")), _look_at_melt),
    )
}


def said(error: BaseException) -> str:
    """A fault's sentence; what else came is a traceback to a user."""
    return str(error) if isinstance(error, Fault) else f"{type(error).__name__}: {error}"
