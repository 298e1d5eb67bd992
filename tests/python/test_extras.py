# SPDX-License-Identifier: Apache-2.0
"""The base install does what it promises; what needs an extra says so before it begins."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import brotli
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from fuzz_book import sample_books
from makespan.base.errors import BookError, NotConfiguredError
from makespan.base.extras import EXTRAS, require
from makespan.cli import main
from makespan.cli.app import command_spec
from makespan.cli.commands import COMMANDS
from makespan.pricing.book.arrow_files import read_parquet
from small_books import plain_book
from small_melt import SMALL
from with_simulator import needs_simulator
from without_extras import without

import makespan

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PYTHON = Path(makespan.__file__).resolve().parents[1]
"""Where the package under test is: a copy of the checkout's under a sanitizer."""
RUN_S_MAX = 120
MACHINE = '[kind.cpu]\nspeed = 1.0\n[[node]]\ndevices = ["2 cpu"]\n'
GRAPH = {
    "format": "makespan graph",
    "version": 1,
    "kinds": ["cpu"],
    "objects": {"id": ["a", "b"], "work": {"cpu": [1.0, 2.0]}, "bytes": [1.0] * 2, "place": [0, 0]},
}
FIELD = "[grid]\npoints = [12, 10, 14]\n[run]\nsteps = 4\n[start]\nwidth = 3.0\n"
SPARK = "[grid]\npoints = [48, 44, 48]\n[run]\nduration = 0.003\n[release]\nryr_open = []\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small input for every command."""
    plain_book(3).write_csv(tmp_path / "book.csv")
    plain_book(3).write_parquet(tmp_path / "book.parquet")
    plain_book(3).write_ipc(tmp_path / "book.arrow")
    (tmp_path / "machine.toml").write_text(MACHINE)
    (tmp_path / "in.toml").write_text(SMALL)
    (tmp_path / "field.toml").write_text(FIELD)
    (tmp_path / "from_file.toml").write_text(f'{FIELD}start = "file"\nfile = "saved.vtkhdf"\n')
    (tmp_path / "spark.toml").write_text(SPARK)
    graph = json.dumps(GRAPH).encode()
    (tmp_path / "graph.json").write_bytes(graph)
    (tmp_path / "graph.json.zst").write_bytes(zstandard.compress(graph))
    (tmp_path / "graph.json.br").write_bytes(brotli.compress(graph))
    (tmp_path / "saved.vtkhdf").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_pyproject_and_the_table_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    offered = project["optional-dependencies"]

    for extra in EXTRAS.values():
        names = [line.partition(">=")[0] for line in offered[extra.name]]
        assert tuple(names) == extra.modules
    everything = {*EXTRAS, "mpi"}
    assert offered["all"] == [f"makespan[{','.join(n for n in offered if n in everything)}]"]


NEEDS = [
    ("reports", "price book.csv --report x.html", "--report (plotly is not"),
    ("reports", "machine --measure --report x.html", "--report (plotly is not"),
    ("reports", "balance graph.json --places 2 --report x.html", "--report (plotly is not"),
    ("reports", "melt in.toml --report x.html", "--report (plotly is not"),
    ("reports", "simulate machine.toml --report x.html", "--report (plotly is not"),
    ("arrow", "price book.arrow", "book.arrow (pyarrow is not"),
    ("arrow", "price book.csv -o out.feather", "out.feather (pyarrow is not"),
    ("graphs", "balance graph.json.zst --places 2", "graph.json.zst: compressed (brotli and"),
    ("graphs", "balance graph.json.br --places 2", "graph.json.br: compressed (brotli and"),
    ("graphs", "balance graph.json --places 2 -o m.zst", "m.zst (brotli and zstandard are not"),
    ("grids", "calcium spark.toml -o out", "--output (h5py and matplotlib are not"),
    ("grids", "calcium spark.toml --checkpoint saved", "--checkpoint (h5py and"),
    ("grids", "calcium spark.toml --restart-from saved.vtkhdf", "--restart-from (h5py and"),
    ("grids", "diffuse field.toml -o out", "--output (h5py and"),
    ("grids", "diffuse field.toml --checkpoint saved", "--checkpoint (h5py and"),
    ("grids", "diffuse field.toml --restart-from saved.vtkhdf", "--restart-from (h5py and"),
    ("grids", "diffuse from_file.toml", "saved.vtkhdf (h5py and"),
]


