# SPDX-License-Identifier: Apache-2.0
"""The run journal: one SQLite row for each finished option, on disk before it is reported.

Write-ahead log with `synchronous=FULL`: a committed batch survives `kill -9` of this process, and
a power failure too where the disk honours fsync. Results are stored as the exact 64-bit words that
the engine gave (SQLite's own REAL turns NaN into NULL and -0.0 into 0), so a resumed run has the
bits of an undisturbed one. Every row has a digest: one that does not agree is priced again, and a
header or a database that is damaged is refused. One process at a time: the file is locked
exclusively while it is open, and the lock ends with the process, however it ends.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from makespan.base.errors import JournalError
from makespan.base.setting_names import called
from makespan.pricing.journal_rows import (
    Columns,
    columns_of,
    entry_digest,
    is_sound,
    result_digest,
    results_of,
)

FORMAT = 3
APPLICATION_ID = 0x4D4B5350  # "MKSP" in SQLite's header: tells our journals from other databases

_LOCK_WAIT_S = 0.5
_PRAGMAS = (
    "pragma locking_mode = exclusive",
    "pragma journal_mode = wal",
    "pragma synchronous = full",
)
_SCHEMA = f"""
pragma application_id = {APPLICATION_ID};
create table header (
  name text primary key,
  value text not null,          -- JSON
  digest blob not null          -- of both: journal_rows.entry_digest
) without rowid;
create table finished (
  option_key integer not null,  -- the engine's 64-bit key, as a signed number
  contract blob not null,       -- hash of the row and of the settings that change its bits
  id text not null,             -- for people
  price real,                   -- for people; the exact value is in result
  result blob not null,         -- one little-endian 64-bit word for each of header.columns
  digest blob not null,         -- of key, contract and result: journal_rows.result_digest
  primary key (option_key, contract)
) without rowid;
"""

_DAMAGED_CODES = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT)


class Journal:
    """An open journal of one book under one set of settings."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._columns: list[tuple[str, str]] = []
        self.damaged = 0
        """Rows that `finished` left out, since they are not as they were written."""

    @classmethod
    def open(cls, path: Path, header: Mapping[str, Any], *, resume: bool) -> Journal:
        """Creates the journal, or with `resume` opens the one of an earlier run.

        Raises `JournalError` when the file is no journal, is in use, belongs to another book or
        other settings, or has content although `resume` was not asked for.
        """
        if resume and not path.exists():
            raise JournalError(
                f"journal {path} does not exist: to begin one give {called('checkpoint')} {path}"
            )
        journal = cls(path, _connect(path))
        try:
            with _translating(path):
                journal._check_or_write(header, resume=resume)
        except BaseException:
            journal.close()
            raise
        return journal

    def _check_or_write(self, header: Mapping[str, Any], *, resume: bool) -> None:
        cursor = self._connection
        is_new = self._check_is_ours()
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
        if is_new:
            cursor.executescript(f"begin immediate; {_SCHEMA}")
            for name, value in {"format": FORMAT, **header}.items():
                self._note(name, value)
            cursor.execute("commit")
            return
        cursor.execute("begin immediate")
        self._check_pages()
        count = cursor.execute("select count(*) from finished").fetchone()[0]
        if count and not resume:
            raise JournalError(
                f"journal {self.path} already holds {count} finished options; "
                f"{called('restart_from')} {self.path} goes on with it, or name another file"
            )
        self._check_header(header, is_anew=not count and not resume)
        cursor.execute("commit")

    def _note(self, name: str, value: Any) -> None:
        """Writes an entry of the header."""
        text = json.dumps(value)
        entry = (name, text, entry_digest(name, text))
        self._connection.execute("insert into header values (?, ?, ?)", entry)

    def _check_is_ours(self) -> bool:
        """True for an empty file; looks before anything is written to another program's file."""
        read = self._connection.execute
        is_ours = read("pragma application_id").fetchone()[0] == APPLICATION_ID
        if read("select count(*) from sqlite_master").fetchone()[0] == 0:
            if is_ours:  # who we are is written together with the tables
                raise _damaged(self.path, "its tables are gone")
            return True
        if not is_ours:
            raise JournalError(f"{self.path} is a database but no journal; name another file")
        return False

    def _check_pages(self) -> None:
        """SQLite's own look at everything, which takes less time than to read it."""
        found = self._connection.execute("pragma quick_check(1)").fetchone()[0]
        if found != "ok":
            raise _damaged(self.path, str(found).partition("\n")[0])

    def _check_header(self, header: Mapping[str, Any], *, is_anew: bool) -> None:
        """`is_anew`: the run that made it ended before its first option; another may be any."""
        stored = self._stored_header()
        if stored.get("format") != FORMAT:
            raise JournalError(
                f"journal {self.path} has format {stored.get('format')}, this makespan writes "
                f"{FORMAT}; name another file"
            )
        if not header.keys() <= stored.keys():
            raise _damaged(self.path, "entries of its header are gone")
        self._columns = [(name, kind) for name, kind in stored.get("columns", [])]
        differing = [name for name in header if stored.get(name) != header[name]]
        if differing and not is_anew:
            raise JournalError(self._difference(differing, stored, header))
        for name in differing:
            self._connection.execute("delete from header where name = ?", (name,))
            self._note(name, header[name])

    def _stored_header(self) -> dict[str, Any]:
        names = [row[1] for row in self._connection.execute("pragma table_info(header)")]
        if "digest" not in names:  # of an older makespan: its format is all that matters
            text = "select name, value from header where name = 'format'"
            return {name: json.loads(value) for name, value in self._connection.execute(text)}
        stored = {}
        for name, value, digest in self._connection.execute("select * from header"):
            has_types = isinstance(name, str) and isinstance(value, str)
            if not has_types or digest != entry_digest(name, value):
                raise _damaged(self.path, f"entry {name!r} of its header is not as written")
            stored[name] = json.loads(value)
        return stored

    def _difference(
        self, names: Sequence[str], stored: Mapping[str, Any], header: Mapping[str, Any]
    ) -> str:
        settings = [name for name in names if name != "input_hash"]
        if not settings:
            return f"journal {self.path} belongs to another book; name another file"
        texts = [
            f"{name} (journal {_said(stored.get(name))}, now {_said(header[name])})"
            for name in settings
        ]
        return (
            f"journal {self.path} belongs to a run with other settings: {', '.join(texts)}; "
            "use the same settings, or name another file"
        )

    def commit(
        self, keys: NDArray[np.uint64], contracts: Sequence[bytes], ids: Sequence[str], out: Columns
    ) -> None:
        """Makes these finished options durable; returns when they are on disk."""
        if not len(keys):
            return
        columns = [(name, str(column.dtype.kind)) for name, column in out.items()]
        rows = [
            (key, contract, id_, price, result, result_digest(key, contract, result))
            for key, contract, id_, price, result in zip(
                keys.astype(np.int64).tolist(),
                contracts,
                ids,
                out["price"].tolist(),
                results_of(out),
                strict=True,
            )
        ]
        try:
            with _translating(self.path):
                self._connection.execute("begin immediate")
                self._remember_columns(columns)
                # Where a damaged row has the same key, it makes room.
                insert = "insert or replace into finished values (?,?,?,?,?,?)"
                self._connection.executemany(insert, rows)
                self._connection.execute("commit")
        finally:
            with contextlib.suppress(sqlite3.Error):  # what ended it says more
                if self._connection.in_transaction:
                    self._connection.execute("rollback")

    def _remember_columns(self, columns: list[tuple[str, str]]) -> None:
        if not self._columns:
            self._note("columns", columns)
            self._columns = columns

    def finished(
        self, keys: NDArray[np.uint64], contracts: Sequence[bytes]
    ) -> tuple[NDArray[np.int64], Columns]:
        """Rows (of those asked for) that the journal has, and their output columns.

        Those that are not as they were written are left out, counted in `damaged` and removed.
        """
        row_of = {
            (key, contract): row
            for row, (key, contract) in enumerate(
                zip(keys.astype(np.int64).tolist(), contracts, strict=True)
            )
        }
        rows, results = [], []
        for key, contract, result in self._sound_rows():
            row = row_of.get((key, contract))
            if row is not None:
                rows.append(row)
                results.append(result)
        return np.array(rows, dtype=np.int64), columns_of(results, self._columns)

    def problem(self) -> str | None:
        """What the user should know of it; None: nothing."""
        if not self.damaged:
            return None
        which = "a row" if self.damaged == 1 else f"{self.damaged} rows"
        return (
            f"{which} of journal {self.path} did not hold what was written (a disk or a copy that "
            "loses bits?); priced again"
        )

    def _sound_rows(self) -> Iterator[tuple[int, bytes, bytes]]:
        """Keys, contracts and results."""
        size = 8 * len(self._columns)
        broken = []
        with _translating(self.path):
            for row in self._connection.execute(
                "select option_key, contract, result, digest from finished"
            ):
                if not is_sound(row):
                    broken.append(row[:2])
                elif len(row[2]) != size:
                    raise _damaged(self.path, "what its columns are called is gone")
                else:
                    yield row[:3]
            self.damaged = len(broken)
            remove = "delete from finished where option_key is ? and contract is ?"
            self._connection.executemany(remove, broken)

    def close(self) -> None:
        """Gives the lock back; committed options stay."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _connect(path: Path) -> sqlite3.Connection:
    """Opens the file; autocommit, so that every transaction is written out in this file."""
    if path.is_dir():
        raise JournalError(f"cannot write journal {path}: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise JournalError(
            f"cannot write journal {path}: folder {path.parent} does not exist; create it"
        )
    try:
        return sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None)
    except sqlite3.Error as error:
        raise _translated(path, error) from error


@contextmanager
def _translating(path: Path) -> Iterator[None]:
    """What SQLite or Python's view of it says becomes a `JournalError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(path, error) from error
    except (MemoryError, OverflowError, UnicodeError) as error:
        raise _damaged(path, f"{type(error).__name__}: {error}") from error


def _translated(path: Path, error: sqlite3.Error) -> JournalError:
    """The same failure in words that say what to do."""
    why = str(error).partition("\n")[0]  # what follows is the statement
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(
            f"journal {path} is in use by another process; wait for it, or name another file"
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY):
        return JournalError(
            f"cannot write journal {path} ({why}): what it holds is kept; make room or get the "
            f"right to write there, and go on with {called('restart_from')} {path}"
        )
    if code in _DAMAGED_CODES:
        return JournalError(
            f"{path} is no journal, or a damaged one ({why}); name another file, or {_anew()}"
        )
    return JournalError(f"cannot use journal {path} ({why}); name another file, or {_anew()}")


def _anew() -> str:
    return f"remove it, and run again with {called('checkpoint')}"


def _damaged(path: Path, why: str) -> JournalError:
    return JournalError(f"journal {path} is damaged ({why}); {_anew()}")


def _said(value: Any) -> str:
    words = {None: "unset", True: "on", False: "off"}
    return words[value] if value is None or isinstance(value, bool) else str(value)
