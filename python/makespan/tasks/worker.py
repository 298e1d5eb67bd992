# SPDX-License-Identifier: Apache-2.0
"""What the engine calls for a map: runs items on its threads, and brings results to image 0."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

from makespan.base.errors import EngineError, Interrupted, ItemError
from makespan.job.collective import WITHIN_ITEM
from makespan.job.failure import Failure
from makespan.job.overdue import LeftBehind, interrupt_thread, item_text, warn_of_run
from makespan.tasks.pickles import expect_readable, pickled, unpickled
from makespan.tasks.spans import Spans

NOTHING = object()
"""In place of a result that has not come."""

_READABLE = (NoneType, bool, int, float, complex, str, bytes, tuple, list, dict, set, Failure)


class _Begun(NamedTuple):
    """What a thread has begun last."""

    item: int
    at: float
    """By time.perf_counter()."""
    ident: int
    """The thread's in Python."""


class _Stretch(NamedTuple):
    """Items that follow each other, which a thread has run."""

    first: int
    results: list[Any]
    """In place of one, what its function raised: a `Failure`."""
    failed: list[int]
    """Where in `results` those are."""

    @property
    def indices(self) -> range:
        return range(self.first, self.first + len(self.results))


class Worker:
    """What the engine calls: runs items on its threads, and brings results to image 0."""

    def __init__(
        self,
        function: Callable[[Any], Any],
        items: Sequence[Any],
        *,
        is_first: bool,
        to_all: bool,
        keep_on: bool,
        timeout: float | None,
    ) -> None:
        self.timeout = timeout
        self.journal_path: Path | None = None
        """Where image 0 keeps what is finished, if that is asked for."""
        self.spans: Spans | None = None
        """Where each item ran and how long, if that is asked for; on image 0 in the end of all."""
        self.function = function
        self.items = items
        self.is_first = is_first
        self.to_all = to_all
        self.keep_on = keep_on
        self.results: list[Any] = [NOTHING] * len(items)
        self.kept: list[int] = []
        """Items whose results have come, in that order; appending is safe among threads."""
        self.restored = 0
        """How many of them an earlier run has left in a journal; they are the first in `kept`."""
        self.unsent: dict[int, list[_Stretch]] = {}
        """By thread."""
        self.failures: dict[int, BaseException] = {}
        self.begun: dict[int, _Begun] = {}
        """By thread; not those that wait for the GIL, which the engine counts as at their items."""
        self.lost: list[_Begun] = []
        self.left: set[int] = set()
        """Threads that were left behind while they waited for the GIL."""
        self.fatal: tuple[int, TimeoutError] | None = None
        self.readable: set[type] = set(_READABLE)
        """Kinds of results that pickle can make again."""
        self.done_when_interrupted: int | None = None
        self.is_told = is_first
        """Whether it knows how the run has ended."""

    def restore(self, results: Mapping[int, Any]) -> None:
        """On image 0, before the run: what an earlier one has left."""
        self._keep_found(dict(sorted(results.items(), key=itemgetter(0))))
        self.restored = len(results)

    def left_to_do(self) -> list[int] | None:
        """Indices of the items that no earlier run has done; None: all of them."""
        if not self.restored:
            return None
        return [index for index, result in enumerate(self.results) if result is NOTHING]

    def run(self, thread: int, first: int, last: int) -> bool:
        """Runs items `first` .. `last - 1`; whether the bag should end."""
        if thread in self.left:
            return False
        self.begun[thread] = _Begun(first, time.perf_counter(), threading.get_ident())
        before = WITHIN_ITEM.set(True)
        try:
            return self._run(thread, first, last)
        finally:
            WITHIN_ITEM.reset(before)

    def _run(self, thread: int, first: int, last: int) -> bool:
        stretch = _Stretch(first, [], [])
        self.unsent.setdefault(thread, []).append(stretch)
        index = first
        while index < last:
            try:
                self._call(thread, range(index, last), stretch.results)
            except LeftBehind:
                raise
            except BaseException as error:  # signals' handlers raise in the main thread alone
                stretch.failed.append(len(stretch.results))
                stretch.results.append(Failure(error))
                if not self.keep_on:
                    return True
            index = first + len(stretch.results)
        return False

    def _call(self, thread: int, indices: range, results: list[Any]) -> None:
        """Raises what the first of these items raises that fails; results are of those before."""
        function, items, spans, add = self.function, self.items, self.spans, results.append
        if spans is None:
            for index in indices:
                add(function(items[index]))
            return
        for index in indices:
            begin = time.perf_counter()
            try:
                result = function(items[index])
            except LeftBehind:
                raise
            except BaseException:
                spans.add(index, thread, time.perf_counter() - begin)
                raise
            spans.add(index, thread, time.perf_counter() - begin)
            add(result)

    def keep(self, thread: int) -> bool:
        """On image 0: what came of this thread's items counts; whether the bag should end."""
        for stretch in self.unsent.pop(thread, ()):
            self._keep(stretch.indices, stretch.results, stretch.failed)
        return bool(self.failures) and not self.keep_on

    def drop(self, thread: int) -> None:
        """What came of this thread's items does not count."""
        self.unsent.pop(thread, None)

    def on_overdue(
        self,
        thread: int,
        items: tuple[int, int],
        seconds: float,
        predicted_s: float,
        lost: bool,  # noqa: FBT001, the engine's call
    ) -> bool:
        """A thread has been at items (first, last + 1) too long; whether the bag should end."""
        first = items[0]
        if not lost:
            warn_of_run(item_text(*items, seconds, predicted_s, lost=lost))
            return False
        begun = self.begun.get(thread)
        if begun is None or begun.item != first:
            self.left.add(thread)
            return False
        # Python that runs is left at once; what waits in C, when it comes back.
        interrupt_thread(begun.ident)
        # One that has begun just now has waited for the GIL until then.
        if time.perf_counter() - begun.at < seconds / 2:
            self.left.add(thread)
            return False
        self.lost.append(begun)
        is_second = sum(one.item == first for one in self.lost) > 1
        if is_second:
            self.fail_lost(first)
        warn_of_run(item_text(*items, seconds, predicted_s, lost=lost))
        return is_second

    def fail_without_threads(self, elsewhere: Sequence[int] = ()) -> bool:
        """All have been left behind; whether in items. Raises `EngineError` if before them.

        `elsewhere`: at which items threads of other images were lost.
        """
        here = [one for one in self.lost if self.results[one.item] is NOTHING]
        missing = [item for item in elsewhere if self.results[item] is NOTHING]
        if here:
            # While one keeps the GIL no other begins: of those that are lost it is the last.
            self.fail_lost(max(here, key=lambda one: one.at).item)
        elif missing:
            # One that hangs each time has taken the most of them.
            self.fail_lost(max(sorted(set(missing)), key=missing.count))
        elif self.left:
            raise EngineError(
                f"no thread is left: something has kept Python (its GIL) for longer than the "
                f"timeout of {self.timeout:g} s, so that no item could begin"
            )
        return bool(here or missing)

    def fail_lost(self, index: int) -> None:
        """Threads have hung in this item."""
        self.fatal = (index, TimeoutError(f"it has not ended within {self.timeout:g} s"))

    def pack(self, thread: int) -> bytes:
        """What came of this thread's items since the last call."""
        unsent = self.unsent.pop(thread, None)
        if unsent is None:
            return b""
        indices: Sequence[int] = unsent[0].indices
        results, failed = unsent[0].results, unsent[0].failed
        if len(unsent) > 1:
            indices, results, failed = list(indices), results[:], failed[:]
            for one in unsent[1:]:
                failed += [len(results) + at for at in one.failed]
                indices += one.indices
                results += one.results
        spans = self.spans and self.spans.of(indices)
        return self._packed((indices, results, failed, spans), indices, results)

    def unpack(self, data: bytes) -> bool:
        """On image 0: takes what another one packed; whether the bag should end."""
        indices, results, failed, spans = unpickled(data)
        self._keep(indices, results, failed)
        if self.spans is not None and spans is not None:
            self.spans.take(spans)
        return bool(self.failures) and not self.keep_on

    def everything(self) -> bytes:
        """What the others are told at the end: results if they get them, or what went wrong."""
        ending = (self.fatal, self.done_when_interrupted)
        if self.to_all and not self.failures and len(self.kept) == len(self.items):
            # Without their indices, which take longer than many results.
            return self._packed((self.results, *ending), range(len(self.results)), self.results)
        failures = {index: Failure(error) for index, error in self.failures.items()}
        if self.to_all:
            sent = {index: self.results[index] for index in self.kept} | failures
        else:
            sent = {} if self.keep_on else failures
        return self._packed((sent, *ending), sent.keys(), sent.values())

    def receive(self, data: bytes) -> None:
        """On the others, at the end: what `everything` has packed."""
        sent, self.fatal, self.done_when_interrupted = unpickled(data)
        if isinstance(sent, list):
            self.results = sent
            self.kept = list(range(len(sent)))
        else:
            self._keep_found(sent)
        self.is_told = True

    def outcome(self) -> list[Any] | None:
        """The results in order, where they are wanted; raises what ended the run."""
        if self.done_when_interrupted is not None:
            raise self.interruption(self.done_when_interrupted)
        if self.fatal is not None:
            raise ItemError(*self.fatal) from self.fatal[1]
        if self.failures and not self.keep_on:
            index = min(self.failures)
            raise ItemError(index, self.failures[index]) from self.failures[index]
        if not self.is_told:
            raise EngineError("the results have not come (image 0 ended early)")
        if not (self.is_first or self.to_all):
            return None
        missing = next((at for at, one in enumerate(self.results) if one is NOTHING), None)
        if missing is not None:
            raise EngineError(f"item {missing}: its result has not come (image 0 ended early)")
        return self.results

    def interruption(self, done: int) -> Interrupted:
        """What Ctrl-C raises, with the results that have come, by item."""
        result = None
        if self.is_first or (self.to_all and self.is_told):
            kept = [at for at in self.kept if self.keep_on or at not in self.failures]
            result = {index: self.results[index] for index in sorted(kept)}
        return Interrupted(
            done, len(self.items), "items", result=result, restart_from=self.journal_path
        )

    def _packed(self, whole: Any, indices: Iterable[int], results: Iterable[Any]) -> bytes:
        """Bytes of `whole`, in which these items' results are. Raises `EngineError` that names one.

        Both are gone through more than once.
        """
        data = pickled(whole, zip(indices, results, strict=True))
        for kind in set(map(type, results)) - self.readable:
            found = zip(indices, results, strict=True)
            index, result = next((at, one) for at, one in found if type(one) is kind)
            expect_readable(index, result)
            self.readable.add(kind)
        return data

    def _keep(self, indices: Sequence[int], results: list[Any], failed: Iterable[int]) -> None:
        """Results of these items, of which those at `failed` are a `Failure`."""
        for at in failed:
            self.failures[indices[at]] = results[at] = results[at].error
        if isinstance(indices, range):
            self.results[indices.start : indices.stop] = results
        else:
            for index, result in zip(indices, results, strict=True):
                self.results[index] = result
        self.kept.extend(indices)  # when all else is there: another thread reads on to here

    def _keep_found(self, results: Mapping[int, Any]) -> None:
        """By item, each of which may be a `Failure`."""
        found = list(results.values())
        failed = [at for at, result in enumerate(found) if isinstance(result, Failure)]
        self._keep(list(results), found, failed)
