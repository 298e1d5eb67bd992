# SPDX-License-Identifier: Apache-2.0
"""Book files, whole and damaged: each is read right or refused with one clear message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from makespan.base.errors import BookError, InputError
from small_books import checked, messages, plain_book

HEAD = b"id,option_type,spot,strike,rate,volatility,expiry,fixings,fixing_grid\n"
ROW_1 = b"A1,call,100.0,100.0,0.05,0.2,1.0,12,exclude_start\n"
ROW_2 = b"A2,call,101.0,100.0,0.05,0.2,1.0,12,exclude_start\n"
GOOD = HEAD + ROW_1 + ROW_2
GOOD_HASH = checked(plain_book(2)).input_hash


def written(folder: Path, data: bytes, name: str = "book.csv") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        GOOD,
        GOOD.rstrip(b"\n"),
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"\n", b"\r"),
        b"\n\n" + HEAD + b"\n" + ROW_1 + b"  \n" + ROW_2 + b"\n\n",
        GOOD.replace(b"A1", b'"A1"').replace(b"spot", b'"spot"').replace(b"call", b'"call"'),
        GOOD.replace(b",", b" , "),
    ],
    ids=["plain", "no end", "bom", "crlf", "cr", "blank lines", "quotes", "spaces"],
)
def test_the_same_csv_in_many_spellings(tmp_path: Path, data: bytes) -> None:
    book = checked(written(tmp_path, data))

    assert book.input_hash == GOOD_HASH


@pytest.mark.parametrize("first", ["x^", "x\x01"])
def test_a_csv_is_text_whatever_its_first_cell_begins_with(tmp_path: Path, first: str) -> None:
    """Two bytes that zlib's streams begin with; `id` is the first column."""
    data = GOOD.replace(b"A1", first.encode())

    assert checked(written(tmp_path, data)).ids.to_list() == [first, "A2"]


def test_quoted_cells_may_hold_anything(tmp_path: Path) -> None:
    data = GOOD.replace(b"A1", b'"a,\n""b"""').replace(b"A2", "ü;,".encode().join((b'"', b'"')))

    assert checked(written(tmp_path, data)).ids.to_list() == ['a,\n"b"', "ü;,"]


CSV_CASES: list[tuple[str, bytes, str]] = [
    ("empty", b"", "it is empty; a book has a header line and one row per option"),
    ("blank", b"\n \n", "it is empty; a book has a header line and one row per option"),
    ("header only", HEAD, "it has a header but no options; add one row per option"),
    ("NUL", GOOD.replace(b"A2", b"\0"), "line 3 contains a NUL byte; is this a text file?"),
    (
        "Latin-1",
        GOOD.replace(b"A2", b"\xe9"),
        "line 3 is not UTF-8 (byte 0xe9); save the file as UTF-8",
    ),
    ("UTF-16", GOOD.decode().encode("utf-16"), "it is UTF-16 text; save it as UTF-8"),
    (
        "same name",
        GOOD.replace(b"strike", b"spot"),
        "column 'spot' is there more than once; keep one",
    ),
    (
        "no name",
        GOOD.replace(b"strike", b""),
        "column 4 has no name in the header; name or remove it",
    ),
    (
        "semicolons",
        GOOD.replace(b",", b";"),
        "columns are separated by ';'; a book needs commas",
    ),
    ("tabs", GOOD.replace(b",", b"\t"), "columns are separated by '\\t'; a book needs commas"),
    (
        "open quote",
        GOOD.replace(b"A2", b'"A2'),
        "a quote is never closed (the last one is on line 3); close it or remove it",
    ),
    (
        "stray quote",
        GOOD.replace(b"A2", b'A"2"'),
        'line 3 has a quote inside a field; write a whole field as "..." and " as ""',
    ),
    (
        "Parquet inside",
        b"PAR1" + GOOD,
        "it is not CSV; rename it to *.parquet",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "expected"), [case[1:] for case in CSV_CASES], ids=[case[0] for case in CSV_CASES]
)
def test_a_csv_file_that_cannot_be_read_says_why(
    tmp_path: Path, data: bytes, expected: str
) -> None:
    with pytest.raises(BookError) as caught:
        checked(written(tmp_path, data))

    assert str(caught.value) == f"book.csv: {expected}"


def test_ragged_lines_are_all_named(tmp_path: Path) -> None:
    data = HEAD + ROW_1 + b"A2,call\n" + ROW_2.rstrip() + b",1,2\n" + b"A4\n"

    assert messages(written(tmp_path, data)) == [
        "row 2: 2 fields, but the header has 9; is a comma missing or too many?",
        "row 3: 11 fields, but the header has 9; is a comma missing or too many?",
        "row 4: 1 field, but the header has 9; is a comma missing or too many?",
    ]


def test_wrong_numbers_are_problems_of_their_rows(tmp_path: Path) -> None:
    data = GOOD.replace(b"A1,call,100.0", b"A1,call,abc").replace(b",12,", b",1e1000,")

    assert messages(written(tmp_path, data)) == [
        "row 1 (A1): spot must be a number, got 'abc'",
        "row 1 (A1): fixings must be a whole number, got '1e1000'",
        "row 2 (A2): fixings must be a whole number, got '1e1000'",
    ]


