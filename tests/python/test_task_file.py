# SPDX-License-Identifier: Apache-2.0
"""Goal: tables of tasks and books become bags, or one clear message. Method: small ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from book_rows import book_of, book_row
from makespan.base.engine import load_engine
from makespan.base.errors import InputError, MakespanError
from makespan.pricing.book import arrow_files
from makespan.pricing.book.parquet_file import read_parquet_by_polars
from makespan.sim.book_bag import book_bag
from makespan.sim.task_file import is_task_file, read_tasks, tasks_of_columns
from oracle.cases import new_cases

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "book.csv"


def book() -> pl.DataFrame:
    """Options that say nothing of paths."""
    contract = new_cases(1)[0].contract
    return book_of(book_row(f"row {n}", contract) for n in range(3))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_is_a_bag(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"tasks{suffix}"
    table = pl.DataFrame({"cost": [1.5, 2.0], "items": [3, 4], "factor": [1.0, 0.9]})
    table.write_csv(path) if suffix == ".csv" else table.write_parquet(path)

    tasks = read_tasks(path)

    assert (tasks.costs, tasks.items, tasks.factors) == ((1.5, 2.0), (3, 4), (1.0, 0.9))
    assert tasks.work == 1.5 * 3 + 2.0 * 4
    assert is_task_file(str(path))
    assert not is_task_file("2000:lognormal")


def test_a_cost_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text("cost\n3\n4\n")

    tasks = read_tasks(path)

    assert list(tasks.counts) == [1, 1]
    assert tasks.factors == ()


@pytest.mark.parametrize("name", ["cost", "factor"])
def test_numbers_whose_sum_may_be_none_are_refused(name: str) -> None:
    columns = {"cost": [1.0, 1.0], name: [1.0, 1e31]}

    with pytest.raises(InputError, match=rf"row 2: {name} = 1e\+?31 is no finite number above 0"):
        tasks_of_columns("tasks", columns)


@pytest.mark.parametrize("name", ["tasks[1]", "tasks*", "~tasks"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_path_is_no_pattern(tmp_path: Path, name: str, suffix: str) -> None:
    for stem, cost in (("tasks1", 1.0), (name, 7.0)):
        table = pl.DataFrame({"cost": [cost]})
        with (tmp_path / f"{stem}{suffix}").open("wb") as file:
            table.write_csv(file) if suffix == ".csv" else table.write_parquet(file)

    assert read_tasks(tmp_path / f"{name}{suffix}").costs == (7.0,)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_missing_table_is_said_to_be_missing(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match=r"cannot be read \(No such file or directory\)"):
        read_tasks(tmp_path / f"none{suffix}")


def test_the_first_rows_say_nothing_of_the_type_of_others(tmp_path: Path) -> None:
    """polars infers types from a hundred rows."""
    path = tmp_path / "tasks.csv"
    path.write_text("cost\n" + "3\n" * 149 + " 2.5\n4\n")

    assert read_tasks(path).costs == (*(3.0,) * 149, 2.5, 4.0)

    path.write_text("cost\n" + "3\n" * 149 + "x\n4\n")
    with pytest.raises(InputError, match=r"tasks\.csv: row 150: cost = x is no finite number"):
        read_tasks(path)


@pytest.mark.parametrize("costs", [[3, 2.5], [3, np.float64(2.5)], [np.int64(3), 2.5]])
def test_whole_numbers_and_others_stand_together_in_a_list(costs: list[float]) -> None:
    assert tasks_of_columns("tasks", {"cost": costs}).costs == (3.0, 2.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cost\n", "no rows"),
        ("", "cannot be read"),
        ("price\n3\n", "column 'price' is not known"),
        ("items\n3\n", "no column cost"),
        ("cost\n3\n0\n", "row 2: cost = 0"),
        ("cost\n3\n-1\n", "row 2: cost = -1"),
        ("cost\n3\nnan\n", "row 2: cost = "),
        ("cost\n3\nx\n", "row 2: cost = x"),
        ("cost,items\n3,1\n4,1.5\n", "row 2: items = 1.5 is no whole number"),
        ("cost,items\n3,9e18\n4,9e18\n", "1.8e+19 items, over 2^33"),
        ("cost,items\n3,1\n4,\n", "row 2: items = None"),
    ],
)
def test_what_is_no_table_of_tasks_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=r"tasks\.csv: ") as refused:
        read_tasks(path)
    assert message in str(refused.value)
    assert "columns are cost" in str(refused.value)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([10**400, 1], "tasks: a whole number has too many digits: columns are cost"),
        ([10**400, 1.5], "tasks: a whole number has too many digits: columns are cost"),
        (np.array([1, 2], dtype="datetime64[ns]"), "tasks: cost holds Datetime"),
        (np.array([1, 2], dtype="timedelta64[ns]"), "tasks: cost holds Duration"),
        (np.array([1 + 1j, 2]), "tasks: no columns of one length (cannot parse numpy data type"),
        (np.ma.masked_array([1.0, 9.0], mask=[0, 1]), "tasks: cost is masked in part: columns"),
        (b"ab", "tasks: no columns of one length (bytes is no list of numbers): columns"),
        ("12", "tasks: no columns of one length (str is no list of numbers): columns"),
    ],
)
def test_what_are_no_costs_is_refused(costs: Any, message: str) -> None:
    with pytest.raises(InputError) as refused:
        tasks_of_columns("tasks", {"cost": costs})

    assert message in str(refused.value)


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_tasks(tmp_path / "none.csv")


def test_a_book_has_a_task_for_each_option(tmp_path: Path) -> None:
    path = tmp_path / "book.parquet"
    book().write_parquet(path)
    engine = load_engine()

    few, many = (book_bag(engine, path, paths) for paths in (1 << 14, 1 << 16))

    assert len(few.costs) == pl.read_parquet(path).height
    # Blocks of as many paths: four times the paths are four times the blocks, at the same cost.
    simulated = [row for row, count in enumerate(few.items) if count > 1]
    assert simulated
    assert [many.items[row] for row in simulated] == [4 * few.items[row] for row in simulated]
    assert [many.costs[row] for row in simulated] == [few.costs[row] for row in simulated]


def test_a_wrong_book_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text(EXAMPLE.read_text().replace("call", "cull", 1))
    with pytest.raises(MakespanError, match="cull"):
        book_bag(load_engine(), path, 1000)


@pytest.mark.parametrize("column", ["cost", "items"])
def test_a_column_of_lists_is_refused(tmp_path: Path, column: str) -> None:
    path = tmp_path / "tasks.parquet"
    pl.DataFrame({"cost": [[1.0], [2.0]], column: [[1.0], [2.0]]}).write_parquet(path)

    with pytest.raises(InputError, match=r"tasks.parquet: .*columns are cost") as caught:
        read_tasks(path)

    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("has_arrow", [True, False])
def test_a_damaged_parquet_table_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_arrow: bool
) -> None:
    """Method: bytes of the footer, where polars panics; with pyarrow and without."""
    path = tmp_path / "tasks.parquet"
    pl.DataFrame({"cost": [1.0, 2.0, 3.0]}).write_parquet(path)
    whole = path.read_bytes()
    if not has_arrow:
        monkeypatch.setattr(arrow_files, "read_parquet", read_parquet_by_polars)
    for place in range(len(whole) - 60, len(whole) - 8, 9 if has_arrow else 26):
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        said = f"{path}: "
        try:
            read_tasks(path)
        except InputError as error:
            said = str(error)
        assert said.startswith(f"{path}: ")
        assert "\n" not in said
