# SPDX-License-Identifier: Apache-2.0
"""The run journal of a map: one row for each finished item, whose result is a pickle.

Reading one runs what the pickles say: a journal is read of what a program has written itself. An
item is known by its place, and by a digest of its own pickle, which the journal's run and the one
that goes on with it must agree about.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from types import ModuleType, NoneType
from typing import Any, Self

from makespan.base.errors import EngineError, JournalError
from makespan.files.journal_file import JournalFile, JournalKind, digest_of, translating
from makespan.files.journal_request import JournalRequest
from makespan.files.own_file import expect_own, make_own
from makespan.tasks.pickles import kept_bytes, lasting_pickle
from makespan.tasks.worker import Worker


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
        inputs={"bound": "other arguments of the function, or another object than its own"},
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

    @classmethod
    def of(cls, request: JournalRequest, worker: Worker) -> Self:
        """Opens it, and gives the worker the results that it has. Raises `JournalError`."""
        count = len(worker.items)
        header = _header_of(worker.function, count)
        keys = [_key_of(partial(worker.items.__getitem__, index)) for index in range(count)]
        make_own(request)
        journal = MapJournal.open(request.path, header, resume=request.resume)
        try:
            expect_own(journal.path)  # SQLite has found its log
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

        Raises `JournalError`, or `EngineError` for the first result that pickle cannot write or
        read, when the others are durable.
        """
        worker = self._worker
        end = len(worker.kept)
        rows, unkept = [], None
        for item in worker.kept[self._committed : end]:
            if item in worker.failures:
                continue
            try:
                rows.append((item, self._keys[item], kept_bytes(item, worker.results[item])))
            except EngineError as error:
                unkept = unkept or error
        if rows:
            self.journal.commit(rows)
        self._committed = end
        if unkept is not None:
            raise unkept
        return end


def _digest(item: int, key: bytes, result: bytes) -> bytes:
    return digest_of(item.to_bytes(8, "little") + len(key).to_bytes(1, "little") + key + result)


def _is_sound(row: tuple[Any, ...], items: int) -> bool:
    """Whether they are, as SQLite gave them, those of one commit."""
    item, key, result, digest = row
    has_types = type(item) is int and isinstance(key, bytes) and isinstance(result, bytes)
    return (
        has_types and 0 <= item < items and len(key) < 256 and digest == _digest(item, key, result)
    )


def _key_of(found: Callable[[], Any]) -> bytes:
    """Of what this returns; empty where that has no pickle: its place alone counts then."""
    data = lasting_pickle(found)
    return b"" if data is None else digest_of(data)


def _header_of(function: Callable[[Any], Any], items: int) -> dict[str, Any]:
    """A function by its name, and what is bound to it: arguments, an object."""
    of: Any = function
    bound: list[Any] = []
    while isinstance(of, partial):
        bound += [len(of.args), *of.args, *chain.from_iterable(sorted(of.keywords.items()))]
        of = of.func
    if not hasattr(of, "__qualname__"):  # an object with __call__
        bound.append(of)
        of = type(of)
    elif not isinstance(owner := getattr(of, "__self__", None), NoneType | ModuleType):
        bound.append(owner)
    name = f"{getattr(of, '__module__', None) or 'builtins'}.{of.__qualname__}"
    key = digest_of(b"".join(map(_bound_key, bound))).hex() if bound else ""
    return {"function": name, "items": items, "bound": key}


def _bound_key(value: Any) -> bytes:
    """What has no pickle counts by its class, and by those of its attributes that have one.

    Modules, functions and classes without one count by their names: what they hold is another thing
    in each run.
    """
    key = _key_of(lambda: value)
    if key:
        return key
    if isinstance(value, ModuleType | type) or hasattr(value, "__code__"):
        return digest_of(getattr(value, "__qualname__", value.__name__).encode())
    attributes = _attributes(value)
    keys = [name.encode() + _key_of(partial(attributes.get, name)) for name in sorted(attributes)]
    return digest_of(b"\0".join([type(value).__qualname__.encode(), *keys]))


def _attributes(value: Any) -> dict[str, Any]:
    """Of an instance, by name; those of slots, too."""
    slots = [
        name
        for kind in type(value).__mro__
        if not isinstance(names := getattr(kind, "__slots__", ()), str)
        for name in names
    ]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return {**found, **getattr(value, "__dict__", {})}
