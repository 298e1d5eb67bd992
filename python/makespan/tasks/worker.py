# SPDX-License-Identifier: Apache-2.0
"""What the engine calls for a map: runs items on its threads, and brings results to image 0."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from makespan.base.errors import EngineError, Interrupted, ItemError
from makespan.job.failure import Failure
from makespan.job.overdue import interrupt_thread, item_text, warn_of_run
from makespan.tasks.spans import Spans

NOTHING = object()
"""In place of a result that has not come."""


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
        self.unsent: dict[int, list[tuple[int, Any]]] = {}
        self.failures: dict[int, BaseException] = {}
        self.lost: list[int] = []
        self.fatal: tuple[int, TimeoutError] | None = None
        self.idents: dict[int, int] = {}
        self.done_when_interrupted: int | None = None
        self.is_told = is_first
        """Whether it knows how the run has ended."""

    def run(self, thread: int, first: int, last: int) -> bool:
        """Runs items `first` .. `last - 1`; whether the bag should end."""
        self.idents[thread] = threading.get_ident()
        for index in range(first, last):
            begin = time.perf_counter()
            try:
                result = self.function(self.items[index])
            except Exception as error:
                result = Failure(error)
            if self.spans is not None:
                self.spans.add(index, thread, time.perf_counter() - begin)
            self.unsent.setdefault(thread, []).append((index, result))
            if isinstance(result, Failure) and not self.keep_on:
                return True
        return False

    def keep(self, thread: int) -> bool:
        """On image 0: what came of this thread's items counts; whether the bag should end."""
        for index, result in self.unsent.pop(thread, ()):
            self._keep(index, result)
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
        # Python that runs is left at once; what waits in C, when it comes back.
        interrupt_thread(self.idents[thread])
        self.lost.append(first)
        is_second = self.lost.count(first) > 1
        if is_second:
            self.fail_lost(first)
        warn_of_run(item_text(*items, seconds, predicted_s, lost=lost))
        return is_second

    def fail_lost(self, index: int) -> None:
        """Threads have hung in this item."""
        self.fatal = (index, TimeoutError(f"it has not ended within {self.timeout:g} s"))

    def pack(self, thread: int) -> bytes:
        """What came of this thread's items since the last call."""
        unsent = self.unsent.pop(thread, None)
        if unsent is None:
            return b""
        results = dict(unsent)
        return _pickled((unsent, self.spans and self.spans.of(results)), results)

    def unpack(self, data: bytes) -> bool:
        """On image 0: takes what another one packed; whether the bag should end."""
        unsent, spans = pickle.loads(data)  # noqa: S301, our own processes wrote it
        for index, result in unsent:
            self._keep(index, result)
        if self.spans is not None and spans is not None:
            self.spans.take(spans)
        return bool(self.failures) and not self.keep_on

    def everything(self) -> bytes:
        """What the others are told at the end: results if they get them, or what went wrong."""
        failures = {index: Failure(error) for index, error in self.failures.items()}
        if self.to_all:
            sent = {index: self.results[index] for index in self.kept} | failures
        else:
            sent = {} if self.keep_on else failures
        return _pickled((sent, self.fatal, self.done_when_interrupted), sent)

    def receive(self, data: bytes) -> None:
        """On the others, at the end: what `everything` has packed."""
        sent, self.fatal, self.done_when_interrupted = pickle.loads(data)  # noqa: S301, as above
        for index, result in sent.items():
            self._keep(index, result)
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
        return Interrupted(done, len(self.items), "items", result=result)

    def _keep(self, index: int, result: Any) -> None:
        if isinstance(result, Failure):
            self.failures[index] = result.error
            self.results[index] = result.error
        else:
            self.results[index] = result
        self.kept.append(index)


def _pickled(whole: Any, results: Mapping[int, Any]) -> bytes:
    """Bytes of `whole`, in which these results are. Raises `EngineError` that names one's item."""
    try:
        return pickle.dumps(whole)
    except Exception as error:
        # What functions return may raise anything here.
        index = next((at for at, result in results.items() if not _travels(result)), None)
        which = "a result" if index is None else f"the result of item {index}"
        raise EngineError(
            f"{which} cannot travel to the other images ({type(error).__name__}: {error}): "
            "return what can be pickled"
        ) from error


def _travels(result: Any) -> bool:
    try:
        pickle.dumps(result)
    except Exception:
        return False
    return True
