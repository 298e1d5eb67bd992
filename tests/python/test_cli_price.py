# SPDX-License-Identifier: Apache-2.0
"""The command line: files, exit codes, what goes to stdout and what to stderr."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import fake_core
import polars as pl
import pytest
from makespan.cli import main
from makespan.pricing.command import COMMAND
from small_books import plain_book

import makespan
from tests.torture.journal_rows import wait_for_rows

FAKE_CLI = [sys.executable, str(Path(__file__).with_name("fake_cli.py"))]

LONG = 300 * "x"

pytestmark = pytest.mark.usefixtures("fake_engine")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of the command, with a good and a bad book in it."""
    monkeypatch.chdir(tmp_path)
    plain_book(5).write_csv("book.csv")
    plain_book(5).write_parquet("book.parquet")
    plain_book(2).with_columns(spot=pl.Series([100.0, -1.0])).write_csv("bad.csv")
    Path("loop.csv").symlink_to("loop.csv")
    return tmp_path


def command(text: str) -> int:
    return main(text.split())


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {
        "book.csv",
        "book.parquet",
        "bad.csv",
        "loop.csv",
    }


def test_a_price_run_writes_prices_and_record_beside_the_book(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("price book.csv") == 0

    printed = capsys.readouterr()
    assert names(folder) == {"prices.csv", "prices.record.json"}
    assert pl.read_csv("prices.csv")["id"].to_list() == ["A1", "A2", "A3", "A4", "A5"]
    assert "A1" in printed.out
    assert "wrote prices.csv and prices.record.json" in printed.out
    assert printed.err == ""


def test_a_parquet_book_gives_parquet_prices(folder: Path) -> None:
    assert command("price book.parquet -q") == 0

    assert names(folder) == {"prices.parquet", "prices.record.json"}
    assert "makespan.record" in pl.read_parquet_metadata("prices.parquet")


@pytest.mark.parametrize("example", COMMAND.examples[1:])
def test_the_examples_of_the_help_run(example: str) -> None:
    assert main(example.split()[1:]) == 0


def test_output_and_record_go_where_they_are_named(folder: Path) -> None:
    assert command("price book.csv -o out.parquet --record run.json -q --greeks") == 0

    record = json.loads(Path("run.json").read_text())
    assert names(folder) == {"out.parquet", "run.json"}
    assert record["output"] == str(folder / "out.parquet")
    assert record["settings"]["greeks"] is True
    assert "delta" in pl.read_parquet("out.parquet").columns


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("price book.csv -o book.csv", "the output book.csv would be the same file as the book"),
        ("price book.csv -o x.csv --checkpoint x.csv", "would be the same file as the journal"),
        ("price book.csv -o prices.xlsx", "use one of .csv, .parquet"),
        ("price book.csv -o no/prices.csv", "folder no does not exist; create it"),
        ("price nothing.csv", "nothing.csv does not exist; that folder has bad.csv, book.csv"),
        ("price book.csv --restart-from no.db", "journal no.db does not exist: to begin one give"),
        (
            "price book.csv --method guess",
            "--method guess cannot be used (default \"auto\"): name 'guess' is unknown",
        ),
        ("price book.csv --paths 5 --std-error 1", "give --paths or --std-error, not both"),
        ("price loop.csv", "'loop.csv' cannot be used (links to links that do not end)"),
        ("price book.csv -o loop.csv", "'loop.csv' cannot be used (links to links that do not"),
        (f"price {LONG}.csv", "(File name too long); "),
        (f"price book.csv -o {LONG}.csv", "(File name too long); "),
        (f"price book.csv -o x.csv --record {LONG}", "(File name too long); "),
        ("price bad.csv", "row 2 (A2): spot must be > 0, got -1.0"),
    ],
)
def test_bad_input_is_exit_code_2_and_leaves_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: str, text: str
) -> None:
    assert command(arguments) == 2

    printed = capsys.readouterr()
    assert text in printed.err
    assert printed.err.startswith("makespan: ")
    assert printed.out == ""
    assert names(folder) == set()


