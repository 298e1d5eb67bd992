# SPDX-License-Identifier: Apache-2.0
"""The journal keeps exact bits, survives kill -9, and refuses what does not belong to it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_core
import numpy as np
import polars as pl
import pytest
from makespan.base.errors import Interrupted, JournalError
from makespan.base.setting_names import by_flags
from makespan.files.journal_request import JournalRequest
from makespan.job.progress import Progress
from makespan.pricing.input import Settings
from makespan.pricing.journal import Journal
from makespan.pricing.outcome import Outcome
from makespan.pricing.run import run_book
from small_books import checked, plain_book

from tests.torture.journal_rows import rows_in, wait_for_rows

HEADER = {"makespan": "0", "seed": 7, "greeks": False, "paths": None, "input_hash": "abc"}
KEYS = np.array([1, 2**64 - 1], dtype=np.uint64)
CONTRACTS = [b"x" * 16, b"y" * 16]
FAKE_CLI = Path(__file__).with_name("fake_cli.py")


def odd_columns() -> dict[str, np.ndarray]:
    """Values that SQLite's own numbers would not keep: -0.0, NaN, all 64 bits."""
    return {
        "status": np.array([0, 2], dtype=np.int8),
        "price": np.array([-0.0, 0.1 + 0.2]),
        "control_beta": np.array([np.nan, 5e-324]),
        "paths_used": np.array([2**62 + 1, -1], dtype=np.int64),
    }


def test_results_come_back_bit_for_bit(tmp_path: Path) -> None:
    written = odd_columns()
    with Journal.open(tmp_path / "run.db", HEADER, resume=False) as journal:
        journal.commit(KEYS, CONTRACTS, ["a", "b"], written)

    with Journal.open(tmp_path / "run.db", HEADER, resume=True) as journal:
        rows, read = journal.finished(KEYS[::-1], CONTRACTS[::-1])

    assert sorted(rows.tolist()) == [0, 1]
    for name, column in written.items():
        back = read[name][np.argsort(rows)][::-1].astype(column.dtype)
        assert back.tobytes() == column.tobytes()


def test_a_row_with_another_contract_is_not_found(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "run.db", HEADER, resume=False) as journal:
        journal.commit(KEYS, CONTRACTS, ["a", "b"], odd_columns())

        rows, _ = journal.finished(KEYS, [CONTRACTS[0], b"z" * 16])

    assert rows.tolist() == [0]


