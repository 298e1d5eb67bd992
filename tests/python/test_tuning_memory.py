# SPDX-License-Identifier: Apache-2.0
"""Ways of running that won are kept for later runs; what is damaged there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from makespan.grids.tuning_memory import TuningMemory


def memory(folder: Path, **kind: Any) -> TuningMemory:
    return TuningMemory(folder / "grids", {"points": [1, 2, 3], **kind})


def test_a_memory_keeps_what_it_is_given(tmp_path: Path) -> None:
    assert memory(tmp_path).kept() is None
    memory(tmp_path).keep({"schedule": "none", "device_speeds": [1.0, 2.0]})

    assert memory(tmp_path).kept() == {"schedule": "none", "device_speeds": [1.0, 2.0]}
    assert memory(tmp_path, images=2).kept() is None
    assert TuningMemory(None, {}).kept() is None
    TuningMemory(None, {}).keep({})


@pytest.mark.parametrize(
    "text",
    ["", "nothing", "[]", '{"format": 2}', "x" * (1 << 17), "[" * 100000],
    ids=lambda text: text[:9],
)
def test_a_damaged_memory_is_none(tmp_path: Path, text: str) -> None:
    memory(tmp_path).keep({"schedule": "none"})
    (path,) = (tmp_path / "grids").iterdir()
    path.write_text(text)

    assert memory(tmp_path).kept() is None
    assert not path.exists()


@pytest.mark.parametrize("won", [{"schedule": "wild"}, {"colour": 1}, {"blocks": 0}], ids=str)
def test_a_memory_of_what_cannot_be_is_none(tmp_path: Path, won: dict[str, Any]) -> None:
    memory(tmp_path).keep(won)

    assert memory(tmp_path).kept() is None
