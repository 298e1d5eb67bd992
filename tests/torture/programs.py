# SPDX-License-Identifier: Apache-2.0
"""The programs that are tortured: their inputs, how they are called, what comes of them."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from tests.torture import inputs
from tests.torture.fault import Fault, expect
from tests.torture.journal_rows import rows_in
from tests.torture.state_files import check_state_file, checkpoints_of

Results = dict[str, str]
"""What two runs are compared by, under the names that faults call it by."""

MELT_STEPS = 400
MELT_END = MELT_STEPS // 10 + 1
"""The phase after the last step; the first one computes forces only."""


@dataclass(frozen=True)
class Program:
    """One command in a folder of its own."""

    name: str
    files: Mapping[str, str]
    words: Callable[[Path], list[str]]
    """After `python`; goes on with what an earlier call has left in the folder."""
    results: Callable[[Path, str], Results]
    """Of a run that ended well, from its folder and stdout."""
    check: Callable[[Path, Results], None]
    """Raises `Fault` for a file that is neither absent nor whole; gets the undisturbed results."""
    kept: Callable[[Path], int] = field(default=lambda _: 0)
    """How far a disturbed run came that the next one goes on with; 0: it begins anew."""
    taken_over: Callable[[Path, str], int] = field(default=lambda _folder, _stdout: 0)
    """The same as the next one says it."""
    of_whole_runs: frozenset[str] = frozenset()
    """Names of results that only a run has that was not disturbed."""
    images: tuple[int, ...] = (1, 3)
    catches_alarm: bool = field(default=False)

    def prepare(self, folder: Path) -> None:
        """Writes the inputs into a new folder."""
        folder.mkdir(parents=True)
        for name, text in self.files.items():
            (folder / name).write_text(text)


def text_of(path: Path) -> str:
    """Raises `Fault` where there is none."""
    expect(path.is_file(), f"{path.name} is missing")
    return path.read_text()


def json_of(path: Path) -> Mapping[str, object]:
    """Raises `Fault` for a file that is cut."""
    try:
        found: Mapping[str, object] = json.loads(path.read_text())
    except ValueError as error:
        raise Fault(f"{path.name} is half written ({error})") from error
    return found


def _price_words(folder: Path) -> list[str]:
    words = ["-m", "makespan", "price", "book.csv", "--threads", "1", "-o", "out.csv"]
    flag = "--restart-from" if (folder / "book.journal").exists() else "--checkpoint"
    return [*words, flag, "book.journal"]


def _price_results(folder: Path, _stdout: str) -> Results:
    record = json_of(folder / "out.record.json")
    return {"prices": _prices(folder / "out.csv"), "result_hash": str(record["result_hash"])}


def _rows_of(journal: str) -> Callable[[Path], int]:
    def kept(folder: Path) -> int:
        try:
            return rows_in(folder / journal)
        except sqlite3.OperationalError:  # there is no table yet
            return 0

    return kept


def _price_taken_over(folder: Path, _stdout: str) -> int:
    options = json_of(folder / "out.record.json")["options"]
    assert isinstance(options, dict)
    return int(options["from_journal"])


def _map_taken_over(folder: Path, _stdout: str) -> int:
    items = json_of(folder / "map.json")["items"]
    assert isinstance(items, dict)
    return int(items["from_journal"])


def _check_map_record(folder: Path, _expected: Results) -> None:
    if (folder / "map.json").exists():
        json_of(folder / "map.json")


def _prices(path: Path) -> str:
    """The columns that do not tell how long it took."""
    lines = text_of(path).splitlines()
    timed = lines[0].split(",").index("seconds") if lines else None
    cells = [line.split(",") for line in lines]
    return "\n".join(",".join(c for at, c in enumerate(row) if at != timed) for row in cells)


def _check_prices(folder: Path, expected: Results) -> None:
    prices, record = folder / "out.csv", folder / "out.record.json"
    if prices.exists():
        expect(_prices(prices) == expected["prices"], "out.csv is half written")
    if record.exists():
        expect(json_of(record)["result_hash"] == expected["result_hash"], "the record is wrong")


def _said_once(_folder: Path, stdout: str) -> Results:
    # A launcher may put the lines of two images into one.
    said = set(re.findall(r"[0-9a-f]{64}", stdout))
    expect(len(said) == 1, f"not one result: {sorted(said)}")
    return {"result": said.pop()}


def _nothing_written(_folder: Path, _expected: Results) -> None:
    """Programs that only print."""


def _hash_in(stdout: str) -> str:
    try:
        run = json.loads(stdout)["run"]
        return f"{run['result_hash']}{'' if run['complete'] else ' of a part'}"
    except (ValueError, KeyError) as error:
        raise Fault(f"no document on stdout: {stdout[-200:]!r}") from error


def _first_step(_folder: Path, stdout: str) -> int:
    return int(json.loads(stdout)["run"]["first_step"])


def _melt_newest(folder: Path) -> Path | None:
    """One of the last step is refused: there is nothing to go on with."""
    saved = checkpoints_of(folder / "saved", "phase-", "")
    return next((one for one in reversed(saved) if not one.name.endswith(f"-{MELT_END}")), None)


def _melt_kept(folder: Path) -> int:
    newest = _melt_newest(folder)
    return 0 if newest is None else 10 * (int(newest.name.removeprefix("phase-")) - 1)


def _melt_words(folder: Path) -> list[str]:
    words = ["-m", "makespan", "melt", "in.toml", "--threads", "1", "--json"]
    newest = _melt_newest(folder)
    if newest is None:
        return [*words, "--checkpoint", "saved", "-o", "atoms.xyz"]
    # Frames of a run that goes on begin after its checkpoint: only those of a whole run compare.
    (folder / "atoms.xyz").unlink(missing_ok=True)
    return [*words, "--checkpoint", "saved", "--restart-from", f"saved/{newest.name}"]


def _melt_results(folder: Path, stdout: str) -> Results:
    frames = folder / "atoms.xyz"
    shown = {"frames": frames.read_text()} if frames.exists() else {}
    return {"hash": _hash_in(stdout), **shown}


def _check_melt(folder: Path, expected: Results) -> None:
    path = folder / "atoms.xyz"
    frames = path.read_text() if path.exists() else ""
    expect(expected["frames"].startswith(frames), "atoms.xyz has other frames")
    lines = frames.splitlines()
    whole = not lines or len(lines) % (int(lines[0]) + 2) == 0
    expect(whole and frames.endswith("\n") == bool(frames), "atoms.xyz is cut")


def _grid_kept(folder: Path) -> int:
    saved = checkpoints_of(folder / "saved", "step-", ".vtkhdf")
    return int(saved[-1].stem.removeprefix("step-")) if saved else 0


def _grid_words(name: str) -> Callable[[Path], list[str]]:
    def words(folder: Path) -> list[str]:
        saved = checkpoints_of(folder / "saved", "step-", ".vtkhdf")
        going_on = ["--restart-from", f"saved/{saved[-1].name}"] if saved else []
        if not saved:
            # A run ended between its first table and its first checkpoint: the message of the next
            # one says that results are in the way.
            shutil.rmtree(folder / "out", ignore_errors=True)
        command = ["-m", "makespan", name, "in.toml", "--threads", "1", "--json", "--output", "out"]
        return [*command, "--checkpoint", "saved", *going_on]

    return words


def grid_tables(folder: Path) -> Results:
    """All tables that are there."""
    return {one.name: one.read_text() for one in sorted((folder / "out").glob("*.csv"))}


def _grid_results(folder: Path, stdout: str) -> Results:
    return {"hash": _hash_in(stdout), **grid_tables(folder)}


def _check_grid(folder: Path, expected: Results) -> None:
    for name, text in grid_tables(folder).items():
        whole = not text or text.endswith("\n")
        expect(whole and expected.get(name, "").startswith(text), f"{name} is half written")
    for path in (folder / "saved").glob("step-*.vtkhdf"):
        check_state_file(path)


def _simulate_words(_folder: Path) -> list[str]:
    command = ["-m", "makespan", "simulate", "machine.toml", "--tasks", "20000", "--json"]
    return [*command, "--dispatcher", "steal,counter,boss", "--report", "page.html"]


def _simulate_results(_folder: Path, stdout: str) -> Results:
    return {"document": stdout}


def _check_page(folder: Path, _expected: Results) -> None:
    page = folder / "page.html"
    if page.exists():
        expect(page.read_text().rstrip().endswith("</html>"), "page.html is half written")


def _machine_words(_folder: Path) -> list[str]:
    command = ["-m", "makespan", "machine", "--measure", "--seconds", "0.3", "--json"]
    return [*command, "-o", "node.xml"]


def _machine_results(folder: Path, _stdout: str) -> Results:
    # What was measured is another thing each time.
    expect((folder / "node.xml").exists(), "node.xml is missing")
    return {}


def _check_machine(folder: Path, _expected: Results) -> None:
    for path in folder.glob("node.*"):
        if path.suffix == ".json":
            json_of(path)
        else:
            try:
                ElementTree.parse(path)  # noqa: S314 - our own file
            except ElementTree.ParseError as error:
                raise Fault(f"{path.name} is half written ({error})") from error


MACHINE = """
[kind.cpu]
threads = 8
speed = 2.0e9
noise = 0.02
[[node]]
count = 2
devices = ["2 cpu"]
[network]
latency_us = 1.5
bandwidth_gb = 10.0
"""

PROGRAMS = {
    one.name: one
    for one in (
        Program(
            "price",
            {"book.csv": inputs.book(40, 250_000)},
            _price_words,
            _price_results,
            _check_prices,
            _rows_of("book.journal"),
            _price_taken_over,
        ),
        Program(
            "map",
            {"map.py": inputs.MAP_SCRIPT},
            lambda _: ["map.py"],
            _said_once,
            _nothing_written,
            catches_alarm=True,
        ),
        Program(
            "map-journal",
            {"map.py": inputs.MAP_JOURNAL_SCRIPT},
            lambda _: ["map.py"],
            _said_once,
            _check_map_record,
            _rows_of("map.journal"),
            _map_taken_over,
            catches_alarm=True,
        ),
        Program(
            "price-script",
            {"price.py": inputs.PRICE_SCRIPT, "book.csv": inputs.book(40, 250_000)},
            lambda _: ["price.py"],
            _said_once,
            _nothing_written,
            images=(1,),
            catches_alarm=True,
        ),
        Program(
            "melt",
            {"in.toml": inputs.melt(MELT_STEPS)},
            _melt_words,
            _melt_results,
            _check_melt,
            _melt_kept,
            _first_step,
            of_whole_runs=frozenset({"frames"}),
        ),
        Program(
            "calcium",
            {"in.toml": inputs.calcium(0.045)},
            _grid_words("calcium"),
            _grid_results,
            _check_grid,
            _grid_kept,
            _first_step,
        ),
        Program(
            "diffuse",
            {"in.toml": inputs.diffuse(6000, 600)},
            _grid_words("diffuse"),
            _grid_results,
            _check_grid,
            _grid_kept,
            _first_step,
        ),
        Program(
            "simulate",
            {"machine.toml": MACHINE},
            _simulate_words,
            _simulate_results,
            _check_page,
        ),
        Program("machine", {}, _machine_words, _machine_results, _check_machine),
    )
}
