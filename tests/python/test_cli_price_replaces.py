# SPDX-License-Identifier: Apache-2.0
"""Which prices a run replaces that was not told where to write them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from makespan.cli import main
from small_books import plain_book

pytestmark = pytest.mark.usefixtures("fake_engine")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder of the command, with a book in it."""
    monkeypatch.chdir(tmp_path)
    plain_book(5).write_csv("book.csv")


def command(text: str) -> int:
    return main(text.split())


def test_a_second_run_replaces_its_own_prices_and_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command("price book.csv -q") == 0

    assert command("price book.csv --seed 2") == 0

    assert "replaced prices.csv" in capsys.readouterr().out


def test_what_was_not_there_is_not_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("price book.csv -q") == 0

    assert command("price book.csv -o prices.csv --seed 3 --record new.json") == 0

    said = capsys.readouterr().out
    assert "replaced prices.csv\n" in said
    assert "wrote new.json\n" in said


def test_so_does_one_whose_record_is_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("price book.csv -q --record run.json") == 0

    assert command("price book.csv --record run.json") == 0

    assert "replaced prices.csv" in capsys.readouterr().out


def test_a_record_of_other_prices_is_no_sign(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("price book.csv -q --record run.json -o out.csv") == 0
    Path("prices.csv").write_text("mine")

    assert command("price book.csv --record run.json") == 2

    assert "no run.json says that makespan wrote it" in capsys.readouterr().err
    assert Path("prices.csv").read_text() == "mine"


def test_a_run_from_another_folder_replaces_its_own_prices(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("price book.csv -q") == 0
    folder = Path.cwd()
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")

    assert command("price ../book.csv") == 0

    assert "replaced ../prices.csv" in capsys.readouterr().out


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("record", ["../last.json", "last.json"])
def test_a_record_of_another_folders_prices_is_no_sign(
    monkeypatch: pytest.MonkeyPatch, record: str, *, is_old: bool
) -> None:
    """Method: an old record has the path as the command was given it."""
    folder = Path.cwd()
    (folder / "other").mkdir()
    (folder / "other" / "prices.csv").write_text("mine")
    shutil.copy("book.csv", folder / "other")
    written = folder / "other" / record
    assert command(f"price book.csv -q --record {written}") == 0
    if is_old and record.startswith(".."):
        written.write_text(json.dumps(json.loads(written.read_text()) | {"output": "prices.csv"}))
    monkeypatch.chdir(folder / "other")

    assert command(f"price book.csv --record {record}") == 2

    assert Path("prices.csv").read_text() == "mine"


def test_a_run_with_a_record_elsewhere_replaces_its_own_prices_from_another_folder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path.cwd()
    (folder / "below").mkdir()
    assert command("price book.csv -q --record below/last.json") == 0
    monkeypatch.chdir(folder / "below")

    assert command("price ../book.csv --record last.json") == 0

    assert "replaced ../prices.csv" in capsys.readouterr().out


@pytest.mark.parametrize("output", ["prices.csv", "/no/longer/there/prices.csv"])
def test_prices_are_told_by_the_record_beside_them(
    capsys: pytest.CaptureFixture[str], output: str
) -> None:
    """Goal: also by an old record, and in a folder that has moved."""
    assert command("price book.csv -q") == 0
    record = Path("prices.record.json")
    record.write_text(json.dumps(json.loads(record.read_text()) | {"output": output}))

    assert command("price book.csv") == 0

    assert "replaced prices.csv" in capsys.readouterr().out


def test_prices_behind_a_link_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("far").mkdir()
    Path("prices.csv").symlink_to("far/table.csv")
    assert command("price book.csv -q --record far/run.json") == 0

    assert command("price book.csv --record far/run.json") == 0

    assert "replaced prices.csv" in capsys.readouterr().out


@pytest.mark.parametrize(
    "record", [None, "", "[]", "{}", '{"output": null}', '{"output": "o.csv"}']
)
def test_a_file_that_makespan_did_not_write_is_not_replaced_unnamed(
    capsys: pytest.CaptureFixture[str], record: str | None
) -> None:
    Path("prices.csv").write_text("mine")
    if record is not None:
        Path("prices.record.json").write_text(record)

    assert command("price book.csv") == 2

    assert "no prices.record.json says that makespan wrote it" in capsys.readouterr().err
    assert Path("prices.csv").read_text() == "mine"
    assert command("price book.csv -o prices.csv -q --record run.json") == 0


@pytest.mark.parametrize(("first", "second"), [("a.csv", "a.parquet"), ("a.parquet", "a.csv")])
def test_a_record_of_other_prices_is_not_replaced_unnamed(
    capsys: pytest.CaptureFixture[str], first: str, second: str
) -> None:
    assert command(f"price book.csv -q -o {first}") == 0
    before = Path("a.record.json").read_bytes()

    assert command(f"price book.csv -q -o {second}") == 2

    told = f"a.record.json is no record of {second}: name another with --record, or another output"
    assert told in capsys.readouterr().err
    assert not Path(second).exists()
    assert Path("a.record.json").read_bytes() == before
    assert command(f"price book.csv -q -o {first}") == 0
    assert command(f"price book.csv -q -o {second} --record b.json") == 0


def test_two_books_of_one_name_do_not_share_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    plain_book(5).write_parquet("book.parquet")
    assert command("price book.csv -q") == 0

    assert command("price book.parquet -q") == 2

    assert "prices.record.json is no record of prices.parquet" in capsys.readouterr().err
    assert command("price book.csv -q") == 0


def test_a_file_that_is_no_record_is_not_replaced_unnamed() -> None:
    Path("a.record.json").write_text("mine")

    assert command("price book.csv -o a.csv") == 2

    assert Path("a.record.json").read_text() == "mine"