def test_one_of_another_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Method: this makespan takes itself for the next one."""
    path = tmp_path / "run.db"
    with Journal.open(path, HEADER, resume=False) as journal:
        journal.commit(KEYS, CONTRACTS, ["a", "b"], odd_columns())
    now = Journal.KIND.format
    monkeypatch.setattr(Journal, "KIND", replace(Journal.KIND, format=now + 1))

    text = f"has format {now}, this makespan writes {now + 1}; name another file"
    with pytest.raises(JournalError, match=text):
        Journal.open(path, HEADER, resume=True)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"seed": 8}, "belongs to a run with other settings: seed (journal 7, now 8); use the"),
        (
            {"greeks": True, "paths": 64},
            "greeks (journal off, now on), paths (journal unset, now 64)",
        ),
        ({"input_hash": "def"}, "belongs to another book; name another file"),
        ({"input_hash": "def", "seed": 8}, "other settings: seed (journal 7, now 8)"),
        ({"makespan": "1"}, "makespan (journal 0, now 1)"),
    ],
)
def test_another_run_is_told_what_differs(
    tmp_path: Path, changes: dict[str, Any], text: str
) -> None:
    Journal.open(tmp_path / "run.db", HEADER, resume=False).close()

    with pytest.raises(JournalError) as caught:
        Journal.open(tmp_path / "run.db", {**HEADER, **changes}, resume=True)

    assert text in str(caught.value)


def test_a_journal_without_results_is_of_any_run(tmp_path: Path) -> None:
    """One of a run that ended before its first option."""
    other = {**HEADER, "seed": 8, "input_hash": "def"}
    Journal.open(tmp_path / "run.db", HEADER, resume=False).close()

    with Journal.open(tmp_path / "run.db", other, resume=False) as journal:
        journal.commit(KEYS, CONTRACTS, ["a", "b"], odd_columns())

    with Journal.open(tmp_path / "run.db", other, resume=True) as journal:
        assert len(journal.finished(KEYS, CONTRACTS)[0]) == 2
    with pytest.raises(JournalError, match=r"seed \(journal 8, now 7\)"):
        Journal.open(tmp_path / "run.db", HEADER, resume=True)


@pytest.mark.parametrize(("told", "flag"), [(nullcontext, "restart_from"), (by_flags, "--restart")])
def test_content_is_never_overwritten_without_resume(tmp_path: Path, told: Any, flag: str) -> None:
    with Journal.open(tmp_path / "run.db", HEADER, resume=False) as journal:
        journal.commit(KEYS, CONTRACTS, ["a", "b"], odd_columns())

    with (
        told(),
        pytest.raises(JournalError, match=f"already holds 2 finished options; {flag}"),
    ):
        Journal.open(tmp_path / "run.db", HEADER, resume=False)


@pytest.mark.parametrize(("told", "flag"), [(nullcontext, "check"), (by_flags, "--check")])
def test_resume_needs_a_journal(tmp_path: Path, told: Any, flag: str) -> None:
    with (
        told(),
        pytest.raises(JournalError, match=f"does not exist: to begin one give {flag}point"),
    ):
        Journal.open(tmp_path / "run.db", HEADER, resume=True)


@pytest.mark.parametrize(("told", "flag"), [(nullcontext, "check"), (by_flags, "--check")])
def test_what_is_no_journal_can_be_begun_anew(tmp_path: Path, told: Any, flag: str) -> None:
    (tmp_path / "run.db").write_bytes(b"no database at all" * 100)

    with told(), pytest.raises(JournalError, match=f"remove it, and run again with {flag}point"):
        Journal.open(tmp_path / "run.db", HEADER, resume=True)


def test_another_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table customers (name text)")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(JournalError, match="is a database but no journal of options; name another"):
        Journal.open(path, HEADER, resume=True)

    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    path.write_text("id,option_type\n" * 100)

    with pytest.raises(JournalError, match="is no journal"):
        Journal.open(path, HEADER, resume=True)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no/run.db", "folder .*no does not exist; create it"),
        (".", "it is a folder; name a file in it"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(JournalError, match=f"cannot write journal .*: {why}"):
        Journal.open(tmp_path / name, HEADER, resume=False)


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    code = (
        "import sys; from pathlib import Path; from makespan.pricing.journal import Journal\n"
        f"Journal.open(Path({str(path)!r}), {HEADER!r}, resume=True)"
    )
    with Journal.open(path, HEADER, resume=False):
        other = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )

    assert f"journal {path} is in use by another process" in other.stderr


def run(journal: Path | None, *, resume: bool = False, rows: int = 9, **settings: Any) -> Outcome:
    request = None if journal is None else JournalRequest(journal, resume)
    return run_book(fake_core, checked(plain_book(rows)), Settings(**settings), request)


@pytest.mark.parametrize("git", ["unknown", "0000000-dirty"])
def test_a_build_without_a_commit_of_its_own_is_told_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git: str
) -> None:
    extension = tmp_path / "core.so"
    extension.write_bytes(b"one build")
    monkeypatch.setattr(fake_core, "__file__", str(extension))
    monkeypatch.setattr(fake_core, "build_info", lambda: {"git": git})
    run(tmp_path / "run.db")

    assert run(tmp_path / "run.db", resume=True).from_journal == 9
    extension.write_bytes(b"another")
    with pytest.raises(JournalError, match=r"makespan \(journal 0\.0\.test"):
        run(tmp_path / "run.db", resume=True)


def same_bits(left: Outcome, right: Outcome) -> bool:
    return {n: c.tobytes() for n, c in left.columns.items()} == {
        n: c.astype(left.columns[n].dtype).tobytes() for n, c in right.columns.items()
    }


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options take 30 ms each."""
    monkeypatch.setattr(fake_core, "DELAY_S", 0.03)


