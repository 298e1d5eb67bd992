# SPDX-License-Identifier: Apache-2.0
"""The same book gives the same bits on any devices, and however the run is cut up."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from book_rows import GREEKS, book_of, book_row
from makespan.base.engine import load_engine
from oracle.cases import new_cases

import makespan

METHODS = ("mc", "rqmc", "mc_plain")
ENGINE = load_engine()
POLICIES = [policy["name"] for policy in ENGINE.policies()]
MODES = [mode["name"] for mode in ENGINE.modes()]
DISPATCHERS = [dispatcher["name"] for dispatcher in ENGINE.dispatchers()]

# How long a row was computed is not part of its answer.
NOT_BITS = ("seconds",)

RUN_TIMEOUT_S = 300  # under a sanitizer a run is twenty times as slow


def mixed_book() -> pl.DataFrame:
    """Every kind of row; fixed paths that fill no block evenly, and targets of several rounds."""
    rows = []
    for position, case in enumerate(new_cases(60)):
        if len(case.contract.times) > 150:
            continue
        accuracy: dict[str, Any] = {"paths": 9_973 + 101 * position}
        if position % 3 == 0:
            accuracy = {"std_error": 3e-4 * case.contract.spot, "max_paths": 1 << 18}
        rows.append(book_row(case.id, case.contract, **accuracy))
    return book_of(rows)


BOOK = mixed_book()


def bits_of(prices: pl.DataFrame) -> dict[str, str]:
    """Digest of every output row by id, over the bits of its numbers."""
    kept = prices.drop(NOT_BITS)
    digests = {}
    for row in kept.iter_rows(named=True):
        digest = hashlib.sha256()
        for name in sorted(row):
            value = row[name]
            encoded = value.hex() if isinstance(value, float) else repr(value)
            digest.update(f"{name}={encoded};".encode())
        digests[str(row["id"])] = digest.hexdigest()
    return digests


def price(book: pl.DataFrame, **settings: Any) -> dict[str, str]:
    return bits_of(makespan.price(book, greeks=True, seed=5, **settings).table)


@pytest.fixture(scope="module", params=METHODS)
def method(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def alone(method: str) -> dict[str, str]:
    """The bits that one thread computes."""
    return price(BOOK, method=method, threads=1)


def test_bits_are_of_this_seed(method: str, alone: dict[str, str]) -> None:
    """The comparison can fail: another seed changes the rows, but for those that never pay."""
    other = bits_of(makespan.price(BOOK, greeks=True, seed=6, method=method).table)
    prices = makespan.price(BOOK, greeks=True, seed=5, method=method).table
    simulated = prices.filter(pl.col("status") != "deterministic")["id"]

    assert len(alone) == len(BOOK)
    assert len(simulated) >= 25
    assert sum(other[row_id] != alone[row_id] for row_id in simulated) >= 0.9 * len(simulated)


def test_every_number_is_there(method: str) -> None:
    """A number that is missing everywhere would be the same everywhere."""
    prices = makespan.price(BOOK, greeks=True, seed=5, method=method).table
    numbers = ["price", "std_error", *GREEKS, *(f"{name}_std_error" for name in GREEKS)]

    missing = prices.filter(pl.any_horizontal(pl.col(numbers).is_null()))

    assert missing["id"].to_list() == []


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_any_number_of_threads(method: str, alone: dict[str, str], threads: int) -> None:
    assert price(BOOK, method=method, threads=threads) == alone


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("policy", POLICIES)
def test_any_policy_and_mode(method: str, alone: dict[str, str], policy: str, mode: str) -> None:
    assert price(BOOK, method=method, threads=3, policy=policy, mode=mode) == alone


def test_pieces_are_claimed_as_the_settings_say() -> None:
    """Goal: that policies, modes and dispatchers above are not one and the same."""
    few = BOOK.gather_every(2)

    def claims(**settings: Any) -> int:
        """A count that no clock has to do with."""
        result = makespan.price(few, greeks=True, seed=5, threads=3, policy="self", **settings)
        return int(result.record["engine"]["claims"])

    assert claims() > len(few)  # pieces of options one by one
    assert claims(mode="mo") == claims(dispatcher="boss") == len(few)
    assert claims(dispatcher="static") < len(few)
    static = makespan.price(few, greeks=True, seed=5, threads=3, policy="static")
    assert static.record["engine"]["claims"] < len(few)


UNEVEN = "cpu[threads=2,isa={},mode={}] cpu[threads=1,isa={}]"
BEST, *_, WORST = [*ENGINE.available_isas(), "one_lane"]
PERTURBATIONS = [[], ["fail:0@20"], ["slow:1@0:3"], ["fail:1@3", "slow:0@0:2"]]
LATE = ["fail:1@100", "slow:0@0:2"]
"""Of a longer book; a static share need not have as many items."""


def on_uneven_devices(
    book: pl.DataFrame, mode: str, dispatcher: str, perturb: list[str], **settings: Any
) -> dict[str, str]:
    """Its bits. Only who is told to fails, and who has a share of its own comes to do it."""
    devices = UNEVEN.format(BEST, mode, WORST)
    given = {"devices": devices, "dispatcher": dispatcher, "perturb": perturb, **settings}
    result = makespan.price(book, greeks=True, seed=5, **given)
    told = [any(f"fail:{number}" in one for one in perturb) for number in range(2)]
    failed = [device["failed"] for device in result.record["engine"]["devices"]]
    assert all(said for said, did in zip(told, failed, strict=True) if did)
    if dispatcher == "static" and perturb is not LATE:
        assert failed == told
    return bits_of(result.table)


@pytest.mark.parametrize("perturb", PERTURBATIONS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dispatcher", DISPATCHERS)
def test_any_devices(dispatcher: str, mode: str, perturb: list[str]) -> None:
    """Unequal devices, one of which slows down or fails in the middle."""
    few = BOOK.gather_every(2)

    assert on_uneven_devices(few, mode, dispatcher, perturb) == price(few, threads=1)


@pytest.mark.parametrize("perturb", [*PERTURBATIONS, LATE])
def test_any_devices_with_any_method(
    method: str, alone: dict[str, str], perturb: list[str]
) -> None:
    for dispatcher in ("steal", "static"):
        assert on_uneven_devices(BOOK, "mth", dispatcher, perturb, method=method) == alone


def test_a_device_that_fails_is_said_to_have_failed(alone: dict[str, str], method: str) -> None:
    result = makespan.price(
        BOOK,
        greeks=True,
        seed=5,
        method=method,
        devices="cpu[threads=1] cpu[threads=1]",
        perturb=["fail:0@0"],
    )

    assert bits_of(result.table) == alone
    assert [device["failed"] for device in result.record["engine"]["devices"]] == [True, False]
    assert result.record["engine"]["devices"][0]["work"] == 0.0


@pytest.mark.parametrize("isa", ENGINE.available_isas())
def test_any_instruction_set(method: str, alone: dict[str, str], isa: str) -> None:
    assert price(BOOK, method=method, threads=2, isa=isa) == alone


@pytest.mark.parametrize("isa", ENGINE.available_isas())
def test_any_instruction_set_in_double_precision(isa: str) -> None:
    few = BOOK.head(9)

    best = price(few, precision="double", threads=1)

    assert price(few, precision="double", threads=1, isa=isa) == best


def test_any_order_of_rows(method: str, alone: dict[str, str]) -> None:
    shuffled = BOOK.sample(fraction=1.0, shuffle=True, seed=3)

    assert price(shuffled, method=method) == alone


def test_any_part_of_the_book(method: str, alone: dict[str, str]) -> None:
    part = BOOK.gather_every(3, offset=1)

    bits = price(part, method=method)

    assert bits == {row_id: alone[row_id] for row_id in part["id"]}


def test_any_number_of_calls(alone: dict[str, str], method: str) -> None:
    assert price(BOOK, method=method) == alone


def write_csv(book: pl.DataFrame, path: Path) -> None:
    """CSV has no lists: times are joined by semicolons, every number in its shortest exact form."""
    lists = book["fixing_times"].to_list()
    times = [";".join(map(repr, cell)) if cell is not None else None for cell in lists]
    book.with_columns(pl.Series("fixing_times", times, dtype=pl.String)).write_csv(path)


def test_csv_and_parquet_give_the_same_bits(
    tmp_path: Path, alone: dict[str, str], method: str
) -> None:
    write_csv(BOOK, tmp_path / "book.csv")
    BOOK.reverse().write_parquet(tmp_path / "book.parquet")

    from_csv = makespan.price(tmp_path / "book.csv", greeks=True, seed=5, method=method).table
    from_parquet = makespan.price(
        tmp_path / "book.parquet", greeks=True, seed=5, method=method
    ).table

    assert bits_of(from_csv) == alone
    assert bits_of(from_parquet) == alone


def command(book: Path, output: Path, *extra: str) -> list[str]:
    """Command line of one run on two threads, so that its length is much the same everywhere."""
    fixed = ("--greeks", "--seed", "5", "--threads", "2", "-o", str(output))
    return [sys.executable, "-m", "makespan", "price", str(book), *fixed, *extra]


def run_command(arguments: list[str]) -> None:
    subprocess.run(arguments, check=True, capture_output=True, timeout=RUN_TIMEOUT_S)


def traces_of(journal: Path) -> set[tuple[str, int, int]]:
    """Names, sizes and times of the journal's files: these change when a run works on them."""
    found = ((path.name, path.stat()) for path in journal.parent.glob(journal.name + "*"))
    return {(name, state.st_size, state.st_mtime_ns) for name, state in found}


