# SPDX-License-Identifier: Apache-2.0
"""The report in a browser without a network: every bar, curve, title and table is drawn.

What a page draws is compared with the trace of the same run. A page whose script does not run, or
lies elsewhere, must not pass.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from book_rows import book_of, book_row
from browser import Shown, shown
from oracle.cases import new_cases

DEVICES = ["cpu[threads=2]", "cpu[threads=1,isa=one_lane]"]
THREADS = ["0: cpu[threads=2] #0", "0: cpu[threads=2] #1", "1: cpu[threads=1,isa=one_lane]"]


@dataclass(frozen=True)
class Report:
    """A page, and the spans of its run: how many of each kind, and of how many threads."""

    page: str
    spans: Counter[str]
    threads: int


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("report")
    book, page, trace = folder / "book.parquet", folder / "run.html", folder / "run.json"
    contract = new_cases(1)[0].contract
    book_of(book_row(f"<row> {n}", contract, paths=200_000) for n in range(12)).write_parquet(book)
    command = [sys.executable, "-m", "makespan", "price", str(book), "--quiet"]
    subprocess.run(
        [*command, "--report", page, "--trace", trace, "--devices", " ".join(DEVICES)],
        timeout=60,
        check=True,
    )
    events = json.loads(trace.read_text())["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    return Report(
        page.read_text(),
        Counter(span["cat"] for span in spans),
        len({span["tid"] for span in spans}),
    )


def opened(page: str, folder: Path) -> Shown:
    path = folder / "page.html"
    path.write_text(page)
    return shown(path, folder / "profile")


def rows_of(bars: list[str]) -> set[tuple[str, ...]]:
    """The heights at which bars lie, from paths like M68.2,5.5V49.5H68.4V5.5Z; M0,0Z is empty."""
    return {tuple(re.findall(r"[,V]([\d.]+)", bar)[:2]) for bar in bars if bar != "M0,0Z"}


def flaws(seen: Shown, report: Report) -> list[str]:
    """What is not drawn as it should be."""
    bars = seen.paths("trace", "bars", "point")
    curves = [path for path in seen.paths("trace", "scatter", "js-line") if path.count(",") > 1]
    texts = {
        "h2": (seen.texts("h2"), ["Schedule", "Devices", "Speed over time"]),
        "rows": (sorted(seen.texts("text", "yaxislayer-above")[: len(THREADS)]), THREADS),
        "time axes": (seen.texts("text", "xtitle"), ["seconds since the start"] * 2),
        "speed axis": (seen.texts("text", "ytitle"), ["blocks per second"]),
        "legends": (
            seen.texts("text", "legendtext"),
            [
                *[kind for kind in ("run", "claim", "steal", "idle") if report.spans[kind]],
                *[f"{number}: {device}" for number, device in enumerate(DEVICES)],
            ],
        ),
        "table": (seen.texts("td")[:: len(seen.texts("th"))], DEVICES),
        "complaints": (seen.complaints, []),
        "bars": ([len(bars)], [report.spans.total()]),
        "rows with bars": ([len(rows_of(bars))], [report.threads]),
        "curves": ([len(curves)], [len(DEVICES)]),
    }
    return [
        f"{name}: {found} and not {right}"
        for name, (found, right) in texts.items()
        if found != right
    ]


def test_everything_is_drawn(report: Report, tmp_path: Path) -> None:
    assert flaws(opened(report.page, tmp_path), report) == []


@pytest.mark.parametrize(
    ("pattern", "instead", "flaw"),
    [
        # The data of both plots end in the middle.
        (r'(?s)(\[\{"(?:base|mode)":.{40}).*?(</script>)', r"\1\2", "complaints"),
        # A page that needs a network.
        (
            r"(?s)<script>.*?</script>",
            "<script src='https://cdn.plot.ly/plotly-3.0.0.min.js'></script>",
            "bars",
        ),
    ],
)
def test_a_page_with_a_broken_script_does_not_pass(
    report: Report, tmp_path: Path, pattern: str, instead: str, flaw: str
) -> None:
    broken, count = re.subn(pattern, instead, report.page)
    assert count

    found = flaws(opened(broken, tmp_path), report)

    assert flaw in {text.partition(":")[0] for text in found}
