# SPDX-License-Identifier: Apache-2.0
"""Fixtures that several tests share."""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import fake_core
import numpy as np
import pytest
from hypothesis import settings

import makespan

# A shell's "&" has its programs ignore Ctrl-C, and all that these start inherit it: tests that
# press it would wait in vain under `make test &`.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("untimed", deadline=None)  # how long an example takes is no mistake
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def whole_lines() -> Iterator[None]:
    """Programs write whole lines: with PYTHONUNBUFFERED those of two images would mix."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONUNBUFFERED", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the user's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def this_machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of this machine, measured once for all processes of pytest: it takes its time."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if hasattr(request.config, "workerinput") else base
    path = folder / "this_machine.xml"
    with (folder / "this_machine.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            makespan.machine(measure=True, seconds=0.05, output=path)
    return path


YIELDING_MPI = Path(__file__).parents[2] / "build/release/tests/libmakespan_yielding_mpi.so"


@pytest.fixture(scope="session", autouse=True)
def yielding_mpi() -> Iterator[None]:
    """MPICH yields its core where it waits: other tests and other images need it.

    A sanitizer is preloaded alone.
    """
    with pytest.MonkeyPatch.context() as patch:
        if YIELDING_MPI.is_file() and "LD_PRELOAD" not in os.environ:
            patch.setenv("LD_PRELOAD", str(YIELDING_MPI))
        yield


@pytest.fixture
def overflow_at_spot_100(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake engine has no finite price for rows with this spot."""
    sound = fake_core.PricingRun.columns

    def columns(run: fake_core.PricingRun, rows: np.ndarray) -> dict[str, np.ndarray]:
        found = sound(run, rows)
        found["price"] = np.where(run.book["spot"][rows] == 100.0, np.inf, found["price"])
        return found

    monkeypatch.setattr(fake_core.PricingRun, "columns", columns)


@pytest.fixture
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The fake engine in the place of `makespan._core`."""
    monkeypatch.setitem(sys.modules, "makespan._core", fake_core)
    monkeypatch.setattr(makespan, "_core", fake_core, raising=False)
    return fake_core
