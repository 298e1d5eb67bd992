# SPDX-License-Identifier: Apache-2.0
"""All states of one recorded run, bounded and seeded, each opened by the program that reads it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.crash.disk import Disk, Tree, tree_of, write_tree
from tests.crash.recording import Record, record
from tests.crash.replay import MAPPED, MARKS, NotCoveredError, Replay
from tests.crash.subject import Subject
from tests.crash.subjects import said


@dataclass(frozen=True)
class Recorded:
    """A run, and what was there before it and after it."""

    first: Tree
    records: list[Record]
    end: Tree


@dataclass(frozen=True)
class State:
    """What a power failure may leave."""

    name: str
    """Which one of the run: its operation and how it was chosen."""
    tree: Tree
    mark: str


@dataclass(frozen=True)
class Broken:
    """A state in which a promise does not hold."""

    state: str
    why: str


def recorded(subject: Subject, folder: Path) -> Recorded:
    """Runs it. Raises `NotCoveredError` where the recording does not lead to what is there."""
    arena = folder / "run"
    shutil.rmtree(arena, ignore_errors=True)
    arena.mkdir(parents=True)
    variables = {"XDG_CACHE_HOME": str(arena / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    runs = subject.prepare(arena)
    for words in runs[:-1]:
        record(words, arena, variables, folder / "log")
    (arena / MARKS).unlink(missing_ok=True)
    first = tree_of(arena)
    records = record(runs[-1], arena, variables, folder / "log")
    (arena / MARKS).unlink(missing_ok=True)
    end = tree_of(arena)
    found = Recorded(first, records, end)
    _check(found, arena)
    return found


def _check(found: Recorded, root: Path) -> None:
    replay = Replay(root, found.first)
    for _ in replay.moments(found.records):
        pass
    replayed = replay.disk.newest()
    for path in sorted(found.end.keys() | replayed.keys()):
        differs = found.end.get(path, 0) != replayed.get(path, 0)
        if differs and not path.endswith(MAPPED):
            raise NotCoveredError(f"{path} was written in a way that is not recorded")


def states_of(run: Recorded, root: Path, seed: int, drops: int) -> Iterator[State]:
    """Different ones: after each operation the oldest, the newest, and so many between."""
    seen = set()
    for moment in Replay(root, run.first).moments(run.records):
        for name, tree in _trees(moment.disk, moment.number, seed, drops):
            known = (_digest(tree), moment.mark)
            if known not in seen:
                seen.add(known)
                yield State(f"{moment.number} {name}", tree, moment.mark)


def _trees(disk: Disk, number: int, seed: int, drops: int) -> Iterator[tuple[str, Tree]]:
    yield "newest", disk.newest()
    yield "oldest", disk.oldest()
    for draw in range(drops):
        yield f"draw {draw}", disk.any_of_it(Random(f"{seed} {number} {draw}"))


def _digest(tree: Tree) -> bytes:
    made = hashlib.sha256()
    for path in sorted(tree):
        data = tree[path]
        made.update(f"{path}\0{-1 if data is None else len(data)}\0".encode())
        made.update(data or b"")
    return made.digest()


def look_at(subject: Subject, state: State, end: Tree, folder: Path) -> Broken | None:
    """Opens a state in a folder that is made anew; the folder stays if something is wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    write_tree(state.tree, folder)
    try:
        subject.look(folder, state.mark, end)
    except Exception as error:
        return Broken(state.name, said(error))
    shutil.rmtree(folder)
    return None