def parquet(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path)


def arrow(frame: pl.DataFrame, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, frame.to_arrow().schema) as file:
        file.write_table(frame.to_arrow())


BINARY = [("book.parquet", parquet), ("book.pq", parquet), ("book.arrow", arrow)]
BINARY += [("book.feather", arrow), ("BOOK.IPC", arrow)]


@pytest.mark.parametrize(("name", "write"), BINARY, ids=[name for name, _ in BINARY])
def test_binary_files_hold_the_same_book(
    tmp_path: Path, name: str, write: Callable[[pl.DataFrame, Path], None]
) -> None:
    write(plain_book(2), tmp_path / name)

    assert checked(tmp_path / name).input_hash == GOOD_HASH


@pytest.mark.parametrize(("name", "write"), BINARY[::2], ids=[name for name, _ in BINARY[::2]])
def test_a_binary_file_cut_anywhere_is_refused(
    tmp_path: Path, name: str, write: Callable[[pl.DataFrame, Path], None]
) -> None:
    write(plain_book(2), tmp_path / name)
    whole = (tmp_path / name).read_bytes()

    for length in range(0, len(whole) - 1, 97):
        (tmp_path / name).write_bytes(whole[:length])
        with pytest.raises(BookError) as caught:
            checked(tmp_path / name)
        assert str(caught.value).startswith(f"{name}: ")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "kind", "magic"),
    [("book.parquet", "Parquet", b"PAR1"), ("book.arrow", "Arrow IPC", b"ARROW1")],
)
def test_first_bytes_must_agree_with_the_extension(
    tmp_path: Path, name: str, kind: str, magic: bytes
) -> None:
    with pytest.raises(BookError) as caught:
        checked(written(tmp_path, GOOD, name))

    assert str(caught.value) == (
        f"{name}: no {kind} file (it begins with b'id,opt', not {magic!r}); "
        "give it the extension of what it is"
    )


def test_a_stream_of_arrow_is_called_so(tmp_path: Path) -> None:
    table = plain_book(1).to_arrow()
    with pa.ipc.new_stream(tmp_path / "book.arrow", table.schema) as writer:
        writer.write_table(table)

    with pytest.raises(BookError, match="it is a stream of Arrow IPC, not a file; write it by"):
        checked(tmp_path / "book.arrow")


def test_a_parquet_file_with_one_name_twice_is_refused(tmp_path: Path) -> None:
    table = plain_book(1).to_arrow()
    pq.write_table(table.append_column("spot", table["spot"]), tmp_path / "book.parquet")

    assert messages(tmp_path / "book.parquet") == [
        "column 'spot' is there more than once; keep one"
    ]


def test_nested_columns_are_refused_by_name(tmp_path: Path) -> None:
    book = plain_book(1).with_columns(spot=pl.struct("strike", "rate"), strike=pl.lit(b"100"))
    book.write_parquet(tmp_path / "book.parquet")

    found = messages(tmp_path / "book.parquet")

    assert [text.partition(", got")[0] for text in found] == [
        "column 'spot' must hold numbers",
        "column 'strike' must hold numbers",
    ]


@pytest.mark.parametrize("name", ["book.csv", "book.parquet", "book.arrow"])
def test_a_file_that_is_not_there_is_named_with_what_is(tmp_path: Path, name: str) -> None:
    written(tmp_path, GOOD, "other.csv")

    with pytest.raises(InputError, match=rf"{name} does not exist; that folder has other.csv"):
        checked(tmp_path / name)


def test_a_folder_is_no_book(tmp_path: Path) -> None:
    (tmp_path / "book.csv").mkdir()

    with pytest.raises(InputError, match="is not a file; name a book"):
        checked(tmp_path / "book.csv")


@pytest.mark.parametrize("name", ["book.xlsx", "book"])
def test_an_unknown_extension_lists_the_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"says no format; use one of \.csv, \.parquet"):
        checked(written(tmp_path, GOOD, name))


ANY_CELL = st.one_of(
    st.text(max_size=8),
    st.floats().map(repr),
    st.sampled_from(["", "call", "put", "1", "0.5;1", "explicit", "inf", "-0.0", "1e400"]),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=st.lists(st.lists(ANY_CELL, min_size=9, max_size=9), min_size=1, max_size=4))
def test_any_cells_give_a_message_or_a_book(tmp_path: Path, cells: list[list[str]]) -> None:
    """Property: whatever text is in the cells, polars' own CSV writing of it reads back."""
    names = HEAD.decode().strip().split(",")
    columns: dict[str, Any] = dict(zip(names, map(list, zip(*cells, strict=True)), strict=True))
    path = tmp_path / "book.csv"
    pl.DataFrame(columns).write_csv(path)

    found = messages(path)

    assert found or checked(path).rows <= len(cells)
