# SPDX-License-Identifier: Apache-2.0
"""Which files a run writes, decided and tried before any pricing starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from makespan.atomic import check_writable
from makespan.book.files import ARROW_SUFFIXES, check_suffix
from makespan.cli.reports import check_report
from makespan.errors import InputError
from makespan.extras import require


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where prices and record go; `replaces` says that there are older prices."""

    prices: Path
    suffix: str
    record: Path
    replaces: bool
    trace: Path | None = None
    report: Path | None = None

    def files(self) -> list[Path]:
        """All that is written, the prices first."""
        more = (path for path in (self.trace, self.report) if path is not None)
        return [self.prices, self.record, *more]


def planned_outputs(
    book: Path, named: Path | None, others: Mapping[str, Path | None], journal: Path | None
) -> Outputs:
    """Default: `prices` with the book's extension, in the book's folder; the record beside it.

    `others`: the record, the trace and the report, where they were named. A file that was named is
    replaced. The default one is replaced only when a record beside it
    shows that makespan wrote it. Raises `InputError`, `NotConfiguredError`.
    """
    suffix = check_suffix(book if named is None else named)
    check_report(others.get("the report"))
    for path in (book, named):
        if path is not None and path.suffix.lower() in ARROW_SUFFIXES:
            require("arrow", for_=str(path))
    prices = book.with_name(f"prices{suffix}") if named is None else named
    beside = prices.with_name(f"{prices.stem}.record.json")
    record = others.get("the record") or beside
    named_files = {"the journal": journal, "the output": prices, **others, "the record": record}
    _check_apart(book, named_files)
    if named is None and prices.exists() and not beside.exists():
        raise InputError(
            f"{prices} exists and no {beside.name} says that makespan wrote it; "
            "name a file with -o (a named file is replaced)"
        )
    trace, report = others.get("the trace"), others.get("the report")
    outputs = Outputs(prices, suffix, record, prices.exists(), trace, report)
    for path in outputs.files():
        check_writable(path)
    return outputs


def _check_apart(book: Path, files: Mapping[str, Path | None]) -> None:
    """Raises when two of a run's files would be the same one."""
    used = {book.resolve(): "the book"}
    for what, path in files.items():
        if path is None:
            continue
        other = used.setdefault(path.resolve(), what)
        if other != what:
            raise InputError(f"{what} {path} would be the same file as {other}; name another one")
