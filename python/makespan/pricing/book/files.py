# SPDX-License-Identifier: Apache-2.0
"""Opens a book file. The extension says what it is; the first bytes must agree."""

from __future__ import annotations

from pathlib import Path

from makespan.base.errors import InputError
from makespan.pricing.book.arrow_files import (
    ARROW_MAGIC,
    PARQUET_MAGIC,
    STREAM_MAGIC,
    read_ipc,
    read_parquet,
)
from makespan.pricing.book.csv_text import read_csv
from makespan.pricing.book.source import RawBook, unreadable

CSV_SUFFIXES = (".csv",)
PARQUET_SUFFIXES = (".parquet", ".pq")
ARROW_SUFFIXES = (".arrow", ".feather", ".ipc")
SUFFIXES = CSV_SUFFIXES + PARQUET_SUFFIXES + ARROW_SUFFIXES


def check_suffix(path: Path) -> str:
    """The file's extension in lower case; raises `InputError` when it is none of ours."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        said = f"extension '{path.suffix}'" if path.suffix else "a name without extension"
        raise InputError(f"{path}: {said} says no format; use one of {', '.join(SUFFIXES)}")
    return suffix


def read_book_file(path: Path) -> RawBook:
    """The cells of a CSV, Parquet or Arrow file; raises `InputError` or `BookError`."""
    suffix = check_suffix(path)
    _check_readable(path)
    if suffix in CSV_SUFFIXES:
        data = path.read_bytes()
        _check_not_binary(path, data[:8])
        return read_csv(path, data)
    with path.open("rb") as file:
        magic = file.read(8)
    if not magic:
        raise unreadable(path.name, "it is empty")
    if suffix in PARQUET_SUFFIXES:
        _check_magic(path, magic, PARQUET_MAGIC, "Parquet")
        return read_parquet(path)
    _check_magic(path, magic, ARROW_MAGIC, "Arrow IPC")
    return read_ipc(path)


def _check_readable(path: Path) -> None:
    try:
        _check_is_file(path)
        path.open("rb").close()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; check its permissions") from error


def _check_is_file(path: Path) -> None:
    if not path.exists():
        near = [f.name for f in path.parent.glob("*") if f.suffix.lower() in SUFFIXES]
        hint = f"; that folder has {', '.join(sorted(near)[:5])}" if near else ""
        raise InputError(f"{path} does not exist{hint}")
    if not path.is_file():
        raise InputError(f"{path} is not a file; name a book")


def _check_magic(path: Path, magic: bytes, expected: bytes, kind: str) -> None:
    if magic.startswith(expected):
        return
    if expected == ARROW_MAGIC and magic.startswith(STREAM_MAGIC):
        text = "it is a stream of Arrow IPC, not a file; write it by pyarrow.ipc.new_file"
        raise unreadable(path.name, text)
    text = f"no {kind} file (it begins with {magic[:6]!r}, not {expected!r})"
    raise unreadable(path.name, f"{text}; give it the extension of what it is")


def _check_not_binary(path: Path, magic: bytes) -> None:
    for known, suffix in ((PARQUET_MAGIC, ".parquet"), (ARROW_MAGIC, ".arrow")):
        if magic.startswith(known):
            raise unreadable(path.name, f"it is not CSV; rename it to *{suffix}")
