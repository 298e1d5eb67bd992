# SPDX-License-Identifier: Apache-2.0
"""The fixed part of `make crash-states`: some states of each kind; that lost files are found."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.crash.disk import BLOCK, Change, Disk, File, Folder
from tests.crash.recording import library
from tests.crash.replay import NotCoveredError
from tests.crash.states import State, look_at, recorded, states_of
from tests.crash.subject import OVER, Subject
from tests.crash.subjects import SUBJECTS
from tests.torture.fault import expect

STATES_MAX = 25
needs_recorder = pytest.mark.skipif(library() is None, reason="the recorder is not built here")
# Each state of a spark draws pictures, which takes a second; it is saved as other fields are.
NAMES = [name for name in SUBJECTS if name != "calcium"]
# Their runs say when they are over, which all files are on the disk by.
WITH_END = ("outputs", "diffuse", "melt", "melt-resumed", "views", "scan", "map-record", "machine")


def some(states: list[State], count: int) -> list[State]:
    """Equally far apart, and all after which nothing is to come."""
    before = [one for one in states if one.mark != OVER]
    return before[:: max(1, len(before) // count)] + [one for one in states if one.mark == OVER]


@needs_recorder
@pytest.mark.parametrize("name", NAMES)
def test_no_promise_is_broken(name: str, tmp_path: Path) -> None:
    subject = SUBJECTS[name]
    run = recorded(subject, tmp_path)
    states = list(states_of(run, tmp_path / "run", seed=1, drops=4))

    assert len(states) > 5
    assert any(one.mark == OVER for one in states) == (name in WITH_END)
    broken = [
        look_at(subject, state, run.end, tmp_path / f"state-{number}")
        for number, state in enumerate(some(states, STATES_MAX))
    ]
    assert not [one for one in broken if one]


def writer(text: str) -> Subject:
    """A script that writes `out`, whose content is whole or absent as it says."""

    def prepare(folder: Path) -> list[list[str]]:
        (folder / "run.py").write_text(
            "import os, pathlib\n"
            "def sync(path):\n"
            "    fd = os.open(path, os.O_RDONLY)\n"
            "    os.fsync(fd)\n"
            "    os.close(fd)\n"
            "def mark():\n"
            "    fd = os.open('.marks', os.O_WRONLY | os.O_CREAT)\n"
            f"    os.write(fd, b'{OVER}\\n')\n"
            f"{text}"
        )
        return [["run.py"]]

    def look(folder: Path, mark: str, end: dict[str, bytes | None]) -> None:
        found = (folder / "out").read_bytes() if (folder / "out").exists() else b""
        expect(found in (b"", end["out"]), "out is half written")
        expect(found or mark != OVER, "out is lost")

    return Subject("script", prepare, look)


WRITE = "pathlib.Path('part').write_bytes(b'x' * 10000)\n"
RENAME = "os.rename('part', 'out')\n"
SYNC = "sync('part')\n"
SYNC_FOLDER = "sync('.')\n"
MARK = "mark()\n"


@needs_recorder
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (WRITE + SYNC + RENAME + SYNC_FOLDER + MARK, set()),
        (WRITE + RENAME + SYNC_FOLDER + MARK, {"out is half written", "out is lost"}),
        (WRITE + SYNC + RENAME + MARK, {"out is lost"}),
        (
            "pathlib.Path('out').write_bytes(b'x' * 10000)\n" + MARK,
            {"out is half written", "out is lost"},
        ),
    ],
    ids=["as it should be", "file not synced", "folder not synced", "in place"],
)
def test_a_sync_that_is_missing_is_found(tmp_path: Path, text: str, why: set[str]) -> None:
    subject = writer(text)
    run = recorded(subject, tmp_path)
    states = states_of(run, tmp_path / "run", seed=1, drops=20)

    broken = [look_at(subject, one, run.end, tmp_path / "state") for one in states]

    assert {one.why for one in broken if one} == why


@needs_recorder
def test_writing_by_a_map_is_refused(tmp_path: Path) -> None:
    text = (
        "import mmap\n"
        "file = open('out', 'w+b')\n"
        "file.truncate(4096)\n"
        "mmap.mmap(file.fileno(), 4096)[:1] = b'x'\n"
    )

    with pytest.raises(NotCoveredError, match="out"):
        recorded(writer(text), tmp_path)


def test_blocks_are_lost_one_by_one() -> None:
    file = File(b"a" * (2 * BLOCK), [Change(0, b"b" * (3 * BLOCK))])

    whole = file.newest()
    ages = iter((1, 0, 1, 0))
    mixed = file.content(lambda: next(ages))

    assert whole == b"b" * (3 * BLOCK)
    assert mixed == b"a" * BLOCK + b"b" * BLOCK + b"\0" * BLOCK


def test_a_file_that_was_cut_has_zeros_behind() -> None:
    file = File(b"abcdef", [Change(2, None), Change(4, b"x")])

    assert file.newest() == b"ab\0\0x"
    assert file.durable == b"abcdef"


def test_names_last_from_the_sync_of_their_folder_on() -> None:
    disk = Disk({"kept": b"1", "within": None})
    disk.add("new", File(b"2"))
    disk.rename("new", "within/other")
    disk.remove("kept")

    assert disk.oldest() == {"kept": b"1", "within": None}
    assert disk.newest() == {"within": None, "within/other": b"2"}
    root = disk.find("")
    assert isinstance(root, Folder)
    disk.sync(root)
    assert disk.oldest() == disk.newest()


def test_a_later_name_may_be_there_without_an_earlier_one() -> None:
    disk = Disk({})
    disk.add("first", File())
    disk.add("second", File())
    draws = [disk.any_of_it(Random(number)) for number in range(50)]

    assert {tuple(sorted(tree)) for tree in draws} == {
        (),
        ("first",),
        ("first", "second"),
        ("second",),
    }