@pytest.mark.parametrize("arguments", ["price", "price a b", "price book.csv --nothing", "guess"])
def test_wrong_usage_is_exit_code_2(capsys: pytest.CaptureFixture[str], arguments: str) -> None:
    assert command(arguments) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        b"price book.csv --record r\xff.json",
        b"price no\xff.csv --json",
        b"price book.csv 2>&-",
        b"price book.csv >&-",
    ],
)
def test_streams_take_any_text_or_none(line: bytes) -> None:
    """Method: a name that is no text, and streams that are closed."""
    start = b" ".join(os.fsencode(one) for one in FAKE_CLI)
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}

    ended = subprocess.run(
        ["sh", "-c", start + b" " + line], capture_output=True, env=environment, check=False
    )

    is_bad = b"--json" in line
    assert (ended.returncode, b"Traceback" in ended.stderr) == (2 if is_bad else 0, False)
    if is_bad:
        assert "no\udcff.csv" in json.loads(ended.stdout)["error"]
    else:
        assert Path("prices.csv").exists()


def test_letters_that_a_terminal_lacks_are_shown_by_number() -> None:
    plain_book(1).with_columns(id=pl.lit("a name of many letters \u00e9")).write_csv("names.csv")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}

    ended = subprocess.run(
        [*FAKE_CLI, "price", "names.csv"], capture_output=True, env=environment, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, b"")


def test_skip_invalid_prices_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("price bad.csv --skip-invalid -q") == 0

    said = capsys.readouterr().err
    assert said.splitlines()[-1] == (
        "makespan: warning: 1 row left out as invalid; see column 'error'"
    )
    table = pl.read_csv("prices.csv")
    assert table["status"].to_list() == ["ok", "error"]
    assert table["error"].to_list() == [None, "spot must be > 0, got -1.0"]


def test_a_journal_of_a_book_without_a_valid_row(folder: Path) -> None:
    plain_book(2, strike=-1.0).write_csv("none.csv")

    assert command("price none.csv --skip-invalid --checkpoint run.db -q") == 0
    assert pl.read_csv("prices.csv")["status"].to_list() == ["error"] * 2
    assert command("price none.csv --skip-invalid --restart-from run.db -q") == 0
    assert names(folder) >= {"run.db", "prices.csv"}


def test_json_is_one_document_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("price book.csv --json --greeks") == 0

    document = json.loads(capsys.readouterr().out)
    assert [option["id"] for option in document["options"]] == ["A1", "A2", "A3", "A4", "A5"]
    assert (
        document["record"]["result_hash"]
        == json.loads(Path("prices.record.json").read_text())["result_hash"]
    )
    assert document["options"][0]["price"] == pl.read_csv("prices.csv")["price"][0]


def test_json_describes_a_failure_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("price bad.csv --json") == 2

    assert json.loads(capsys.readouterr().out) == {
        "format": "makespan error",
        "version": 1,
        "error": "bad.csv: 1 error (row 1 is line 2 of the file)",
        "exit_code": 2,
        "problems": [
            {"row": 2, "id": "A2", "column": "spot", "message": "spot must be > 0, got -1.0"}
        ],
    }


def test_warnings_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    plain_book(30, dividend_yield=3.0).write_csv("book.csv")

    assert command("price book.csv -q") == 0

    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == (
        "makespan: warning: row 1 (A1): dividend_yield=3.0 looks like percent; write 0.03"
    )
    assert lines[-1] == "makespan: warning: ... and 20 more like these"


def test_rows_that_reach_max_paths_are_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    plain_book(2, std_error=1e-9, max_paths=10).write_csv("book.csv")

    assert command("price book.csv") == 0

    assert "2 max_paths_reached" in capsys.readouterr().out


@pytest.mark.usefixtures("overflow_at_spot_100")
def test_an_option_without_finite_price_is_exit_code_4_and_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plain_book(2).write_csv("book.csv")

    assert command("price book.csv -q") == 4

    assert "1 option without a finite price" in capsys.readouterr().err
    assert pl.read_csv("prices.csv")["status"].to_list() == ["error", "ok"]


