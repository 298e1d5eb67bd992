# SPDX-License-Identifier: Apache-2.0
"""Fixtures that several tests share."""

from __future__ import annotations

import sys
from types import ModuleType

import fake_core
import pytest

import makespan


@pytest.fixture
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The fake engine in the place of `makespan._core`."""
    monkeypatch.setitem(sys.modules, "makespan._core", fake_core)
    monkeypatch.setattr(makespan, "_core", fake_core, raising=False)
    return fake_core
