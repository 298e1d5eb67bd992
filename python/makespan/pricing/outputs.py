# SPDX-License-Identifier: Apache-2.0
"""Which files a run reads and writes besides its book: decided and tried before it starts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from makespan.base.errors import EngineError, InputError, Interrupted
from makespan.base.extras import require
from makespan.base.setting_names import called
from makespan.command.reports import check_report
from makespan.files.atomic import Writer, check_writable, text_writer, write_files
from makespan.files.journal_request import JournalRequest, journal_request
from makespan.files.kept_result import kept_result
from makespan.files.resolved_path import resolved
from makespan.job.interrupts import Interrupts
from makespan.pricing.book.files import ARROW_SUFFIXES, check_suffix
from makespan.pricing.input import MARKET_TABLES
from makespan.pricing.outcome import Priced

_NAMED = {"trace": "the trace", "report": "the report"}


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where prices and the rest go; None: nowhere. `older`: files of these that were there."""

    prices: Path | None = None
    suffix: str = ""
    record: Path | None = None
    trace: Path | None = None
    report: Path | None = None
    journal: JournalRequest | None = None
    sensitivities: Path | None = None
    older: frozenset[Path] = frozenset()

    def files(self) -> list[Path]:
        """All that is written, the prices first."""
        every = (self.prices, self.sensitivities, self.record, self.trace, self.report)
        return [path for path in every if path is not None]

    def absolute_prices(self) -> str | None:
        """What a record says of them: a later run may be in another folder."""
        if self.prices is None:
            return None
        return str(resolved(self.prices.parent) / self.prices.name)


def planned_outputs(book: Path, given: Mapping[str, Any]) -> Outputs:
    """Of the command. Default: `prices` with the book's extension, in its folder, and the record.

    A file that was named is replaced. Default prices are replaced only when a record beside them,
    or the one that this run replaces, shows that makespan wrote them; the default record only if it
    is of these prices. Raises `InputError`, `NotConfiguredError`.
    """
    named: Path | None = given["output"]
    suffix = check_suffix(book if named is None else named)
    prices = book.with_name(f"prices{suffix}") if named is None else named
    beside = _record_beside(prices)
    record: Path = given["record"] or beside
    for path in (prices, record):
        resolved(path)  # whether it can be looked for
    written = [prices]
    if given["sensitivities"] is not None:
        written.append(_sensitivities_beside(prices, suffix))
    is_ours = _tells_of(beside, prices) or _tells_of(record, prices)
    for path in written if named is None and not is_ours else ():
        if path.exists():
            raise InputError(
                f"{path} exists and no {record.name} says that makespan wrote it; "
                "name a file with -o (a named file is replaced)"
            )
    if given["record"] is None and record.exists() and not is_ours:
        raise InputError(
            f"{record} is no record of {prices}: name another with {called('record')}, or another "
            "output"
        )
    return _checked(book, given, prices, record)


def _tells_of(record: Path, prices: Path) -> bool:
    """Whether a file is the record of a run that wrote these prices, from whatever folder."""
    if not record.is_file():  # a device may be read without an end
        return False
    try:
        document = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    output = document.get("output") if isinstance(document, dict) else None
    if not isinstance(output, str):
        return False
    if Path(output).is_absolute() and _is_same(Path(output), prices):
        return True
    # A folder may have moved with all that is in it. Older records have paths from where the
    # command ran, which says nothing but the name.
    is_of_folder = record == _record_beside(prices) or not Path(output).is_absolute()
    is_beside = record.parent == prices.parent and Path(output).name == prices.name
    return is_of_folder and is_beside


def _is_same(output: Path, prices: Path) -> bool:
    try:
        return resolved(output) == resolved(prices)
    except InputError:
        return False


def _record_beside(prices: Path) -> Path:
    return prices.with_name(f"{prices.stem}.record.json")


def named_outputs(book: object, given: Mapping[str, Any]) -> Outputs:
    """Of the Python function: what is named. Raises as `planned_outputs`."""
    source = Path(book) if isinstance(book, str | PathLike) else None
    paths = {name: _path(given[name]) for name in ("output", "record", "trace", "report")}
    return _checked(source, {**given, **paths}, paths["output"], paths["record"])


