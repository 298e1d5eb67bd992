# SPDX-License-Identifier: Apache-2.0
"""The run journal of a map: one row for each finished item, whose result is a pickle.

Reading one runs what the pickles say: a journal is read of what a program has written itself. An
item is known by its place, and by a digest of its own pickle, which the journal's run and the one
that goes on with it must agree about.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import stat
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from makespan.base.errors import JournalError
from makespan.files.journal_file import JournalFile, JournalKind, digest_of, translating
from makespan.files.journal_request import JournalRequest
from makespan.tasks.pickles import kept_bytes
from makespan.tasks.worker import Worker

_PROTOCOL = 5
"""Of the pickles of items: another one's bytes are others."""


class MapJournal(JournalFile):
    """An open journal of one function on one list of items."""

    KIND = JournalKind(
        application_id=0x4D4B534D,  # "MKSM"
        format=1,
        table="""
create table finished (
  item integer primary key,     -- its index
  key blob not null,            -- digest of the item's pickle; empty where it has none
  result blob not null,         -- a pickle
  digest blob not null          -- of item, key and result
);
""",
        unit="items",
        inputs={},
    )

    def commit(self, rows: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Makes these finished items (index, key, result) durable; returns when they are on disk.

        Raises `JournalError`.
        """
        with self.transaction():
            self.add((*row, _digest(*row)) for row in rows)

    def finished(self, keys: Sequence[bytes]) -> dict[int, bytes]:
        """The results that it has, by the index of their item; `keys` are those of all items.

        Those that are not as they were written are left out, counted in `damaged` and removed.
        Raises `JournalError` where an item is another one now.
        """
        found: dict[int, bytes] = {}
        broken = []
        with translating(self.path):
            for row in self.connection.execute("select item, key, result, digest from finished"):
                if not _is_sound(row, len(keys)):
                    broken.append(row[:1])
                elif row[1] != keys[row[0]]:
                    raise JournalError(
                        f"journal {self.path} belongs to other items (item {row[0]} is another "
                        "one); give the same items in the same order, or name another file"
                    )
                else:
                    found[row[0]] = row[2]
            self.damaged = len(broken)
            self.connection.executemany("delete from finished where item is ?", broken)
        return found


class KeptResults:
    """A journal together with the items and the results of one map, on image 0."""

    def __init__(self, journal: MapJournal, worker: Worker, keys: Sequence[bytes]) -> None:
        self.journal = journal
        self._worker = worker
        self._keys = keys
        self._committed = 0
        """Of the worker's `kept`."""
        self._readable: set[type] = set()

    @classmethod
    def of(cls, request: JournalRequest, worker: Worker) -> Self:
        """Opens it, and gives the worker the results that it has. Raises `JournalError`."""
        count = len(worker.items)
        header = {"function": _name_of(worker.function), "items": count}
        _expect_own(request)
        journal = MapJournal.open(request.path, header, resume=request.resume)
        try:
            keys = [_key_of(worker.items, index) for index in range(count)]
            kept = cls(journal, worker, keys)
            results = journal.finished(keys)
            worker.restore({index: kept._result(index, data) for index, data in results.items()})
            kept._committed = len(worker.kept)
        except BaseException:
            journal.close()
            raise
        return kept

    def _result(self, index: int, data: bytes) -> Any:
        try:
            return pickle.loads(data)  # noqa: S301, the program that goes on has written it
        except Exception as error:
            raise JournalError(
                f"journal {self.journal.path}: the result of item {index} cannot be read "
                f"({type(error).__name__}: {error}); import what it needs, or name another file"
            ) from error

    def commit(self) -> int:
        """Makes the results that have come since the last call durable; blocks until they are.

        Returns how many have come in all, those that an earlier run has left among them.

        Raises `JournalError`, or `EngineError` for a result that pickle cannot write or read.
        """
        worker = self._worker
        end = len(worker.kept)
        new = [item for item in worker.kept[self._committed : end] if item not in worker.failures]
        if new:
            self.journal.commit((item, self._keys[item], self._bytes_of(item)) for item in new)
        self._committed = end
        return end

    def _bytes_of(self, item: int) -> bytes:
        result = self._worker.results[item]
        data = kept_bytes(item, result, is_known=type(result) in self._readable)
        self._readable.add(type(result))
        return data


def _expect_own(request: JournalRequest) -> None:
    """A new file is made such that no other user can write to it. Raises `JournalError`."""
    path = request.path
    try:
        if not request.resume:
            with contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        found = path.stat()
    except OSError:
        return  # what is wrong with it is said where it is opened
    others = stat.S_IWGRP | stat.S_IWOTH
    if found.st_uid != os.geteuid() or (path.is_file() and found.st_mode & others):
        raise JournalError(
            f"journal {path} is another user's, or others may write to it (mode "
            f"{stat.S_IMODE(found.st_mode):o}), and pickles in it could run any code; "
            "chmod 600 what is yours, or name another file"
        )


def _digest(item: int, key: bytes, result: bytes) -> bytes:
    return digest_of(item.to_bytes(8, "little") + len(key).to_bytes(1, "little") + key + result)


def _is_sound(row: tuple[Any, ...], items: int) -> bool:
    """Whether they are, as SQLite gave them, those of one commit."""
    item, key, result, digest = row
    has_types = type(item) is int and isinstance(key, bytes) and isinstance(result, bytes)
    return (
        has_types and 0 <= item < items and len(key) < 256 and digest == _digest(item, key, result)
    )


def _key_of(items: Sequence[Any], index: int) -> bytes:
    try:
        return digest_of(pickle.dumps(items[index], protocol=_PROTOCOL))
    except Exception:  # an item of the user's may raise anything here; its place alone counts then
        return b""


def _name_of(function: Callable[[Any], Any]) -> str:
    """As it stays from run to run: of a partial or an object with __call__, that of its class."""
    of = function if hasattr(function, "__qualname__") else type(function)
    return f"{of.__module__}.{of.__qualname__}"