def test_an_interrupted_run_goes_on_to_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Method: 12 s of options, so that a busy machine has time to interrupt them."""
    journal = tmp_path / "run.db"
    book = checked(plain_book(400))

    def interrupt(progress: Progress) -> None:
        if progress.done >= 5:
            os.kill(os.getpid(), signal.SIGINT)

    start = time.perf_counter()
    with monkeypatch.context() as slow:
        slow.setattr(fake_core, "DELAY_S", 0.03)
        with pytest.raises(Interrupted) as caught:
            run_book(fake_core, book, Settings(), JournalRequest(journal), progress=interrupt)

    assert time.perf_counter() - start < 10.0
    assert 5 <= caught.value.done < 400
    resumed = run(journal, resume=True, rows=400)
    assert resumed.from_journal == caught.value.done
    assert same_bits(resumed, run(None, rows=400))


@pytest.mark.usefixtures("slow")
def test_a_finished_option_is_on_disk_before_it_is_reported(tmp_path: Path) -> None:
    """Method: at each report, a copy of the files as they are must hold what was reported."""
    journal = tmp_path / "run.db"
    seen = []

    def compare(progress: Progress) -> None:
        copy = tmp_path / f"copy{len(seen)}"
        copy.mkdir()
        for file in tmp_path.glob("run.db*"):
            shutil.copy(file, copy)
        with sqlite3.connect(copy / "run.db") as connection:
            kept = connection.execute("select count(*) from finished").fetchone()[0]
        connection.close()
        seen.append((kept, progress.done))

    run_book(
        fake_core, checked(plain_book(12)), Settings(), JournalRequest(journal), progress=compare
    )

    assert len(seen) > 2
    assert all(kept >= reported for kept, reported in seen)


def test_resuming_a_finished_run_starts_no_engine(tmp_path: Path) -> None:
    first = run(tmp_path / "run.db", greeks=True)

    again = run(tmp_path / "run.db", resume=True, greeks=True)

    assert (again.from_journal, dict(again.summary)) == (9, {})
    assert same_bits(again, first)


def test_a_journal_is_closed_by_what_keeps_a_run_from_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.db"

    def refuse(*_: object) -> list[bytes]:
        raise MemoryError

    with monkeypatch.context() as without:
        without.setattr("makespan.pricing.run.contract_hashes", refuse)
        with pytest.raises(MemoryError) as caught:
            run(path)

    assert caught.tb is not None  # which holds what was not closed
    run(path)


def test_a_whole_number_is_the_same_as_a_float(tmp_path: Path) -> None:
    run(tmp_path / "run.db", std_error=1.0)

    assert run(tmp_path / "run.db", resume=True, std_error=1).from_journal == 9


@pytest.mark.parametrize("rows", [0, 1, 15, 50])
def test_kill_9_at_any_moment_loses_nothing_that_was_committed(tmp_path: Path, rows: int) -> None:
    """Goal: kill -9, resume, equal result. Method: the fake engine at 20 ms an option, and a kill
    when so many are known to be on disk: a busy machine is slow to begin.
    """
    plain_book(1000).write_csv(tmp_path / "book.csv")
    command = [sys.executable, str(FAKE_CLI), "price", str(tmp_path / "book.csv"), "-q"]
    journal = ["--checkpoint", str(tmp_path / "run.db")]
    slow = {**os.environ, "FAKE_CORE_DELAY_S": "0.02"}
    process = subprocess.Popen([*command, *journal], env=slow)
    seen = wait_for_rows(tmp_path / "run.db", rows, lambda: process.poll() is not None)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert not (tmp_path / "prices.csv").exists()

    kept = rows_in(tmp_path / "run.db")
    assert rows <= seen <= kept < 1000
    journal[0] = "--restart-from"
    subprocess.run([*command, *journal], check=True)
    record = json.loads((tmp_path / "prices.record.json").read_text())
    assert record["options"]["from_journal"] == kept
    resumed = pl.read_csv(tmp_path / "prices.csv")
    subprocess.run([*command, "-o", str(tmp_path / "quiet.csv")], check=True)

    assert resumed.equals(pl.read_csv(tmp_path / "quiet.csv"))
