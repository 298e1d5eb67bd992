# SPDX-License-Identifier: Apache-2.0
"""A journal that lost bits: the right prices or one message; never a wrong one, or a traceback."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import fake_core
import pytest
from damage import COUNTS, damaged
from makespan.base.errors import JournalError
from makespan.cli import main
from makespan.files.journal_request import JournalRequest
from makespan.job.progress import Progress
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Outcome
from makespan.pricing.run import run_book
from small_books import checked, plain_book

BOOK = checked(plain_book(40))


def run(journal: Path, *, resume: bool) -> Outcome:
    return run_book(fake_core, BOOK, Settings(), JournalRequest(journal, resume))


def bits(outcome: Outcome) -> dict[str, bytes]:
    return {name: column.astype("<f8").tobytes() for name, column in outcome.columns.items()}


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a run that ended."""
    folder = tmp_path_factory.mktemp("closed")
    run(folder / "run.db", resume=False)
    return folder


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of one that was killed: what it committed is in the write-ahead log."""
    folder = tmp_path_factory.mktemp("killed")
    live = tmp_path_factory.mktemp("live")

    def copy(progress: Progress) -> None:
        if progress.done:
            for file in live.iterdir():
                shutil.copy(file, folder)

    request = JournalRequest(live / "run.db")
    run_book(fake_core, BOOK, Settings(), request, progress=copy)
    return folder


def resumed(journal: Path) -> tuple[Outcome | None, str]:
    """What came of it, or why it was refused."""
    try:
        return run(journal, resume=True), ""
    except JournalError as error:
        return None, str(error)


def check(folder: Path, name: str, tmp_path: Path, count: int) -> list[str]:
    """Damages one file of a journal again and again; how the runs that went on from it ended."""
    right = bits(run_book(fake_core, BOOK, Settings()))
    data = (folder / name).read_bytes()
    ends = []
    for what, left in damaged(data, count):
        shutil.rmtree(tmp_path)
        shutil.copytree(folder, tmp_path)
        (tmp_path / name).write_bytes(left)
        outcome, said = resumed(tmp_path / "run.db")
        if outcome is None:
            assert str(tmp_path / "run.db") in said, what
            assert "\n" not in said, what
            ends.append("refused")
            continue
        assert bits(outcome) == right, what
        ends.append("priced" if outcome.from_journal < len(BOOK.valid_ids) else "restored")
    return ends


@COUNTS
def test_a_flipped_bit_or_a_lost_end_gives_no_wrong_price(
    closed: Path, tmp_path: Path, count: int
) -> None:
    assert {"refused", "priced", "restored"} == set(check(closed, "run.db", tmp_path, count))


@COUNTS
def test_nor_does_one_in_the_log_of_a_killed_run(killed: Path, tmp_path: Path, count: int) -> None:
    assert "priced" in check(killed, "run.db-wal", tmp_path, count)


def change(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement, values)
    connection.close()


def first_result(path: Path) -> bytes:
    with sqlite3.connect(path) as connection:
        found: bytes = connection.execute("select min(result) from finished").fetchone()[0]
    connection.close()
    return found


def test_a_row_that_is_not_as_written_is_priced_again_and_told(
    closed: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(closed / "run.db", tmp_path))
    before = first_result(path)
    change(path, "update finished set result = zeroblob(length(result)) where result = ?", before)

    outcome = run(path, resume=True)

    assert outcome.from_journal == 39
    assert outcome.journal_problem is not None
    assert f"a row of journal {path} did not hold what was written" in outcome.journal_problem
    assert bits(outcome) == bits(run_book(fake_core, BOOK, Settings()))
    assert first_result(path) == before
    again = run(path, resume=True)
    assert (again.from_journal, again.journal_problem) == (40, None)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("update header set value = '8' where name = 'seed'", "entry 'seed' of its header"),
        ("update header set name = 'sead' where name = 'seed'", "entry 'sead' of its header"),
        ("delete from header where name = 'seed'", "entries of its header are gone"),
        ("delete from header where name = 'columns'", "what its columns are called is gone"),
        ("update header set value = x'ff' where name = 'seed'", "entry 'seed' of its header"),
        ("drop table finished", "no such table"),
    ],
)
def test_a_header_that_is_not_as_written_is_refused(
    closed: Path, tmp_path: Path, statement: str, text: str
) -> None:
    path = Path(shutil.copy(closed / "run.db", tmp_path))
    change(path, statement)

    with pytest.raises(JournalError) as caught:
        run(path, resume=True)

    assert text in str(caught.value)
    assert "run again with checkpoint" in str(caught.value)


@pytest.mark.parametrize("value", [7, "text", b"\0", 4503599627370496, 0.5])
def test_values_of_other_kinds_are_priced_again(
    closed: Path, tmp_path: Path, value: object
) -> None:
    path = Path(shutil.copy(closed / "run.db", tmp_path))
    change(path, "update finished set result = ?1, id = ?1", value)

    assert bits(run(path, resume=True)) == bits(run_book(fake_core, BOOK, Settings()))


@pytest.mark.usefixtures("fake_engine")
def test_the_command_says_it_and_prices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain_book(9).write_csv(tmp_path / "book.csv")
    journal = tmp_path / "run.db"
    command = ["price", str(tmp_path / "book.csv"), "-q"]
    assert main([*command, "--checkpoint", str(journal)]) == 0
    whole = (tmp_path / "prices.csv").read_bytes()
    change(journal, "update finished set result = zeroblob(length(result))")

    assert main([*command, "--restart-from", str(journal)]) == 0

    assert "makespan: warning: 9 rows of journal" in capsys.readouterr().err
    assert (tmp_path / "prices.csv").read_bytes() == whole
