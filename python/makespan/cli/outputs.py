# SPDX-License-Identifier: Apache-2.0
"""Which files a run writes, decided and tried before any pricing starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from makespan.atomic import check_writable
from makespan.book.files import check_suffix
from makespan.errors import InputError


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where prices and record go; `replaces` says that there are older prices."""

    prices: Path
    suffix: str
    record: Path
    replaces: bool


def planned_outputs(
    book: Path, named: Path | None, record: Path | None, journal: Path | None
) -> Outputs:
    """Default: `prices` with the book's extension, in the book's folder; the record beside it.

    A file that was named is replaced. The default one is replaced only when a record beside it
    shows that makespan wrote it. Raises `InputError`.
    """
    suffix = check_suffix(book if named is None else named)
    prices = book.with_name(f"prices{suffix}") if named is None else named
    beside = prices.with_name(f"{prices.stem}.record.json")
    _check_apart(book, prices, record or beside, journal)
    if named is None and prices.exists() and not beside.exists():
        raise InputError(
            f"{prices} exists and no {beside.name} says that makespan wrote it; "
            "name a file with -o (a named file is replaced)"
        )
    for path in (prices, record or beside):
        check_writable(path)
    return Outputs(prices, suffix, record or beside, prices.exists())


def _check_apart(book: Path, prices: Path, record: Path, journal: Path | None) -> None:
    """Raises when two of a run's files would be the same one."""
    used = {book.resolve(): "the book"}
    for path, what in ((journal, "the journal"), (prices, "the output"), (record, "the record")):
        if path is None:
            continue
        other = used.setdefault(path.resolve(), what)
        if other != what:
            raise InputError(f"{what} {path} would be the same file as {other}; name another one")
