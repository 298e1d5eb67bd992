# SPDX-License-Identifier: Apache-2.0
"""Reads a CSV book: comma-separated UTF-8 with a header line, quotes as in RFC 4180.

polars parses, but it takes short lines, stray quotes and repeated names without a word. So the
structure is checked first, on the positions of all quotes, commas and line ends at once. Cells
come out as text; turning them into numbers is the business of `cells`.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from makespan.base.errors import BookError, Problem
from makespan.pricing.book.source import RawBook, check_names_unique, unreadable

if TYPE_CHECKING:
    import polars as pl

Positions = NDArray[np.int64]

_QUOTE, _COMMA, _NEWLINE = b'",\n'


def read_csv(path: Path, data: bytes) -> RawBook:
    """Every cell of the file as text, empty ones as null; raises `BookError`."""
    name = path.name
    data = _cleaned(name, data)
    records = _Records(name, data)
    header, data, lines = records.split()
    columns = _header_names(name, header)
    check_names_unique(name, columns)
    records.check_fields(columns)
    if not data:
        raise unreadable(name, "it has a header but no options; add one row per option")
    return RawBook(name, _parsed(name, columns, data), is_csv=True, lines=lines)


def _cleaned(name: str, data: bytes) -> bytes:
    """The text without byte order mark and carriage returns."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise unreadable(name, "it is UTF-16 text; save it as UTF-8")
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.strip():
        raise unreadable(name, "it is empty; a book has a header line and one row per option")
    nul = data.find(b"\0")
    if nul >= 0:
        raise unreadable(name, f"{_line(data, nul)} contains a NUL byte; is this a text file?")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = f"{_line(data, error.start)} is not UTF-8 (byte 0x{data[error.start]:02x})"
        raise unreadable(name, f"{bad}; save the file as UTF-8") from None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"


def _line(data: bytes, position: int) -> str:
    number = data.count(b"\n", 0, position) + 1
    return f"line {number}"


class _Records:
    """Where the records of a CSV text begin and end, and how many fields each has."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        codes = np.frombuffer(data, dtype=np.uint8)
        self.quotes: Positions = np.flatnonzero(codes == _QUOTE)
        self._check_quotes(codes)
        self.newlines: Positions = np.flatnonzero(codes == _NEWLINE)
        self.ends = self._outside_quotes(self.newlines)
        self.starts = np.concatenate(([0], self.ends[:-1] + 1))
        commas = self._outside_quotes(np.flatnonzero(codes == _COMMA))
        self.fields = np.diff(np.searchsorted(commas, self.ends), prepend=0) + 1
        self.lines = np.searchsorted(self.newlines, self.starts) + 1
        self.filled = self._not_blank()

    def _outside_quotes(self, positions: Positions) -> Positions:
        """Those with an even number of quotes before them; a doubled quote counts twice."""
        if self.quotes.size == 0:
            return positions
        before = np.searchsorted(self.quotes, positions)
        return np.asarray(positions[before % 2 == 0], dtype=np.int64)

    def _check_quotes(self, codes: NDArray[np.uint8]) -> None:
        """A quote opens after a comma or line end and closes before one."""
        if self.quotes.size == 0:
            return
        if self.quotes.size % 2:
            raise unreadable(self.name, self._open_quote())
        before = np.where(self.quotes > 0, codes[self.quotes - 1], _NEWLINE)
        after = codes[np.minimum(self.quotes + 1, len(codes) - 1)]
        opens = np.arange(self.quotes.size) % 2 == 0
        edge_before = np.isin(before, (_QUOTE, _COMMA, _NEWLINE))
        edge_after = np.isin(after, (_QUOTE, _COMMA, _NEWLINE))
        stray = np.where(opens, ~edge_before, ~edge_after)
        if stray.any():
            place = _line(self.data, int(self.quotes[np.argmax(stray)]))
            text = f'{place} has a quote inside a field; write a whole field as "..." and " as ""'
            raise unreadable(self.name, text)

    def _open_quote(self) -> str:
        """Names the line of the quote that most likely is the open one: the last opening."""
        place = _line(self.data, int(self.quotes[-1]))
        return f"a quote is never closed (the last one is on {place}); close it or remove it"

    def _not_blank(self) -> NDArray[np.bool_]:
        """Records with anything in them: blank lines do not count as options."""
        filled = np.asarray(self.ends > self.starts)
        for i in np.flatnonzero((self.fields == 1) & filled).tolist():
            filled[i] = bool(self.data[self.starts[i] : self.ends[i]].strip())
        return filled

    def split(self) -> tuple[bytes, bytes, list[int] | None]:
        """Header record, all other records, and their line numbers where lines are uneven."""
        rows = np.flatnonzero(self.filled)
        first = rows[0]
        header = self.data[self.starts[first] : self.ends[first]]
        lines = self.lines[rows[1:]]
        if np.array_equal(lines, np.arange(2, len(lines) + 2)):
            return header, self.data[self.ends[first] + 1 : self.ends[rows[-1]] + 1], None
        kept = (self.data[self.starts[i] : self.ends[i] + 1] for i in rows[1:].tolist())
        return header, b"".join(kept), lines.tolist()

    def check_fields(self, columns: list[str]) -> None:
        """Raises `BookError` naming every row whose number of fields is not the header's."""
        rows = np.flatnonzero(self.filled)[1:]
        wrong = np.flatnonzero(self.fields[rows] != len(columns))
        if not wrong.size:
            return
        problems = []
        for row in wrong.tolist():
            count, line = int(self.fields[rows[row]]), int(self.lines[rows[row]])
            fields = "1 field" if count == 1 else f"{count} fields"
            text = f"{fields}, but the header has {len(columns)}; is a comma missing or too many?"
            problems.append(Problem(text, row + 1, line=None if line == row + 2 else line))
        raise BookError(self.name, problems, first_line=True)


def _header_names(name: str, header: bytes) -> list[str]:
    """Column names of the header record, without quotes and surrounding blanks."""
    text = header.decode("utf-8")
    fields = re.findall(r'(?:^|,)("(?:[^"]|"")*"|[^,]*)', text)
    names = [_unquoted(field).strip() for field in fields]
    other = re.search(r"[;\t|]", text)
    if len(names) == 1 and other is not None:
        raise unreadable(name, f"columns are separated by {other[0]!r}; a book needs commas")
    empty = [place for place, column in enumerate(names, 1) if not column]
    if empty:
        raise unreadable(name, f"column {empty[0]} has no name in the header; name or remove it")
    return names


def _unquoted(field: str) -> str:
    return field[1:-1].replace('""', '"') if field.startswith('"') else field


def _parsed(name: str, columns: list[str], data: bytes) -> pl.DataFrame:
    import polars as pl

    # A text that begins with "x^" looks compressed to polars: this header stands before it.
    plain_header = ",".join(f"column{place}" for place in range(len(columns)))
    try:
        frame = pl.read_csv(
            plain_header.encode() + b"\n" + data,
            infer_schema=False,
            new_columns=columns,
            schema_overrides=[pl.String] * len(columns),
        )
    except pl.exceptions.PolarsError as error:
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise unreadable(name, f"it is not a CSV table ({text})") from None
    return frame.with_columns(pl.all().str.strip_chars())
