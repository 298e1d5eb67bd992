# SPDX-License-Identifier: Apache-2.0
"""The program runs through, and shows its gaps, where neither peers nor engine are installed."""

import json
import sys

import pytest

from bench.price import __main__ as program
from bench.price.contestants import Places, command_of
from bench.worker import WorkerError


def test_missing_peers_and_engine_leave_rows_out_with_reasons(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))  # no makespan beside it

    here = str(tmp_path)
    folders = ["--output", here, "--peers", here, "--build", here]

    program.main(["--smoke", "--only", "kernel", "start", *folders])

    rows = json.loads((tmp_path / "price.json").read_text())
    run = json.loads((tmp_path / "price.run.json").read_text())
    assert {row["value"] for row in rows} == {None}
    assert {row["reached"] for row in rows} == {None}
    assert set(run["left_out"]) == {row["name"] for row in rows}
    assert "kernel_bench is not built" in run["left_out"]["kernel7_vs_mkl_faithful"]
    assert "no command 'makespan'" in run["left_out"]["start_help"]
    assert "left out" in capsys.readouterr().out


@pytest.mark.parametrize("worker", ["mkl", "quantlib", "numpy"])
def test_missing_peer_says_how_to_install_it(tmp_path, worker):
    places = Places(output=tmp_path, peers=tmp_path, kernel_bench=None, cores={0})

    with pytest.raises(WorkerError, match=r"peers/install\.py"):
        command_of(worker, places)


def test_kernel_bench_is_found_below_the_build_folder(tmp_path):
    folder = tmp_path / "bench"
    folder.mkdir()
    (folder / "kernel_bench.txt").write_text("not this")
    assert program.find_kernel_bench(tmp_path) is None

    built = folder / "kernel_bench"
    built.write_text("#!/bin/sh\n")
    built.chmod(0o755)

    assert program.find_kernel_bench(tmp_path) == built
