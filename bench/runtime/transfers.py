# SPDX-License-Identifier: Apache-2.0
"""Puts and gets of all sizes: ``python -m bench.runtime.transfers [--smoke] [--page PAGE]``.

That is `make bench-transfers`. Prints tables, writes ``build/bench/transfers.json``, and with
``--page`` writes the tables of the last run into a page and the picture beside it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.machine import circumstances
from bench.result import write_json, write_text
from bench.runtime.case import Program
from bench.runtime.designs import DesignRow, design_lines, measure_designs
from bench.runtime.program import Places, run_program

CASE = Path(__file__).resolve().parents[1] / "cases" / "transfers" / "transfers.toml"
BEGIN, END = "<!-- bench:transfers -->", "<!-- /bench:transfers -->"
HEADINGS = {
    "put": "put and flush, one at a time [µs]",
    "get": "get, one at a time [µs]",
    "put_many": "puts, many under way [MB/s]",
    "get_many": "gets, many under way [MB/s]",
    "put_both_ways": "puts, many under way, both images at once, of one image [MB/s]",
}
CHOSEN_TARGET = 0.97  # of the better way


@dataclass(frozen=True)
class Figure:
    """One contestant's blocks of one operation and size: seconds of each, or bytes per second."""

    operation: str
    size: int
    contestant: str
    blocks: list[float]

    @property
    def median(self) -> float:
        """The median over blocks."""
        return statistics.median(self.blocks)


def is_latency(operation: str) -> bool:
    """Say whether less is better."""
    return operation in {"put", "get"}


def read_case(*, smoke: bool) -> dict[str, Any]:
    """Return the case, of a quick run if asked for."""
    case = tomllib.loads(CASE.read_text(encoding="utf-8"))
    return {**case, **(case["smoke"] if smoke else {})}


def measure(case: dict[str, Any], transport: dict[str, Any], places: Places) -> list[Figure]:
    """Run all contestants over one transport, in turn in one run."""
    options = {
        "contestants": ",".join(case["contestants"]),
        "sizes": ",".join(map(str, case["sizes"])),
        "operations": ",".join(case["operations"]),
        "threads": "1",
        "rounds": str(case["rounds"]),
        "block-ms": str(case["block_ms"]),
        "transports": transport["transports"],
    }
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    program = Program(
        name="transfer_bench",
        arguments=words,
        hosts=transport["hosts"],
        limit_s=540.0,
        environment=transport["environment"],
    )
    figures = []
    for name, blocks in run_program(program, places).items():
        contestant, operation, size = name.split(".")
        key = "seconds" if is_latency(operation) else "bytes_per_second"
        figures.append(Figure(operation, int(size), contestant, [block[key] for block in blocks]))
    return figures


def paired(figures: Sequence[Figure], one: str, other: str) -> float:
    """Return the median over blocks of how much better `one` is than `other`."""
    by_name = {figure.contestant: figure for figure in figures}
    pairs = zip(by_name[one].blocks, by_name[other].blocks, strict=True)
    if is_latency(figures[0].operation):
        return statistics.median(theirs / ours for ours, theirs in pairs)
    return statistics.median(ours / theirs for ours, theirs in pairs)


def better_way(figures: Sequence[Figure]) -> str:
    """Return the contestant that chooses best: by messages or by RMA."""
    ways = [figure for figure in figures if figure.contestant in {"message", "rma"}]
    best = min if is_latency(figures[0].operation) else max
    return best(ways, key=lambda figure: figure.median).contestant


def groups(figures: Sequence[Figure]) -> Iterator[list[Figure]]:
    """Yield the contestants of each operation and size, in the order of the case's headings."""
    for operation in HEADINGS:
        sizes = sorted({figure.size for figure in figures if figure.operation == operation})
        for size in sizes:
            yield [
                figure
                for figure in figures
                if figure.operation == operation and figure.size == size
            ]


def size_text(size: int) -> str:
    """Return a number of bytes in words."""
    for unit, bytes_each in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= bytes_each:
            return f"{size // bytes_each} {unit}"
    return f"{size} B"


def shown(value: float) -> str:
    """Return three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table_lines(title: str, figures: Sequence[Figure]) -> list[str]:
    """Return one transport's table."""
    lines: list[str] = []
    for operation, heading in HEADINGS.items():
        rows = [group for group in groups(figures) if group[0].operation == operation]
        if not rows:
            continue
        names = "messages | UCX's own | chosen | bare UCX | chosen, of the better | of bare UCX"
        lines += [f"{title}: {heading}", "", f"| bytes | {names} |", "|---|" + "---|" * 6]
        scale = 1e6 if is_latency(operation) else 1e-6
        for group in rows:
            medians = {figure.contestant: figure.median * scale for figure in group}
            cells = [shown(medians[name]) for name in ("message", "rma", "chosen", "ucx")]
            chosen = paired(group, "chosen", better_way(group))
            mark = f"{chosen:.2f}" if chosen >= CHOSEN_TARGET else f"**{chosen:.2f}**"
            cells += [mark, f"{paired(group, 'chosen', 'ucx'):.2f}"]
            lines.append(f"| {size_text(group[0].size)} | {' | '.join(cells)} |")
        lines.append("")
    return lines


def as_json(
    measured: dict[str, list[Figure]], designs: dict[str, list[DesignRow]], found: dict[str, Any]
) -> dict[str, Any]:
    """Return the run as it is kept."""
    return {
        **found,
        "transports": {key: [vars(each) for each in all_] for key, all_ in measured.items()},
        "designs": {key: [vars(each) for each in rows] for key, rows in designs.items()},
    }


def write_page(page: Path, result: Path) -> None:
    """Put the tables of a result between the page's marks."""
    kept = json.loads(result.read_text(encoding="utf-8"))
    if kept["smoke"]:
        msg = f"{result} is of a quick run; run `make bench-transfers` first"
        raise SystemExit(msg)
    names = {entry["key"]: entry["name"] for entry in read_case(smoke=False)["transport"]}
    lines = [f"Run {kept['started']} at commit {kept['machine']['commit'][:12]}.", ""]
    for key, entries in kept["transports"].items():
        lines += table_lines(names[key], [Figure(**entry) for entry in entries])
    for key, entries in kept["designs"].items():
        lines += design_lines(names[key], [DesignRow(**entry) for entry in entries])
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    write_text(page, f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n{END}{after}")


def main(words: Sequence[str] | None = None) -> None:
    """Run, print and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.runtime.transfers", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, for CI")
    parser.add_argument("--build", type=Path, default=Path("build/release"), help="engine's build")
    parser.add_argument("--output", type=Path, default=Path("build/bench"), help="folder")
    parser.add_argument("--page", type=Path, help="measure nothing: write the last run into it")
    arguments = parser.parse_args(words)
    result = arguments.output.resolve() / "transfers.json"
    if arguments.page:
        write_page(arguments.page, result)
        return
    case = read_case(smoke=arguments.smoke)
    places = Places(build=arguments.build.resolve(), peers=arguments.output.resolve())
    found = circumstances(smoke=arguments.smoke)
    measured, designs = {}, {}
    for transport in case["transport"]:
        key, name = transport["key"], transport["name"]
        measured[key] = measure(case, transport, places)
        print("\n".join(table_lines(name, measured[key])))
        designs[key] = measure_designs(case, transport, places)
        print("\n".join(design_lines(name, designs[key])))
    write_json(result, as_json(measured, designs, found))
    print(f"written: {result}")


if __name__ == "__main__":
    main()