def kill_after(arguments: list[str], journal: Path, seconds: float) -> bool:
    """Kill a run `seconds` after it first touches its journal; says whether it still ran."""
    before = traces_of(journal)
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while process.poll() is None and traces_of(journal) == before:
        time.sleep(0.001)
    time.sleep(seconds)
    running = process.poll() is None
    if running:
        os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=RUN_TIMEOUT_S)
    return running


def long_book(folder: Path) -> Path:
    """A book of a few seconds, in rows small enough that a kill falls between two of them."""
    contract = new_cases(1)[0].contract
    rows = (book_row(f"row-{n}", contract, paths=1_000_000 + 1000 * n) for n in range(150))
    path = folder / "book.parquet"
    book_of(rows).write_parquet(path)
    return path


def record_of(output: Path) -> dict[str, Any]:
    """Run record that lies in the metadata of the prices."""
    record: dict[str, Any] = json.loads(pl.read_parquet_metadata(output)["makespan.record"])
    return record


def test_a_killed_run_resumes_to_the_same_bits(tmp_path: Path) -> None:
    """Kill -9 at random moments, the first as early as there is a journal, and resume each time."""
    book, journal = long_book(tmp_path), tmp_path / "run.db"
    quiet, resumed = tmp_path / "quiet.parquet", tmp_path / "resumed.parquet"
    run_command(command(book, quiet))
    wall_s = record_of(quiet)["wall_s"]
    moments = [0.0, *np.random.default_rng(11).uniform(0.05, 0.2, 3) * wall_s]

    kills = 0
    for moment in moments:
        flag = "--restart-from" if journal.exists() else "--checkpoint"
        kills += kill_after(command(book, resumed, flag, str(journal)), journal, float(moment))
    run_command(command(book, resumed, "--restart-from", str(journal)))

    assert kills >= 2
    assert bits_of(pl.read_parquet(resumed)) == bits_of(pl.read_parquet(quiet))
    assert record_of(resumed)["result_hash"] == record_of(quiet)["result_hash"]
    assert record_of(resumed)["options"]["from_journal"] > 0
