# SPDX-License-Identifier: Apache-2.0
"""A journal: an SQLite file with a row for each finished piece of a run, on disk before it is told.

Write-ahead log with `synchronous=FULL`: a committed batch survives `kill -9` of this process, and
a power failure too where the disk honours fsync. Every row and every entry of the header has a
digest; a header or a database that is damaged is refused. One process at a time: the file is
locked exclusively while it is open, and the lock ends with the process, however it ends.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from makespan.base.errors import JournalError
from makespan.base.setting_names import called

_LOCK_WAIT_S = 0.5
_DIGEST_BYTES = 16
_PRAGMAS = (
    "pragma locking_mode = exclusive",
    "pragma journal_mode = wal",
    "pragma synchronous = full",
)
_HEADER = """
create table header (
  name text primary key,
  value text not null,          -- JSON
  digest blob not null          -- of both: entry_digest
) without rowid;
"""

_DAMAGED_CODES = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT)


@dataclass(frozen=True, slots=True)
class JournalKind:
    """What is in the journals of one command."""

    application_id: int
    """In SQLite's header: tells them from other databases."""
    format: int
    table: str
    """SQL that makes the table `finished`."""
    unit: str
    """What has a row, as in options."""
    inputs: Mapping[str, str]
    """Entries of the header that differ where the input is another, and what it is then."""


