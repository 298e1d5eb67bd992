# SPDX-License-Identifier: Apache-2.0
"""A short run of the fuzzer, and that it would notice a defect."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import fake_core
import fuzz_book
import pytest


def test_damaged_books_are_priced_or_refused(tmp_path: Path) -> None:
    """Fixed seed: the same 250 books each time; `make fuzz-book` takes others, for ten minutes."""
    samples = fuzz_book.sample_books()
    ends = set()
    for case in range(250):
        chance = random.Random(f"test/{case}")
        suffix, data = samples[case % len(samples)]
        path = tmp_path / f"book{suffix}"
        path.write_bytes(fuzz_book.mutated(data, chance))

        ends.add(fuzz_book.read_and_price(path, fake_core, skip_invalid=case % 3 > 0))

    assert ends == {"priced", "refused"}


@pytest.mark.parametrize(("suffix", "data"), fuzz_book.sample_books())
def test_undamaged_samples_are_priced(tmp_path: Path, suffix: str, data: bytes) -> None:
    """Else the fuzzer would only ever test how books are refused."""
    path = tmp_path / f"book{suffix}"
    path.write_bytes(data)

    assert fuzz_book.read_and_price(path, fake_core, skip_invalid=False) == "priced"


def test_a_worker_that_ends_badly_is_a_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crashed = SimpleNamespace(returncode=-11, stdout="", stderr="segmentation fault")
    monkeypatch.setattr(fuzz_book.subprocess, "run", lambda *_, **__: crashed)
    monkeypatch.setattr(fuzz_book, "KEPT", tmp_path)

    assert fuzz_book.fuzz(minutes=1e-6, first_seed=1, engine="fake") == 1
    assert "1 defects" in capsys.readouterr().out
