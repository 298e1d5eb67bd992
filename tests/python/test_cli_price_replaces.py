# SPDX-License-Identifier: Apache-2.0
"""Which prices a run replaces that was not told where to write them."""

from __future__ import annotations

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
    assert command("price book.csv -o prices.csv -q") == 0
