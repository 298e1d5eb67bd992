# SPDX-License-Identifier: Apache-2.0
"""The run journal: one SQLite row for each finished option, on disk before it is reported.

Write-ahead log with `synchronous=FULL`: a committed batch survives `kill -9` of this process, and
a power failure too where the disk honours fsync. Results are stored as the exact 64-bit words that
the engine gave (SQLite's own REAL turns NaN into NULL and -0.0 into 0), so a resumed run has the
bits of an undisturbed one. One process at a time: the file is locked exclusively while it is open,
and the lock ends with the process, however it ends.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from makespan.errors import JournalError

FORMAT = 1
APPLICATION_ID = 0x4D4B5350  # "MKSP" in SQLite's header: tells our journals from other databases

_LOCK_WAIT_S = 0.5
_PRAGMAS = (
    "pragma locking_mode = exclusive",
    "pragma journal_mode = wal",
    "pragma synchronous = full",
)
_SCHEMA = f"""
pragma application_id = {APPLICATION_ID};
create table header (name text primary key, value text not null) without rowid;
create table finished (
  option_key integer not null,  -- the engine's 64-bit key, as a signed number
  contract blob not null,       -- hash of the row and of the settings that change its bits
  id text not null,             -- for people
  price real,                   -- for people; the exact value is in result
  result blob not null,         -- one little-endian 64-bit word for each of header.columns
  primary key (option_key, contract)
) without rowid;
"""

Columns = dict[str, NDArray[Any]]


class Journal:
    """An open journal of one book under one set of settings."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._columns: list[tuple[str, str]] = []

    @classmethod
    def open(cls, path: Path, header: Mapping[str, Any], *, resume: bool) -> Journal:
        """Creates the journal, or with `resume` opens the one of an earlier run.

        Raises `JournalError` when the file is no journal, is in use, belongs to another book or
        other settings, or has content although `resume` was not asked for.
        """
        if resume and not path.exists():
            raise JournalError(f"cannot resume: journal {path} does not exist; leave out --resume")
        journal = cls(path, _connect(path))
        try:
            journal._check_or_write(header, resume=resume)
        except sqlite3.Error as error:
            journal.close()
            raise _translated(path, error) from error
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
            entries = {"format": FORMAT, **header}
            rows = [(name, json.dumps(value)) for name, value in entries.items()]
            cursor.executemany("insert into header values (?, ?)", rows)
            cursor.execute("commit")
            return
        cursor.execute("begin immediate")
        count = cursor.execute("select count(*) from finished").fetchone()[0]
        if count and not resume:
            raise JournalError(
                f"journal {self.path} already holds {count} finished options; "
                "add --resume to go on with it, or name another file"
            )
        self._check_header(header)
        cursor.execute("commit")

    def _check_is_ours(self) -> bool:
        """True for an empty file; looks before anything is written to somebody's database."""
        read = self._connection.execute
        if read("select count(*) from sqlite_master").fetchone()[0] == 0:
            return True
        if read("pragma application_id").fetchone()[0] != APPLICATION_ID:
            raise JournalError(f"{self.path} is a database but no journal; name another file")
        return False

    def _check_header(self, header: Mapping[str, Any]) -> None:
        stored = {
            name: json.loads(value)
            for name, value in self._connection.execute("select name, value from header")
        }
        if stored.get("format") != FORMAT:
            raise JournalError(
                f"journal {self.path} has format {stored.get('format')}, this makespan writes "
                f"{FORMAT}; name another file"
            )
        self._columns = [(name, kind) for name, kind in stored.get("columns", [])]
        differing = [name for name in header if stored.get(name) != header[name]]
        if differing:
            raise JournalError(self._difference(differing, stored, header))

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
        words = np.stack([_words(column) for column in out.values()], axis=1)
        rows = zip(
            keys.astype(np.int64).tolist(),
            contracts,
            ids,
            out["price"].tolist(),
            (row.tobytes() for row in words),
            strict=True,
        )
        try:
            self._connection.execute("begin immediate")
            self._remember_columns(columns)
            self._connection.executemany("insert or ignore into finished values (?,?,?,?,?)", rows)
            self._connection.execute("commit")
        except sqlite3.Error as error:
            raise _translated(self.path, error) from error
        finally:
            if self._connection.in_transaction:
                self._connection.execute("rollback")

    def _remember_columns(self, columns: list[tuple[str, str]]) -> None:
        if not self._columns:
            text = json.dumps(columns)
            self._connection.execute("insert into header values ('columns', ?)", (text,))
            self._columns = columns

    def finished(
        self, keys: NDArray[np.uint64], contracts: Sequence[bytes]
    ) -> tuple[NDArray[np.int64], Columns]:
        """Rows (of those asked for) that the journal has, and their output columns."""
        row_of = {
            (key, contract): row
            for row, (key, contract) in enumerate(
                zip(keys.astype(np.int64).tolist(), contracts, strict=True)
            )
        }
        rows, words = [], []
        for key, contract, result in self._connection.execute(
            "select option_key, contract, result from finished"
        ):
            row = row_of.get((key, contract))
            if row is not None:
                rows.append(row)
                words.append(result)
        table = np.frombuffer(b"".join(words), dtype="<u8").reshape(len(rows), len(self._columns))
        columns = {
            name: _of_words(table[:, place], kind)
            for place, (name, kind) in enumerate(self._columns)
        }
        return np.array(rows, dtype=np.int64), columns

    def close(self) -> None:
        """Gives the lock back; committed options stay."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _connect(path: Path) -> sqlite3.Connection:
    """Opens the file; autocommit, so that every transaction is written out in this file."""
    if path.is_dir() or not path.parent.is_dir():
        raise JournalError(f"cannot write journal {path}: no such file or folder; name another one")
    try:
        return sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None)
    except sqlite3.Error as error:
        raise _translated(path, error) from error


def _translated(path: Path, error: sqlite3.Error) -> JournalError:
    """The same failure in words that say what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(
            f"journal {path} is in use by another process; wait for it, or name another file"
        )
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return JournalError(f"{path} is no journal ({error}); name another file")
    return JournalError(f"cannot use journal {path} ({error}); name another file")


def _said(value: Any) -> str:
    words = {None: "unset", True: "on", False: "off"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def _words(column: NDArray[Any]) -> NDArray[Any]:
    """Each value as a little-endian 64-bit word: doubles bit for bit, whole numbers signed."""
    wide = column.astype("<f8" if column.dtype.kind == "f" else "<i8")
    return wide.view("<u8")


def _of_words(words: NDArray[Any], kind: str) -> NDArray[Any]:
    view = np.ascontiguousarray(words).view("<f8" if kind == "f" else "<i8")
    return view.astype(np.float64 if kind == "f" else np.int64)
