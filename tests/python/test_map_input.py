# SPDX-License-Identifier: Apache-2.0
"""`makespan.map`: what it takes as items, costs and files, and what it refuses before it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import makespan


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"costs": [1.0]}, r"shape \(3,\)"),
        ({"costs": [1.0, 1e291, 1.0]}, r"costs has 1e\+291 .* none takes more than 1e\+290"),
        ({"costs": [1.0, -1.0, 1.0]}, r"costs\[1\]"),
        ({"policy": "nosuch"}, r"policy='nosuch' cannot be used .*: name 'nosuch'"),
        (
            {"dispatcher": "nosuch"},
            r"dispatcher='nosuch' cannot be used .*: name 'nosuch'",
        ),
        ({"threads": 0}, "threads=0 cannot be used: give a whole number from 1"),
        ({"timeout_s": 1}, "keyword 'timeout_s' is unknown .*did you mean 'timeout'"),
        ({"gather": "some"}, "gather='some' cannot be used .*give first or all"),
        ({"costs": ["a", "b", "c"]}, r"costs must be numbers, one for each item \(could not"),
        ({"costs": {1.0, 2.0, 3.0}}, "costs must be numbers, one for each item"),
        (
            {"costs": np.ma.array([1.0, 2.0, 3.0], mask=[0, 0, 1])},
            r"costs must .* \(masked in part",
        ),
        ({"record": "no/such/folder/map.json"}, "folder no/such/folder does not exist"),
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(makespan.InputError, match=message):
        makespan.map(square, [1, 2, 3], **arguments)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ((number for number in range(3)), "items must have a length; got generator: give a list"),
        (None, "items must have a length; got NoneType"),
        (np.array(3), "items must have a length; got ndarray"),
        ({1, 2}, "items must be in an order, and a set has none; give a list"),
        ({0: "a", 1: "b"}, "items must be in an order, and a dict has none"),
        ({0: "a"}.values(), "items must be found by their index; got dict_values: give a list"),
    ],
)
def test_items_that_are_no_list_are_refused(items: Any, message: str) -> None:
    with pytest.raises(makespan.InputError, match=message):
        makespan.map(square, items)


def test_items_of_a_series_are_taken_by_place() -> None:
    """Goal: as a loop over it takes them; its labels may be in any order, or have gaps."""
    series = pd.Series([3, 1, 2], index=[2, 0, 7])

    assert makespan.map(square, series, threads=1) == [9, 1, 4]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_table_is_what_a_loop_over_it_gives(kind: Any) -> None:
    table = kind({"a": [1, 2, 3], "b": [4, 5, 6]})

    found = makespan.map(lambda column: (type(column), str(column)), table, threads=1)

    assert found == [(type(column), str(column)) for column in table]


def test_files_are_tried_before_any_item_runs() -> None:
    ran: list[int] = []

    with pytest.raises(makespan.InputError, match="folder no/such does not exist"):
        makespan.map(ran.append, range(100), threads=2, trace="no/such/map.json")

    assert ran == []


def test_costs_are_of_any_unit(tmp_path: Path) -> None:
    costs = [1e-12, 5e-12, 1e-11]

    makespan.map(square, range(3), threads=1, costs=costs, trace=tmp_path / "map.json")

    told = json.loads((tmp_path / "map.json").read_text())["otherData"]["rounds"][0]
    assert [cost for _, cost in sorted(zip(told["row"], told["cost"], strict=True))] == costs


def test_a_communicator_that_is_no_world_is_refused() -> None:
    class Half:
        def Get_size(self) -> int:  # noqa: N802
            return 17

    with pytest.raises(makespan.InputError, match="17 processes"):
        makespan.map(square, [1], comm=Half())
    with pytest.raises(makespan.InputError, match=r"a communicator of mpi4py.*; got int"):
        makespan.map(square, [1], comm=3)  # type: ignore[arg-type]
