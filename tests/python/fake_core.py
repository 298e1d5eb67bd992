# SPDX-License-Identifier: Apache-2.0
"""An engine in a few lines with the interface of `makespan._core`, to test the layer around it.

Prices are a fixed function of each row's columns and key, with every bit in use; options finish
one by one, `DELAY_S` apart, so that tests can interrupt, kill and resume. `FAKE_CORE_DELAY_S` sets
the delay for subprocesses.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

GREEKS = ("delta", "gamma", "vega", "rho", "dividend_rho", "theta")
DELAY_S = float(os.environ.get("FAKE_CORE_DELAY_S", "0"))
OK, MAX_PATHS_REACHED, DETERMINISTIC = 0, 1, 2


def version() -> str:
    return "0.0.test"


def build_info() -> dict[str, Any]:
    return {
        "git": "0000000",
        "compiler": "none",
        "build_type": "test",
        "isas": ["one_lane"],
        "with": ["hwloc"],
    }


def available_isas() -> list[str]:
    return ["avx2", "one_lane"]


def policies() -> list[dict[str, Any]]:
    fraction = {"name": "fraction", "default": 0.25, "help": "share of what is left"}
    return [
        {
            "name": "equal_time",
            "summary": "equal times",
            "options": [fraction],
            "form": "memoryless",
        },
        {"name": "self", "summary": "one by one", "options": [], "form": "closed"},
    ]


def modes() -> list[dict[str, Any]]:
    return [{"name": "auto", "summary": "either"}, {"name": "mt", "summary": "one at a time"}]


def dispatchers() -> list[dict[str, Any]]:
    return [{"name": "steal", "summary": "tails too"}, {"name": "counter", "summary": "claims"}]


def balancers() -> list[dict[str, Any]]:
    return [{"name": "greedy", "summary": "the heaviest first", "options": []}]


def methods() -> list[dict[str, Any]]:
    return [
        {"name": "auto", "summary": "exact or mc"},
        {"name": "exact", "summary": "no noise"},
        {"name": "mc", "summary": "with controls"},
        {"name": "mc_plain", "summary": "plain"},
        {"name": "rqmc", "summary": "Sobol points"},
    ]


def find_mpi(launcher: str = "") -> list[dict[str, Any]]:
    """No MPI."""
    return []


def images_launched() -> int:
    return 1


def option_keys(text: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    data = text.tobytes()
    digests = [
        hashlib.blake2b(data[begin:end], digest_size=8).digest()
        for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    ]
    return np.frombuffer(b"".join(digests), dtype=np.uint64)


class PricingRun:
    """A thread that finishes rows one after the other, the last row first."""

    def __init__(
        self,
        book: Mapping[str, Any],
        settings: Mapping[str, Any],
        team: object = None,  # noqa: ARG002
    ) -> None:
        self.rows = len(book["spot"])
        if settings["method"] == "rqmc" and settings["replicates"] < 16:
            raise ValueError("replicates must be at least 16")
        self.book = {name: np.array(column) for name, column in book.items()}
        self.settings = dict(settings)
        self.start = time.perf_counter()
        self.finished: list[int] = []
        self.taken = 0
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        for row in reversed(range(self.rows)):
            if DELAY_S and self.stop.wait(DELAY_S):
                return
            self.finished.append(row)

    def wait(self, seconds: float) -> dict[str, Any]:
        self.thread.join(seconds)
        done = len(self.finished)
        return {
            "done": not self.thread.is_alive(),
            "work_done": 100.0 * done,
            "work_total": 100.0 * self.rows,
            "rows_finished": done,
            "path_steps": 100 * done,
            "elapsed_s": time.perf_counter() - self.start,
        }

    def take_finished(self) -> np.ndarray:
        done = len(self.finished)
        rows = np.array(self.finished[self.taken : done], dtype=np.int64)
        self.taken = done
        return rows

    def take_overdue(self) -> list[dict[str, object]]:
        return []

    has_left_threads_behind = False

    def columns(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        book = {name: c[rows] for name, c in self.book.items() if not name.startswith("times")}
        unit = book["option_key"].astype(np.float64) / 2.0**64
        price = book["notional"] * book["spot"] * (0.1 + 0.01 * unit) * book["option_type"]
        error = np.where(
            book["paths"] > 0, 1.0 / np.sqrt(np.maximum(book["paths"], 1)), book["std_error"]
        )
        exact = book["volatility"] == 0
        capped = (book["std_error"] > 0) & (book["max_paths"] < 1000)
        status = np.where(exact, DETERMINISTIC, np.where(capped, MAX_PATHS_REACHED, OK))
        columns = {
            "status": status.astype(np.int8),
            "price": price,
            "std_error": np.where(exact, 0.0, np.abs(book["notional"]) * error),
            "error_bound": np.where(exact, 1e-9, np.nan),
            "ci_low": price - 2 * error,
            "ci_high": price + 2 * error,
        }
        if self.settings["greeks"]:
            for place, greek in enumerate(GREEKS):
                columns[greek] = price * (place + 1)
                columns[f"{greek}_std_error"] = error * (place + 1)
                columns[f"{greek}_error_bound"] = np.where(exact, 1e-8, np.nan)
        columns["paths_used"] = np.where(exact, 0, np.where(book["paths"] > 0, book["paths"], 4096))
        columns["replicates"] = np.zeros(len(rows), dtype=np.int64)
        columns["control_beta"] = np.where(exact, np.nan, 1.0 + unit)
        columns["variance_reduction"] = np.full(len(rows), 100.0)
        columns["method_price"] = price
        names = [method["name"] for method in methods()]
        simulated = names.index(self.settings["method"].replace("auto", "mc"))
        method = np.where(exact, names.index("exact"), simulated)
        columns["method"] = method.astype(np.int8)
        columns["seconds"] = np.full(len(rows), 1e-3)
        return columns

    def cancel(self) -> None:
        self.stop.set()

    def speeds(self) -> dict[str, float]:
        return {"one_lane, 1 of 1 thread on 1 core": 1e6}

    def summary(self) -> dict[str, Any]:
        wall = time.perf_counter() - self.start
        return {
            "isa": "one_lane",
            "threads": 1,
            "wall_s": wall,
            "busy_s": [wall],
            "path_steps": 100 * self.rows,
            "makespan_s": wall,
            "ideal_s": wall,
            "claims": self.rows,
            "rounds": self.settings["rounds"],
        }
