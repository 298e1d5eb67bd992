# SPDX-License-Identifier: Apache-2.0
r"""Draws the schedules of runs, one above the other, from their traces: README.md's picture.

python tools/schedule_picture.py OUT.png TRACE.json "title" [TRACE.json "title" ...]

    for dispatcher in static steal; do
      makespan price examples/book.csv --devices "cpu[cores=0] cpu[cores=1,isa=avx2]" \
        --no-memory --paths 65536 --method mc_plain --dispatcher $dispatcher \
        -q -o prices.csv --trace $dispatcher.json
    done
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

FAST = ("#2f6f9f", "#5b97c0")  # neighbouring options differ, so that each is seen
SLOW = ("#b5652b", "#d58f5c")
IDLE = "#e6e6e6"


@dataclass(frozen=True)
class Span:
    """One option's part on one thread."""

    thread: int
    begin_s: float
    length_s: float

    @property
    def end_s(self) -> float:
        """When it ends."""
        return self.begin_s + self.length_s


def read_trace(path: Path) -> tuple[list[str], list[Span]]:
    """The names of the devices, of one thread each, and what they ran, from the first moment on."""
    trace = json.loads(path.read_text(encoding="utf-8"))
    events = trace["traceEvents"]
    devices = enumerate(trace["otherData"]["devices"])
    names = [f"device {number}: {device['isa']}" for number, device in devices]
    spans = [
        Span(event["tid"], event["ts"] * 1e-6, event["dur"] * 1e-6)
        for event in events
        if event.get("cat") == "run"
    ]
    first_s = min(span.begin_s for span in spans)
    return names, [Span(span.thread, span.begin_s - first_s, span.length_s) for span in spans]


def draw(runs: list[tuple[str, list[str], list[Span]]], target: Path) -> None:
    """One row of axes for each run, all on the time of the longest."""
    mpl.rcParams.update({"font.size": 9, "font.family": "DejaVu Sans"})
    figure = Figure(figsize=(8, 0.35 + 1.05 * len(runs)), dpi=150, layout="constrained")
    rows = figure.subplots(len(runs), 1, sharex=True, squeeze=False)[:, 0]
    last_s = max(span.end_s for _, _, spans in runs for span in spans)
    for axes, (title, names, spans) in zip(rows, runs, strict=True):
        end_s = max(span.end_s for span in spans)
        for thread in range(len(names)):
            own = [span for span in spans if span.thread == thread]
            colours = (FAST, SLOW)[min(thread, 1)]
            busy_s = max(span.end_s for span in own)
            axes.broken_barh([(busy_s, end_s - busy_s)], (thread - 0.38, 0.76), facecolors=IDLE)
            bars = [(span.begin_s, span.length_s) for span in own]
            shades = [colours[number % 2] for number in range(len(own))]
            axes.broken_barh(bars, (thread - 0.38, 0.76), facecolors=shades)
        axes.axvline(end_s, color="black", linewidth=1.2)
        axes.set_title(f"{title}: {end_s:.2f} s", loc="left", fontsize=9)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xlim(0, last_s * 1.01)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(left=False)
    rows[-1].set_xlabel(
        "seconds. A stripe is an option, grey is waiting, the line is the makespan."
    )
    figure.savefig(target, metadata={"Software": None})


def main() -> None:
    """Read, draw, write."""
    target, *rest = sys.argv[1:]
    traces = [
        (title, *read_trace(Path(path))) for path, title in zip(rest[::2], rest[1::2], strict=True)
    ]
    draw(traces, Path(target))


if __name__ == "__main__":
    main()