def write_outputs(priced: Priced, outputs: Outputs) -> None:
    """Prices, record and what else was asked for: all or nothing.

    Ctrl-C waits for that, and is then in the outcome. Raises `InputError` with its `result`.
    """
    from makespan.files.frame_file import write_frame
    from makespan.report.run_record import json_text

    if not outputs.files():
        return
    text = json_text(priced.record)
    writers: dict[Path, Writer] = {}
    if outputs.prices is not None:
        writers[outputs.prices] = lambda path: write_frame(priced.table, path, outputs.suffix, text)
    found = priced.sensitivities
    if outputs.sensitivities is not None and found is not None:
        writers[outputs.sensitivities] = lambda path: write_frame(found, path, outputs.suffix, text)
    if outputs.record is not None:
        writers[outputs.record] = text_writer(text)
    if outputs.trace is not None:
        writers[outputs.trace] = text_writer(_trace_text(priced))
    if outputs.report is not None:
        writers[outputs.report] = text_writer(_report_text(priced))
    with Interrupts() as late:
        with kept_result(lambda: priced):
            write_files(writers)
        priced.outcome.asked_to_end |= late.take()


@contextmanager
def written_if_whole(outputs: Outputs, then: Callable[[Priced], None]) -> Iterator[None]:
    """Of a run that ended at its sensitivities all prices are written; `then` follows."""
    try:
        yield
    except (Interrupted, EngineError) as stop:
        if isinstance(stop.result, Priced) and stop.result.is_whole:
            write_outputs(stop.result, outputs)
            try:
                then(stop.result)
            except Warning as told:  # where warnings are errors: the run's own end comes out
                stop.add_note(str(told))
        raise


def stale_sensitivities(outputs: Outputs) -> str | None:
    """What is said of a run that had none to write: there may be a file of earlier prices."""
    if outputs.prices is None:
        return None
    path = _sensitivities_beside(outputs.prices, outputs.suffix)
    # Not path.exists(), which raises where the name is too long.
    return f"{path} is of earlier prices" if os.path.exists(path) else None  # noqa: PTH110


def _checked(
    book: Path | None, given: Mapping[str, Any], prices: Path | None, record: Path | None
) -> Outputs:
    suffix = "" if prices is None else check_suffix(prices)
    check_report(given["report"])
    market = {name: _path(given.get(name)) for name in MARKET_TABLES}
    for path in (book, *market.values(), prices):
        if path is not None and path.suffix.lower() in ARROW_SUFFIXES:
            require("arrow", for_=str(path))
    journal = journal_request(_path(given["checkpoint"]), _path(given["restart_from"]))
    outputs = Outputs(
        prices,
        suffix,
        record,
        given["trace"],
        given["report"],
        journal,
        _sensitivities_beside(prices, suffix) if prices and given["sensitivities"] else None,
    )
    files = {"the journal": None if journal is None else journal.path, "the output": prices}
    files["the sensitivities"] = outputs.sensitivities
    files |= {what: given[name] for name, what in _NAMED.items()} | {"the record": record}
    _check_apart(book, market, files)
    for path in outputs.files():
        check_writable(path)
    older = frozenset(path for path in outputs.files() if resolved(path).exists())
    return replace(outputs, older=older)


def _sensitivities_beside(prices: Path, suffix: str) -> Path:
    return prices.with_name(f"{prices.stem}.sensitivities{suffix}")


def _check_apart(
    book: Path | None, market: Mapping[str, Path | None], files: Mapping[str, Path | None]
) -> None:
    """Raises when two of a run's files would be the same one."""
    used = {} if book is None else {resolved(book): "the book"}
    for name, path in market.items():
        if path is not None:
            used.setdefault(resolved(path), f"the {name}")
    for what, path in files.items():
        if path is None:
            continue
        other = used.setdefault(resolved(path), what)
        if other != what:
            raise InputError(f"{what} {path} would be the same file as {other}; name another one")


def _path(value: Any) -> Path | None:
    return None if value is None else Path(value)


def _trace_text(priced: Priced) -> str:
    from makespan.pricing.perfetto import perfetto_text

    asked = priced.record["settings"]
    settings = {name: asked[name] for name in ("policy", "dispatcher", "mode")}
    return perfetto_text(priced.timeline(), f"makespan {priced.record['book']}", settings)


def _report_text(priced: Priced) -> str:
    from makespan.pricing.page import schedule_html

    return schedule_html(priced.timeline(), priced.record)