@pytest.mark.parametrize(("extra", "line", "said"), NEEDS, ids=[line for _, line, _ in NEEDS])
def test_a_missing_extra_is_said_at_once(
    extra: str, line: str, said: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing has been computed then, and nothing written."""
    before = sorted(folder.iterdir())

    with without(extra):
        code = main(line.split())

    out, err = capfd.readouterr()
    assert code == 3
    assert err.startswith(f"makespan: {said}")
    assert err.endswith(f' not installed): pip install "makespan[{extra}]"\n')
    assert err.count("\n") == 1
    assert out == ""
    assert sorted(folder.iterdir()) == before


BASE = [
    "price book.csv --trace trace.json",
    "price book.parquet -o out.parquet --greeks --checkpoint run.db",
    "price book.csv -o prices.csv --json",
    "machine",
    "machine --json -o node.xml",
    "balance graph.json --places 2 --balancer all -o mapping.json",
    "balance graph.json --places 2 --phases 5",
    "melt in.toml -o t.dcd --checkpoint saved",
    "calcium spark.toml",
    "diffuse field.toml --trace trace.json",
    "doctor --json",
    "--version",
    "--help",
]


def run(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, HERE / "without_extras.py", ",".join(EXTRAS), *line.split()],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(PYTHON), str(HERE)])},
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


@pytest.mark.parametrize("line", BASE)
def test_the_base_install_runs_every_command(line: str, folder: Path) -> None:
    ended = run(folder, line)

    assert (ended.returncode, ended.stderr) == (0, "")


@needs_simulator
@pytest.mark.parametrize(
    "flags", ["machine.toml --tasks 100 --policy all", "machine.toml --bag book.parquet"]
)
def test_the_base_install_simulates(flags: str, folder: Path) -> None:
    ended = run(folder, f"simulate {flags}")

    assert (ended.returncode, ended.stderr) == (0, "")


def test_examples_need_no_extra() -> None:
    with without(*EXTRAS):
        for name in COMMANDS:
            spec = command_spec(name)
            assert spec.example_input is None or spec.example_input()


def test_python_says_it_too(folder: Path) -> None:
    with without(*EXTRAS):
        with pytest.raises(NotConfiguredError, match=r'pip install "makespan\[grids\]"'):
            makespan.calcium("spark.toml", output=folder / "out")
        with pytest.raises(NotConfiguredError, match=r'pip install "makespan\[arrow\]"'):
            makespan.price(folder / "book.arrow")


@pytest.mark.usefixtures("fake_engine")
def test_pandas_needs_no_pyarrow() -> None:
    frame = pd.DataFrame({name: plain_book(3)[name].to_list() for name in plain_book(3).columns})
    with_it = makespan.price(frame).table

    with without("arrow"):
        without_it = makespan.price(frame).table

    pd.testing.assert_frame_equal(without_it, with_it)


def test_what_pandas_gets_is_what_polars_would_make(folder: Path) -> None:
    frame = pd.DataFrame({name: plain_book(3)[name].to_list() for name in plain_book(3).columns})

    prices = makespan.price(frame).table

    expected = pl.from_pandas(prices).to_pandas()
    assert list(prices.columns) == list(expected.columns)
    assert prices.select_dtypes("number").equals(expected.select_dtypes("number"))


def test_both_readers_of_parquet_read_the_same(tmp_path: Path) -> None:
    """Books, and types beside those that books have."""
    odd = pa.table(
        {
            "texts": pa.array(["x", "y", "x"]).dictionary_encode(),
            "small": pa.array([1, None, 3], pa.int8()),
            "decimal": pa.array(["1.5", "2", "3"]).cast(pa.decimal128(10, 2)),
            "lists": pa.array([[1.0], [2.0, 3.0], None]),
            "days": pa.array([1, 2, 3], pa.date32()),
            "bits": pa.array([True, False, None]),
        }
    )
    sink = io.BytesIO()
    pq.write_table(odd, sink)
    books = [data for suffix, data in sample_books() if suffix == ".parquet"]
    path = tmp_path / "book.parquet"
    for data in (sink.getvalue(), *books[::3]):
        path.write_bytes(data)
        by_pyarrow = read_parquet(path).frame
        with without("arrow"):
            by_polars = read_parquet(path).frame

        assert by_polars.schema == by_pyarrow.schema
        assert by_polars.equals(by_pyarrow)


def damaged_books() -> list[bytes]:
    """Cut short, other bytes in the middle, a length that no memory holds."""
    whole = next(data for suffix, data in sample_books() if suffix == ".parquet")
    killer = (HERE.parent / "data" / "books" / "asks_for_all_memory.parquet").read_bytes()
    middle = len(whole) // 3
    return [
        whole[:-100],
        b"PAR1",
        whole[:middle] + bytes(200) + whole[middle + 200 :],
        killer,
    ]


@pytest.mark.parametrize("number", range(4))
def test_a_damaged_parquet_file_is_refused_without_pyarrow(number: int, tmp_path: Path) -> None:
    """The last one ends the process that reads it; that is not ours."""
    path = tmp_path / "book.parquet"
    path.write_bytes(damaged_books()[number])

    with without("arrow"), pytest.raises(BookError, match="not a whole Parquet file") as refused:
        read_parquet(path)

    assert "\n" not in str(refused.value)


def test_an_extra_that_is_there_is_not_imported() -> None:
    with without():
        for name in EXTRAS:
            require(name, for_="this")
    code = "import sys; from makespan.base.extras import EXTRAS, require\n"
    code += "for name in EXTRAS: require(name, for_='this')\n"
    code += "assert not {m for e in EXTRAS.values() for m in e.modules} & set(sys.modules)"

    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(PYTHON)})


def test_a_module_set_to_none_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly", None)

    with pytest.raises(NotConfiguredError, match=r"--report \(plotly is not installed\)"):
        require("reports", for_="--report")
