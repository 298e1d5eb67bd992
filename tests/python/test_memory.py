# SPDX-License-Identifier: Apache-2.0
"""Speeds that are remembered between runs: what is kept where, and that nothing depends on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fake_core
import numpy as np
import pytest
from book_rows import book_of, book_row
from makespan.base.engine import load_engine
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Priced
from makespan.pricing.pricing import price_everything
from makespan.pricing.speed_memory import FILES_MAX, SpeedMemory, cache_folder, speed_memory
from oracle.cases import new_cases
from small_books import plain_book

import makespan

ENGINE = load_engine()
FEW = {"avx2, 1 of 2 threads on 2 cores": 1.5e9, "one_lane, 1 of 1 thread on 1 core": 1e8}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's cache of the test's own."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


def memory_in(folder: Path) -> SpeedMemory:
    return SpeedMemory(folder / "some", "work")


def kept_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.json"))


def test_what_was_kept_is_remembered(tmp_path: Path) -> None:
    memory_in(tmp_path).keep(FEW)

    memory = memory_in(tmp_path)

    assert memory.remembered() == FEW
    assert memory.problem is None


def test_a_new_speed_replaces_the_old_one_of_its_worker_alone(tmp_path: Path) -> None:
    first, second = FEW
    memory_in(tmp_path).keep(FEW)

    memory_in(tmp_path).keep({second: 3e8})

    assert memory_in(tmp_path).remembered() == {first: FEW[first], second: 3e8}


def test_nothing_is_remembered_of_other_work(tmp_path: Path) -> None:
    memory_in(tmp_path).keep(FEW)

    other = SpeedMemory(tmp_path / "some", "other work")

    assert other.remembered() == {}


def test_nothing_there_is_no_problem(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)

    assert memory.remembered() == {}
    assert memory.problem is None


@pytest.mark.parametrize("speed", [0.0, -1.0, 1e-300, 1e300, float("inf"), float("nan")])
def test_what_is_no_speed_is_not_kept(tmp_path: Path, speed: float) -> None:
    memory = memory_in(tmp_path)

    memory.keep({"worker": speed})

    assert kept_in(tmp_path) == []
    assert memory.problem is None


def entry(**changes: Any) -> str:
    worker = next(iter(FEW))
    whole = {"format": 1, "work": "work", "worker": worker, "speed": 1e9}
    return json.dumps(whole | changes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "[" * 4000,
        "\x00\xff",
        " " * 5000,
        entry(format=0),
        entry(format=2),
        entry(work="other"),
        entry(worker=7),
        entry(speed="1e9"),
        entry(speed=None),
        entry(speed=True),
        entry(speed=0.0),
        entry(speed=-1e9),
        entry(speed=1e308),
        entry(speed=float("nan")),
        entry(speed=float("inf")),
    ],
)
def test_a_broken_file_is_ignored_said_and_removed(tmp_path: Path, text: str) -> None:
    memory_in(tmp_path).keep({next(iter(FEW)): 1e9})
    (path,) = kept_in(tmp_path)
    path.write_text(text, encoding="latin-1")

    memory = memory_in(tmp_path)

    assert memory.remembered() == {}
    assert memory.problem is not None
    assert str(path) in memory.problem
    assert not path.exists()
    assert memory_in(tmp_path).remembered() == {}
    memory.keep(FEW)
    assert memory_in(tmp_path).remembered() == FEW


def test_a_broken_file_that_stays_is_said_to_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_in(tmp_path).keep({next(iter(FEW)): 1e9})
    (path,) = kept_in(tmp_path)
    path.write_text("broken")

    def refused(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    memory = memory_in(tmp_path)

    assert memory.remembered() == {}
    assert str(memory.problem).endswith(", and cannot be removed (Permission denied)")


def test_foreign_things_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    memory.keep(FEW)
    os.mkfifo(tmp_path / "some" / "pipe.json")  # to open it would block
    (tmp_path / "some" / "folder.json").mkdir()
    (tmp_path / "some" / "notes.txt").write_text("not ours")

    assert memory.remembered() == FEW
    assert memory.problem is None


def test_a_folder_full_of_files_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "some").mkdir()
    for number in range(3 * FILES_MAX):
        (tmp_path / "some" / f"{number}.json").write_text(entry(worker=f"worker {number}"))

    read = []
    sound = os.scandir

    @contextmanager
    def counted(folder: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        def one_by_one() -> Iterator[os.DirEntry[str]]:
            for entry in entries:
                read.append(entry.name)
                yield entry

        with sound(folder) as entries:
            yield one_by_one()

    monkeypatch.setattr(os, "scandir", counted)

    assert len(memory_in(tmp_path).remembered()) == FILES_MAX
    assert len(read) == FILES_MAX


def test_a_place_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "some").write_text("a file in the place of the folder")
    memory = memory_in(tmp_path)

    found = memory.remembered()
    memory.keep(FEW)

    assert found == {}
    assert memory.problem is not None
    assert str(tmp_path / "some") in memory.problem


def test_writers_at_once_leave_whole_files(tmp_path: Path) -> None:
    speeds = [{"shared": 1e9 + n, f"own {n}": 2e9 + n} for n in range(8)]

    def write(mine: dict[str, float]) -> None:
        for _ in range(20):
            memory_in(tmp_path).keep(mine)
            assert memory_in(tmp_path).remembered()["shared"] >= 1e9

    writers = [threading.Thread(target=write, args=(mine,)) for mine in speeds]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    memory = memory_in(tmp_path)
    found = memory.remembered()
    assert memory.problem is None
    assert found.pop("shared") in [mine["shared"] for mine in speeds]
    assert found == {f"own {n}": 2e9 + n for n in range(8)}
    assert not list(tmp_path.rglob("*.tmp"))


def test_the_cache_is_where_the_user_has_it() -> None:
    at_home = Path.home() / ".cache" / "makespan"

    assert cache_folder({"XDG_CACHE_HOME": "/some/where"}) == Path("/some/where/makespan")
    assert cache_folder({"XDG_CACHE_HOME": "relative"}) == at_home
    assert cache_folder({"XDG_CACHE_HOME": ""}) == at_home
    assert cache_folder({}) == at_home


def test_work_that_differs_has_a_memory_of_its_own(cache: Path) -> None:
    some = [
        Settings(),
        Settings(method="rqmc"),
        Settings(greeks=True),
        Settings(precision="double"),
        Settings(rounds=7),
    ]

    folders = {speed_memory(fake_core, settings).folder for settings in some}

    assert len(folders) == len(some)
    assert all(folder is not None and cache in folder.parents for folder in folders)
    scheduling = Settings(threads=3, policy="self", paths=100, seed=9)
    assert speed_memory(fake_core, scheduling).folder == speed_memory(fake_core, some[0]).folder


@pytest.mark.parametrize("settings", [Settings(memory=False), Settings(perturb=["slow:0@0:4"])])
def test_without_memory_nothing_is_read_or_kept(cache: Path, settings: Settings) -> None:
    price_everything(fake_core, plain_book(2), Settings())
    (before,) = kept_in(cache)
    before.write_text("broken")

    priced = price_everything(fake_core, plain_book(2), settings)

    assert before.read_text() == "broken"
    assert priced.memory_problem is None


def test_a_problem_is_a_warning_and_no_more(cache: Path, fake_engine: object) -> None:
    (cache / "makespan").write_text("in the way")

    with pytest.warns(RuntimeWarning, match="speeds cannot be remembered in") as caught:
        result = makespan.price(plain_book(2))

    assert len(caught) == 1
    assert result.table["price"].null_count() == 0


# --- with the engine


def book() -> Any:
    contract = new_cases(1)[0].contract
    return book_of(book_row(str(n), contract, paths=2_000_000) for n in range(8))


def run(**settings: Any) -> Priced:
    return price_everything(ENGINE, book(), Settings(threads=2, timeline=True, **settings))


def first_claim(priced: Priced) -> int:
    """How many items the first claim of the run took."""
    timeline = priced.timeline()
    claims = np.flatnonzero(timeline.of_kind("claim"))
    return int(timeline.items[claims[np.argmin(timeline.begin[claims])]])


def remembered(priced: Priced) -> list[bool]:
    return [device["remembered"] for device in priced.record["engine"]["devices"]]


def test_a_second_run_begins_with_the_speeds_of_the_first(cache: Path) -> None:
    first, second, third = run(), run(), run(memory=False)

    assert [remembered(one) for one in (first, second, third)] == [[False], [True], [False]]
    assert first_claim(first) == 1
    assert first_claim(second) > 1
    assert first_claim(third) == 1
    assert first.record["result_hash"] == second.record["result_hash"]
    assert (first.record["settings"]["memory"], third.record["settings"]["memory"]) == (True, False)


@pytest.mark.parametrize("factor", [0.0, 1e-2, 1e2, 1e6])
def test_a_wrong_memory_changes_no_bit_and_is_corrected(cache: Path, factor: float) -> None:
    expected = run(memory=False).record["result_hash"]
    run()
    (path,) = kept_in(cache)
    right = json.loads(path.read_text())
    wrong = max(1.0, right["speed"] * factor)
    path.write_text(json.dumps(right | {"speed": wrong}))

    found = run()

    assert remembered(found) == [True]
    assert found.record["result_hash"] == expected
    # The machine may have other work now, or have had some before; not so much.
    assert 0.05 < json.loads(path.read_text())["speed"] / right["speed"] < 20.0


def test_the_command_has_a_flag_for_it(cache: Path, tmp_path: Path) -> None:
    book().write_parquet(tmp_path / "book.parquet")

    def command(*flags: str) -> dict[str, Any]:
        words = [sys.executable, "-m", "makespan", "price", str(tmp_path / "book.parquet")]
        done = subprocess.run(
            [*words, "--threads", "2", "--json", *flags],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        document: dict[str, Any] = json.loads(done.stdout)
        return document["record"]

    command("--no-memory")
    assert kept_in(cache) == []
    command()
    assert kept_in(cache) != []
    assert command()["engine"]["devices"][0]["remembered"] is True
    assert command("--no-memory")["engine"]["devices"][0]["remembered"] is False


def test_the_command_says_what_is_wrong_with_it_and_prices(cache: Path, tmp_path: Path) -> None:
    (cache / "makespan").write_text("in the way")
    book().write_parquet(tmp_path / "book.parquet")

    done = subprocess.run(
        [sys.executable, "-m", "makespan", "price", str(tmp_path / "book.parquet"), "-q"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert str(cache / "makespan") in done.stderr