class JournalFile:
    """An open journal of one input under one set of settings."""

    KIND: ClassVar[JournalKind]

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self.stored: dict[str, Any] = {}
        """The header of the run that made it; empty in a new one."""
        self.damaged = 0
        """Rows that were left out, since they are not as they were written."""

    @classmethod
    def open(cls, path: Path, header: Mapping[str, Any], *, resume: bool) -> Self:
        """Creates the journal, or with `resume` opens the one of an earlier run.

        Raises `JournalError` when the file is no journal, is in use, belongs to another input or
        other settings, or has content although `resume` was not asked for.
        """
        if resume and not path.exists():
            raise JournalError(
                f"journal {path} does not exist: to begin one give {called('checkpoint')} {path}"
            )
        journal = cls(path, _connect(path))
        try:
            with translating(path):
                journal._check_or_write(header, resume=resume)
        except BaseException:
            journal.close()
            raise
        return journal

    def note(self, name: str, value: Any) -> None:
        """Writes an entry of the header, within the caller's transaction."""
        text = json.dumps(value)
        entry = (name, text, entry_digest(name, text))
        self.connection.execute("insert into header values (?, ?, ?)", entry)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written within is on disk at its end, or not at all. Raises `JournalError`."""
        try:
            with translating(self.path):
                self.connection.execute("begin immediate")
                yield
                self.connection.execute("commit")
        finally:
            with contextlib.suppress(sqlite3.Error):  # what ended it says more
                if self.connection.in_transaction:
                    self.connection.execute("rollback")

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Rows of `finished`; where a damaged row has the same key, it makes room."""
        filled = [tuple(row) for row in rows]
        if filled:
            marks = ",".join("?" * len(filled[0]))
            insert = f"insert or replace into finished values ({marks})"  # noqa: S608, of question marks
            self.connection.executemany(insert, filled)

    def problem(self, again: str) -> str | None:
        """What the user should know of it; None: nothing. `again`: what is done about it."""
        if not self.damaged:
            return None
        which = "a row" if self.damaged == 1 else f"{self.damaged} rows"
        return (
            f"{which} of journal {self.path} did not hold what was written (a disk or a copy that "
            f"loses bits?); {again}"
        )

    def _check_or_write(self, header: Mapping[str, Any], *, resume: bool) -> None:
        cursor = self.connection
        is_new = self._check_is_ours()
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
        if is_new:
            made = f"pragma application_id = {self.KIND.application_id}; {_HEADER}{self.KIND.table}"
            cursor.executescript(f"begin immediate; {made}")
            self.note("format", self.KIND.format)
            for name, value in header.items():
                self.note(name, value)
            cursor.execute("commit")
            return
        cursor.execute("begin immediate")
        self._check_pages()
        count = cursor.execute("select count(*) from finished").fetchone()[0]
        if count and not resume:
            raise JournalError(
                f"journal {self.path} already holds {count} finished {self.KIND.unit}; "
                f"{called('restart_from')} {self.path} goes on with it, or name another file"
            )
        self._check_header(header, is_anew=not count and not resume)
        cursor.execute("commit")

    def _check_is_ours(self) -> bool:
        """True for an empty file; looks before anything is written to another program's file."""
        read = self.connection.execute
        is_ours = read("pragma application_id").fetchone()[0] == self.KIND.application_id
        if read("select count(*) from sqlite_master").fetchone()[0] == 0:
            if is_ours:  # who we are is written together with the tables
                raise damaged(self.path, "its tables are gone")
            return True
        if not is_ours:
            raise JournalError(
                f"{self.path} is a database but no journal of {self.KIND.unit}; name another file"
            )
        return False

    def _check_pages(self) -> None:
        """SQLite's own look at everything, which takes less time than to read it."""
        found = self.connection.execute("pragma quick_check(1)").fetchone()[0]
        if found != "ok":
            raise damaged(self.path, str(found).partition("\n")[0])

    def _check_header(self, header: Mapping[str, Any], *, is_anew: bool) -> None:
        """`is_anew`: the run that made it ended before its first row; another may be any."""
        stored = self._stored_header()
        if stored.get("format") != self.KIND.format:
            raise JournalError(
                f"journal {self.path} has format {stored.get('format')}, this makespan writes "
                f"{self.KIND.format}; name another file"
            )
        if not header.keys() <= stored.keys():
            raise damaged(self.path, "entries of its header are gone")
        self.stored = stored
        differing = [name for name in header if stored.get(name) != header[name]]
        if differing and not is_anew:
            raise JournalError(self._difference(differing, stored, header))
        for name in differing:
            self.connection.execute("delete from header where name = ?", (name,))
            self.note(name, header[name])

    def _stored_header(self) -> dict[str, Any]:
        names = [row[1] for row in self.connection.execute("pragma table_info(header)")]
        if "digest" not in names:  # of an older makespan: its format is all that matters
            text = "select name, value from header where name = 'format'"
            return {name: json.loads(value) for name, value in self.connection.execute(text)}
        stored = {}
        for name, value, digest in self.connection.execute("select * from header"):
            has_types = isinstance(name, str) and isinstance(value, str)
            if not has_types or digest != entry_digest(name, value):
                raise damaged(self.path, f"entry {name!r} of its header is not as written")
            stored[name] = json.loads(value)
        return stored

    def _difference(
        self, names: Sequence[str], stored: Mapping[str, Any], header: Mapping[str, Any]
    ) -> str:
        settings = [name for name in names if name not in self.KIND.inputs]
        if not settings:
            what = self.KIND.inputs[names[0]]
            return f"journal {self.path} belongs to {what}; name another file"
        texts = [
            f"{name} (journal {_said(stored.get(name))}, now {_said(header[name])})"
            for name in settings
        ]
        return (
            f"journal {self.path} belongs to a run with other settings: {', '.join(texts)}; "
            "use the same settings, or name another file"
        )

    def close(self) -> None:
        """Gives the lock back; committed options stay."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def entry_digest(name: str, value: str) -> bytes:
    """Of an entry of the header; no name has a zero in it."""
    return digest_of(f"{name}\0{value}".encode())


def digest_of(data: bytes) -> bytes:
    """BLAKE2b of 16 bytes."""
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()


def _connect(path: Path) -> sqlite3.Connection:
    """Opens the file; autocommit, so that every transaction is written out in this file."""
    if path.is_dir():
        raise JournalError(f"cannot write journal {path}: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise JournalError(
            f"cannot write journal {path}: folder {path.parent} does not exist; create it"
        )
    try:
        return sqlite3.connect(path.absolute(), timeout=_LOCK_WAIT_S, isolation_level=None)
    except sqlite3.Error as error:
        raise _translated(path, error) from error


@contextmanager
def translating(path: Path) -> Iterator[None]:
    """What SQLite or Python's view of it says becomes a `JournalError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(path, error) from error
    except (MemoryError, OverflowError, UnicodeError) as error:
        raise damaged(path, f"{type(error).__name__}: {error}") from error


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


def damaged(path: Path, why: str) -> JournalError:
    """What is raised of a journal that does not hold what was written."""
    return JournalError(f"journal {path} is damaged ({why}); {_anew()}")


def _said(value: Any) -> str:
    words = {None: "unset", True: "on", False: "off"}
    return words[value] if value is None or isinstance(value, bool) else str(value)
