# SPDX-License-Identifier: Apache-2.0
"""Throws damaged books at the reader: `python tests/python/fuzz_book.py --minutes 10 --seed 1`.

Goal: whatever the bytes, a book is priced or refused with a message; no crash, no hang, no other
exception. Method: whole books in CSV, Parquet and Arrow are mutated byte by byte and token by
token. A worker process reads them one after the other, each under an alarm that ends the process;
the parent sees how a worker ended, keeps the file that did it in `build/fuzz-book/`, and goes on.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "python")]

import fake_core  # noqa: E402
import numpy as np  # noqa: E402
import polars as pl  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from makespan.base.engine import Engine, load_engine  # noqa: E402
from makespan.base.errors import InputError  # noqa: E402
from makespan.pricing.book import Book, Defaults, checked_book, raw_book  # noqa: E402
from makespan.pricing.input import Settings  # noqa: E402
from makespan.pricing.price_table import price_table  # noqa: E402
from makespan.pricing.run import run_book  # noqa: E402

PATHS = 64
FIXINGS_MAX = 1000
KEPT = ROOT / "build" / "fuzz-book"
CASE_S_MAX = 10
CASES_PER_WORKER = 2000
CURRENT = "current"

TOKENS = (
    b"", b" ", b",", b";", b"\n", b"\r\n", b"\r", b'"', b'""', b"\0", b"\xff", b"\xef\xbb\xbf",
    b"nan", b"inf", b"-inf", b"1e999", b"-1", b"0", b"-0.0", b"1e-320", b"9223372036854775808",
    b"18446744073709551616", b"1_000", b"0x10", b"true", b"null", b"2026-01-31", b"call", b"put",
    b"strike", b"geometric", b"explicit", b"include_start", b"0.25;0.5;1", b";;", b"1;1", b"1;0",
    b"S", b"spot", b"vol", b"past_fixings_count", "é".encode(), "\u202e".encode(), b"=1+1", b"'",
)  # fmt: skip


def sample_books() -> list[tuple[str, bytes]]:
    """Whole books, as (extension, bytes): every format, several encodings of each."""
    texts = [(HERE.parents[1] / "examples" / name).read_bytes() for name in _EXAMPLES]
    samples = [(".csv", b"\n".join(text.split(b"\n")[:12]) + b"\n") for text in texts]
    for text in texts:
        frame = pl.read_csv(text, infer_schema_length=None).head(12)
        if "fixing_times" in frame.columns:
            times = pl.col("fixing_times").str.split(";").cast(pl.List(pl.Float64))
            frame = frame.with_columns(times)
        table = frame.to_arrow()
        for compression in ("none", "snappy", "zstd"):
            sink = io.BytesIO()
            pq.write_table(table, sink, compression=compression)
            samples.append((".parquet", sink.getvalue()))
        sink = io.BytesIO()
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        samples.append((".arrow", sink.getvalue()))
    return samples


_EXAMPLES = ("book.csv", "mixed_book.csv")


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The same book with one to eight things wrong with it."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        chance.choice(_MUTATIONS)(changed, chance)
    return bytes(changed)


def _place(data: bytearray, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def _flip(data: bytearray, chance: random.Random) -> None:
    if data:
        data[chance.randrange(len(data))] = chance.randrange(256)


def _insert(data: bytearray, chance: random.Random) -> None:
    place = _place(data, chance)
    data[place:place] = chance.choice(TOKENS)


def _replace_cell(data: bytearray, chance: random.Random) -> None:
    """Overwrites what stands between two commas or line ends, as in CSV."""
    edges = [i for i, byte in enumerate(data) if byte in b",\n"]
    if len(edges) >= 2:
        which = chance.randrange(len(edges) - 1)
        data[edges[which] + 1 : edges[which + 1]] = chance.choice(TOKENS)


def _truncate(data: bytearray, chance: random.Random) -> None:
    if chance.random() < 0.3:
        del data[_place(data, chance) :]


def _remove(data: bytearray, chance: random.Random) -> None:
    place = _place(data, chance)
    del data[place : place + chance.randint(1, 30)]


def _repeat(data: bytearray, chance: random.Random) -> None:
    place = _place(data, chance)
    part = data[place : place + chance.randint(1, 60)]
    data[place:place] = part * chance.choice((1, 2, 50))


def _swap(data: bytearray, chance: random.Random) -> None:
    first, second = _place(data, chance), _place(data, chance)
    part = bytes(data[first : first + 20])
    data[first : first + 20] = data[second : second + 20]
    data[second : second + 20] = part


def _extreme_word(data: bytearray, chance: random.Random) -> None:
    """A length or offset inside a binary format becomes enormous or negative."""
    place = _place(data, chance)
    width = chance.choice((1, 2, 4, 8))
    data[place : place + width] = chance.choice((b"\xff", b"\x7f", b"\x80", b"\x00")) * width


_MUTATIONS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    _flip, _insert, _replace_cell, _replace_cell, _truncate, _remove, _repeat, _swap, _extreme_word
)  # fmt: skip


def read_and_price(path: Path, engine: Engine, *, skip_invalid: bool) -> str:
    """How one file ended: 'priced' or 'refused'. Any other end is a defect."""
    settings = Settings(paths=PATHS)
    try:
        book = checked_book(raw_book(path), Defaults(paths=PATHS), skip_invalid=skip_invalid)
    except InputError as error:
        if not str(error).strip():
            raise AssertionError("an error without a message") from error
        return "refused"
    make_small(book)
    table = price_table(book, run_book(engine, book, settings), settings)
    assert table.height == book.rows
    priced = table["price"].is_not_null() | table["error"].is_not_null()
    assert priced.all(), "a row without price and without error"
    return "priced"


def make_small(book: Book) -> None:
    """Few paths and fixings, whatever the rows ask for: the reader is under test, not patience."""
    columns = book.columns
    columns["paths"][:] = PATHS
    columns["std_error"][:] = 0.0
    spaced = np.diff(columns["times_offset"]) == 0
    columns["fixings"][spaced] = np.minimum(columns["fixings"][spaced], FIXINGS_MAX)


def chosen_engine(name: str) -> Engine:
    """The real engine, or the fake one, which is fast and never fails."""
    return fake_core if name == "fake" else load_engine()


def work(seed: int, folder: Path, engine: Engine) -> None:
    """Reads `CASES_PER_WORKER` mutated books; dies with the first that misbehaves."""
    samples = sample_books()
    counts = {"priced": 0, "refused": 0}
    for case in range(CASES_PER_WORKER):
        chance = random.Random(f"{seed}/{case}")
        suffix, data = chance.choice(samples)
        path = folder / f"{CURRENT}{suffix}"
        path.write_bytes(mutated(data, chance))
        signal.alarm(CASE_S_MAX)
        counts[read_and_price(path, engine, skip_invalid=chance.random() < 0.7)] += 1
        signal.alarm(0)
        path.unlink()
    print(counts["priced"], counts["refused"])


def fuzz(minutes: float, first_seed: int, engine: str) -> int:
    """Number of defects found in about this many minutes."""
    end = time.monotonic() + 60 * minutes
    priced = refused = defects = 0
    seed = first_seed
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory(prefix="fuzz_book_") as folder:
            arguments = ["--worker", folder, "--seed", str(seed), "--engine", engine]
            command = [sys.executable, __file__, *arguments]
            worker = subprocess.run(command, capture_output=True, text=True, check=False)
            if worker.returncode == 0:
                counts = worker.stdout.split()
                priced, refused = priced + int(counts[0]), refused + int(counts[1])
            else:
                defects += 1
                _keep(Path(folder), seed, worker)
        seed += 1
    print(f"{priced} books priced, {refused} refused, {defects} defects")
    return defects


def _keep(folder: Path, seed: int, worker: subprocess.CompletedProcess[str]) -> None:
    """Saves the file that ended a worker, and says how it ended."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for path in folder.glob(f"{CURRENT}.*"):
        kept = KEPT / f"seed{seed}{path.suffix}"
        shutil.copy(path, kept)
        print(f"worker {seed} ended with {worker.returncode} on {kept}")
    print(worker.stderr[-3000:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--engine", choices=("real", "fake"), default="real")
    parser.add_argument("--worker", type=Path, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker is not None:
        work(given.seed, given.worker, chosen_engine(given.engine))
        return 0
    print(f"seed {given.seed}, pid {os.getpid()}", flush=True)
    return 1 if fuzz(given.minutes, given.seed, given.engine) else 0


if __name__ == "__main__":
    raise SystemExit(main())