def test_a_failing_engine_is_exit_code_4(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> dict[str, Any]:
        raise RuntimeError("worker 3 failed")

    monkeypatch.setattr(fake_core.PricingRun, "summary", fail)

    assert command("price book.csv") == 4
    assert "worker 3 failed" in capsys.readouterr().err


def test_a_missing_engine_is_exit_code_3(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(makespan, "_core")
    monkeypatch.setitem(sys.modules, "makespan._core", None)

    assert command("price book.csv") == 3
    assert "the engine makespan._core is not installed" in capsys.readouterr().err
    assert command("--version") == 0
    assert capsys.readouterr().out == f"makespan {makespan.__version__}\n"


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--version") == 0
    assert capsys.readouterr().out == f"makespan {makespan.__version__} (commit 0000000)\n"
    assert command("--help") == 0
    assert command("price --help") == 0


def test_journal_and_resume(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("price book.csv --checkpoint run.db -q") == 0
    assert command("price book.csv --checkpoint run.db -q") == 2
    assert "--restart-from run.db goes on with it" in capsys.readouterr().err
    assert command("price book.csv --restart-from run.db --seed 3") == 2
    assert "seed (journal 0, now 3)" in capsys.readouterr().err
    assert command("price book.csv --restart-from run.db") == 0
    assert "5 from the journal" in capsys.readouterr().out


def slow(arguments: list[str], delay_s: float, **more: Any) -> subprocess.Popen[str]:
    """The command over the fake engine with `delay_s` for each option."""
    return subprocess.Popen(
        [*FAKE_CLI, *arguments],
        env={**os.environ, "FAKE_CORE_DELAY_S": str(delay_s), "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def test_ctrl_c_stops_a_run_and_says_how_to_resume(folder: Path) -> None:
    """Method: one option is done, and the others would take seconds."""
    arguments = ["price", "book.csv", "--checkpoint", "my run.db", "--greeks"]
    process = slow(arguments, 2.0)
    wait_for_rows(folder / "my run.db", 1, lambda: process.poll() is not None)

    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert out == ""
    assert re.match(r"makespan: interrupted after [1-4] of 5 options. To go on:\n", err)
    again = "price book.csv --checkpoint 'my run.db' --greeks --restart-from 'my run.db'"
    assert f"\n  makespan {again}\n" in err
    assert not (folder / "prices.csv").exists()
    assert command("price book.csv --greeks -q") == 0


def test_a_reader_that_has_gone_is_no_error() -> None:
    plain_book(3000).write_csv("book.csv")
    process = slow(["price", "book.csv", "--json"], 0.0)
    assert process.stdout is not None
    process.stdout.close()

    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=20) == 0


@pytest.mark.parametrize(("delay_s", "shown"), [(0.4, True), (0.0, False)])
def test_a_terminal_sees_a_bar_for_a_long_run_only(
    delay_s: float,
    shown: bool,  # noqa: FBT001
) -> None:
    try:
        leader, follower = pty.openpty()
    except OSError as error:
        pytest.skip(f"this machine has no pseudo-terminals ({error})")
    process = subprocess.Popen(
        [*FAKE_CLI, "price", "book.csv"],
        env={**os.environ, "FAKE_CORE_DELAY_S": str(delay_s), "TERM": "xterm", "COLUMNS": "80"},
        stdout=subprocess.DEVNULL,
        stderr=follower,
    )
    process.wait(timeout=30)
    os.close(follower)
    os.set_blocking(leader, False)
    try:
        seen = os.read(leader, 1 << 16)
    except OSError:
        seen = b""
    os.close(leader)

    assert (b"path-steps/s" in seen) is shown


def test_no_bar_when_stderr_is_no_terminal() -> None:
    process = slow(["price", "book.csv", "-q"], 0.3)

    out, err = process.communicate(timeout=30)

    assert (process.returncode, out, err) == (0, "", "")
