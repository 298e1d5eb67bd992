# SPDX-License-Identifier: Apache-2.0
"""Traces and reports of a run: the spans fit together, and the files hold what happened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from book_rows import book_of, book_row
from makespan.base.engine import load_engine
from makespan.files.journal_request import JournalRequest
from makespan.pricing.input import Settings
from makespan.pricing.outcome import Priced
from makespan.pricing.page import BARS_MAX, items_per_second, schedule_html
from makespan.pricing.perfetto import perfetto_text
from makespan.pricing.pricing import Wishes, price_everything
from makespan.pricing.timeline import Device, Timeline, timeline_of
from oracle.cases import new_cases

DEVICES = "cpu[threads=2] cpu[threads=1,isa=one_lane]"
ENGINE = load_engine()


def small_book() -> pl.DataFrame:
    contract = new_cases(1)[0].contract
    return book_of(book_row(f"<row> {n}", contract, paths=40_000 + 3000 * n) for n in range(12))


def priced(**settings: Any) -> Priced:
    given = Settings(devices=DEVICES, timeline=True, **settings)
    return price_everything(ENGINE, small_book(), given)


@pytest.fixture(scope="module")
def run() -> Priced:
    return priced()


def test_every_block_is_in_one_span(run: Priced) -> None:
    timeline = run.timeline()
    ran = timeline.of_kind("run")

    blocks = np.bincount(timeline.row[ran], weights=timeline.items[ran], minlength=12)

    # Antithetic samples of two paths, 1024 samples in a block.
    paths = run.table["paths_used"].to_numpy()
    assert (blocks == np.ceil(paths / 2048)).all()


def test_spans_of_a_thread_follow_each_other(run: Priced) -> None:
    timeline = run.timeline()

    assert set(timeline.thread.tolist()) <= {0, 1, 2}
    assert (timeline.end >= timeline.begin).all()
    assert timeline.begin.min() >= 0.0
    assert timeline.end.max() <= run.outcome.wall_s
    for thread in range(3):
        mine = timeline.thread == thread
        assert (timeline.begin[mine][1:] >= timeline.end[mine][:-1] - 1e-9).all()


def test_busy_time_is_that_of_the_record(run: Priced) -> None:
    timeline = run.timeline()
    ran = timeline.of_kind("run")
    busy = np.bincount(timeline.thread[ran], (timeline.end - timeline.begin)[ran], minlength=3)

    # Spans that were joined hold the looks at the board in between.
    assert busy == pytest.approx(run.record["engine"]["busy_s"], rel=0.05, abs=1e-3)


def test_threads_are_named_after_their_devices(run: Priced) -> None:
    names = run.timeline().thread_names()

    assert names == [
        "0: cpu[threads=2] #0",
        "0: cpu[threads=2] #1",
        "1: cpu[threads=1,isa=one_lane]",
    ]


def test_without_being_asked_nothing_is_kept() -> None:
    run = price_everything(ENGINE, small_book(), Settings(devices=DEVICES))

    assert run.outcome.timeline is None
    assert len(run.timeline().begin) == 0


def test_a_trace_has_an_event_for_each_span(run: Priced) -> None:
    timeline = run.timeline()
    events = json.loads(perfetto_text(timeline, "makespan"))["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    names = {event["args"]["name"] for event in events if event["name"] == "thread_name"}

    assert len(spans) == len(timeline.begin)
    assert names == set(timeline.thread_names())
    assert {span["name"] for span in spans if span["cat"] == "run"} == set(run.table["id"])
    for span, begin, end in zip(spans, timeline.begin, timeline.end, strict=True):
        assert span["ts"] == pytest.approx(begin * 1e6, abs=1e-3)
        assert span["dur"] == pytest.approx((end - begin) * 1e6, abs=1e-3)


def test_a_report_stands_alone_and_escapes_ids(run: Priced) -> None:
    page = schedule_html(run.timeline(), run.record)

    assert "<row>" not in page
    assert "&lt;row&gt; 3" in page or "\\u0026lt;row\\u0026gt; 3" in page
    assert "src=" not in page.split("<body>")[1]
    assert page.count('"showSendToCloud": false') == 2
    assert "cpu[threads=1,isa=one_lane]" in page
    assert f"{run.record['engine']['claims']} claims" in page


def test_a_report_of_a_resumed_run_with_nothing_left(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    settings = Settings(timeline=True)
    price_everything(ENGINE, small_book(), settings, Wishes(JournalRequest(journal)))

    again = price_everything(
        ENGINE, small_book(), settings, Wishes(JournalRequest(journal, resume=True))
    )

    assert "nothing was left to do" in schedule_html(again.timeline(), again.record)
    assert json.loads(perfetto_text(again.timeline(), "x"))["traceEvents"]


def test_rows_are_those_of_the_book_also_when_the_engine_had_fewer() -> None:
    """After --resume the engine gets only what was missing."""
    run = SimpleNamespace(
        timeline=lambda: {
            "thread": np.zeros(2, dtype=np.int32),
            "kind": np.zeros(2, dtype=np.uint8),
            "begin_s": np.zeros(2),
            "end_s": np.ones(2),
            "row": np.array([1, 0]),
            "items": np.ones(2, dtype=np.int64),
        },
        rounds=lambda: [
            {
                "begin_s": 0.0,
                "end_s": 1.0,
                "row": np.array([1, 0]),
                "items": np.array([5, 6]),
                "cost": np.ones(2),
            }
        ],
        summary=lambda: {"devices": []},
    )

    timeline = timeline_of(run, ["run"], np.array([3, 7]), list("abcdefgh"))

    assert [timeline.ids[row] for row in timeline.row] == ["h", "d"]
    assert [timeline.ids[row] for row in timeline.rounds[0].row] == ["h", "d"]


def test_a_run_tells_its_bags(run: Priced) -> None:
    timeline = run.timeline()
    ran = timeline.of_kind("run")
    items = np.zeros(12)
    for one in timeline.rounds:
        np.add.at(items, one.row, one.items)
        assert 0.0 <= one.begin < one.end <= run.outcome.wall_s

    blocks = np.bincount(timeline.row[ran], weights=timeline.items[ran], minlength=12)
    assert items.tolist() == blocks.tolist()
    assert len(timeline.rounds) == run.outcome.summary["rounds"]
    other = json.loads(perfetto_text(timeline, "x", {"policy": "self"}))["otherData"]
    assert other["settings"] == {"policy": "self"}
    assert [one["row"] for one in other["rounds"]] == [one.row.tolist() for one in timeline.rounds]
    assert [one["mode"] for one in other["devices"]] == ["auto", "auto"]


def many_spans(count: int) -> Timeline:
    begin = np.arange(count) * 1e-3
    return Timeline(
        thread=np.zeros(count, dtype=np.int32),
        kind=np.zeros(count, dtype=np.uint8),
        begin=begin,
        end=begin + 0.9e-3,
        row=np.zeros(count, dtype=np.int64),
        items=np.ones(count, dtype=np.int64),
        kinds=("run", "claim", "steal", "idle"),
        devices=[Device("cpu", "avx2", 0, 1, failed=False)],
        ids=["a"],
    )


def test_a_long_run_is_drawn_with_few_bars(run: Priced) -> None:
    page = schedule_html(many_spans(300_000), run.record)

    assert len(page) < 6_000_000
    assert "spans of run" in page
    assert BARS_MAX < 300_000


def test_the_speed_counts_each_span_evenly_over_its_time() -> None:
    """Also a long one beside short ones of another thread."""
    timeline = replace(
        many_spans(3),
        thread=np.array([0, 1, 1], dtype=np.int32),
        begin=np.array([0.0, 0.0, 2.0]),
        end=np.array([4.0, 1.0, 3.0]),
        items=np.array([8, 5, 5], dtype=np.int64),
    )

    rate = items_per_second(timeline, timeline.of_kind("run"), np.linspace(0.0, 4.0, 5))

    assert rate == pytest.approx([7.0, 2.0, 7.0, 2.0])


def command(tmp_path: Path, *extra: str) -> subprocess.CompletedProcess[str]:
    book = tmp_path / "book.parquet"
    small_book().write_parquet(book)
    return subprocess.run(
        [sys.executable, "-m", "makespan", "price", str(book), *extra],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COLUMNS": "200"},
        check=False,
    )


def test_the_command_writes_both(tmp_path: Path) -> None:
    trace, report = tmp_path / "run.json", tmp_path / "run.html"

    done = command(tmp_path, "--trace", str(trace), "--report", str(report), "--devices", DEVICES)

    assert done.returncode == 0, done.stderr
    assert json.loads(trace.read_text())["traceEvents"]
    assert report.read_text().startswith("<!doctype html>")
    assert str(report) in done.stdout


def test_the_command_refuses_files_that_would_be_the_same(tmp_path: Path) -> None:
    same = str(tmp_path / "run.json")

    done = command(tmp_path, "--trace", same, "--report", same)

    assert done.returncode == 2
    assert "the report" in done.stderr
    assert "the trace" in done.stderr
    assert not Path(same).exists()


def test_the_command_refuses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    done = command(tmp_path, "--trace", str(tmp_path / "no" / "run.json"))

    assert done.returncode == 2
    assert "does not exist" in done.stderr
    assert not list(tmp_path.glob("prices*"))


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (("--devices", "gpu"), "device 'gpu' (it is neither cpu nor cuda:NUMBER)"),
        (("--devices", "cpu[isa=mmx]"), "mmx"),
        (("--devices", "cpu[cores=4095]"), "core 4095 (this process may not use it)"),
        (("--devices", "cpu[mode=mtt]"), "did you mean 'mt'?"),
        (("--devices", "cuda:0"), "CUDA"),
        (("--perturb", "fail:9@0"), "fail:9@0: device 9 (there are 1): count them from 0"),
        (("--perturb", "oops"), "--perturb oops cannot be used"),
    ],
)
def test_devices_that_cannot_be_are_named(
    tmp_path: Path, flags: tuple[str, str], text: str
) -> None:
    done = command(tmp_path, *flags)

    assert done.returncode in (2, 3), done.stderr
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_without_a_device_left_says_so(tmp_path: Path) -> None:
    done = command(tmp_path, "--perturb", "fail:0@0")

    assert done.returncode == 4
    assert "device 0 fails" in done.stderr
    assert not list(tmp_path.glob("prices*"))
