# SPDX-License-Identifier: Apache-2.0
"""Books and grids on CPU, GPU and both: skipped where the engine sees no GPU.

`make test-cuda-emulated` runs it on what stands in for one. `tools/gpu_check` does not: it runs
programs of C++ alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from makespan.base.engine import load_engine
from makespan.pricing.speed_memory import SpeedMemory
from makespan.report.result_hash import shown_hash
from small_books import plain_row
from small_grids import SPARK

import makespan

EXAMPLES = Path(__file__).parents[2] / "examples"
WHY_NONE = load_engine().gpus()["why_none"]

EXACT = "exact"

pytestmark = pytest.mark.skipif(bool(WHY_NONE), reason=WHY_NONE)


def hash_on(devices: str, book: object, **settings: Any) -> str:
    """The result's hash; a device that is alone must have computed it."""
    result = makespan.price(book, devices=devices, memory=False, **settings)
    assert result is not None
    engine = result.record["engine"]
    assert engine["complete"]
    assert not any(device["failed"] for device in engine["devices"])
    assert (
        engine["devices"][0]["work"] > 0 or len(engine["devices"]) > 1 or EXACT in settings.values()
    )
    return shown_hash(result.record["result_hash"])


def few_rows(paths: int = 2000) -> pl.DataFrame:
    """Every eighth row of examples/book.csv, with few paths."""
    book = pl.read_csv(EXAMPLES / "book.csv", infer_schema_length=None)
    return book.gather_every(8).with_columns(
        pl.lit(paths).alias("paths"), pl.lit(None, pl.Float64).alias("std_error")
    )


@pytest.mark.parametrize("greeks", [False, True])
@pytest.mark.parametrize("method", ["auto", EXACT, "mc", "mc_plain", "rqmc", "rqmc_smooth"])
def test_a_book_has_one_hash_on_cpu_gpu_and_both(method: str, *, greeks: bool) -> None:
    settings: dict[str, Any] = {"method": method, "greeks": greeks}
    on_cpu = hash_on("cpu", few_rows(), **settings)

    assert hash_on("cuda:0", few_rows(), **settings) == on_cpu
    assert hash_on("cpu cuda:0", few_rows(), **settings) == on_cpu


def of_examples(name: str, **tables: str) -> tuple[Any, dict[str, Any]]:
    """An example's book and its market."""
    market = {table: str(EXAMPLES / file) for table, file in tables.items()}
    return str(EXAMPLES / name), {"paths": 1000, **market}


MODELS = {
    "curves": of_examples("curved_book.csv", curves="curves.csv"),
    "baskets": of_examples(
        "basket_book.csv", baskets="baskets.csv", correlations="correlations.csv"
    ),
    "surfaces": of_examples("surface_book.csv", surfaces="surfaces.csv"),
    "heston": (
        pl.DataFrame(
            [
                plain_row(
                    volatility=None,
                    heston_v0=0.04,
                    heston_kappa=2.0,
                    heston_theta=0.05,
                    heston_sigma=0.4,
                    heston_rho=-0.6,
                )
            ]
        ),
        {"paths": 3000},
    ),
}


@pytest.mark.parametrize("greeks", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_a_book_of_a_model_has_one_hash_on_cpu_gpu_and_both(model: str, *, greeks: bool) -> None:
    book, market = MODELS[model]
    settings = {"method": "mc", "greeks": greeks, **market}
    on_cpu = hash_on("cpu", book, **settings)

    assert hash_on("cuda:0", book, **settings) == on_cpu
    assert hash_on("cpu cuda:0", book, **settings) == on_cpu


@pytest.mark.parametrize("dispatcher", ["steal", "hierarchical", "counter", "boss", "static"])
def test_every_dispatcher_gives_work_to_a_gpu(dispatcher: str) -> None:
    settings: dict[str, Any] = {"method": "mc", "dispatcher": dispatcher}

    assert hash_on("cpu cuda:0", few_rows(), **settings) == hash_on("cpu", few_rows(), **settings)


def test_tails_are_stolen_from_a_gpu_that_is_slower_than_was_thought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As many launches as leave something to steal.
    gpu = load_engine().gpus()["names"][0]
    book = few_rows(paths=100_000_000 if "NVIDIA" in gpu else 60_000)
    makespan.price(book, devices="cpu cuda:0", method="mc")
    remembered = SpeedMemory.remembered

    def too_fast(memory: SpeedMemory) -> dict[str, float]:
        return {
            kind: speed * (1 if " on " in kind else 8) for kind, speed in remembered(memory).items()
        }

    monkeypatch.setattr(SpeedMemory, "remembered", too_fast)
    # Each has all of its share from the beginning.
    result = makespan.price(book, devices="cpu cuda:0", method="mc", policy="static")

    assert result is not None
    assert result.record["engine"]["steals"] > 0
    assert shown_hash(result.record["result_hash"]) == hash_on("cpu", book, method="mc")


def diffused(devices: str, **settings: Any) -> str:
    values = [[[float((x ^ y ^ z) % 17) for x in range(32)] for y in range(32)] for z in range(32)]
    after = makespan.diffuse(
        values, steps=20, time_step=0.1, devices=devices, threads=2, **settings
    )
    assert after is not None
    return str(after.hash)


@pytest.mark.parametrize("schedule", ["overlap", "none"])
@pytest.mark.parametrize("devices", ["cuda", "cpu cuda"])
def test_diffusion_has_one_hash_on_cpu_gpu_and_both(devices: str, schedule: str) -> None:
    assert diffused(devices, schedule=schedule) == diffused("cpu")


def reacted(devices: str, **settings: Any) -> str:
    """Gray and Scott's equations, with a rate that grows with time."""

    def update(u: Any, v: Any, step: Any, feed: Any) -> dict[str, Any]:
        rate = u * v * v * (1 + 1e-3 * step)
        return {
            "u": u + 0.1 * u.laplacian() - rate + feed * (1 - u),
            "v": v + 0.05 * v.laplacian(order=4) + rate - 0.1 * np.sqrt(np.abs(v)) * v,
        }

    values = np.random.default_rng(7).random((20, 24, 33))
    problem = makespan.grid(
        update,
        {"u": values, "v": 0.3 * values},
        parameters={"feed": 0.04},
        boundary={"x": "periodic", "y": (0.5, "no-flux"), "z": "no-flux"},
    )
    after = problem.run(20, devices=devices, threads=2, **settings)
    assert after is not None
    # The first cut is far from any machine's speeds: planes must have moved where they can.
    assert after.record["run"]["planes_moved"] > 0 or " " not in devices
    return str(after.hash)


@pytest.mark.parametrize("devices", ["cuda", "cpu cuda"])
def test_equations_have_one_hash_on_cpu_gpu_and_both(devices: str) -> None:
    uneven = {"device_speeds": [1.0, 9.0], "rebalance_steps": 4} if " " in devices else {}
    assert reacted(devices, **uneven) == reacted("cpu")


@pytest.mark.parametrize("devices", ["cuda", "cpu cuda"])
def test_calcium_has_one_hash_on_cpu_gpu_and_both(devices: str, tmp_path: Path) -> None:
    given = tmp_path / "spark.toml"
    given.write_text(SPARK, encoding="utf-8")
    on_cpu, on_gpu = (makespan.calcium(given, devices=name, threads=2) for name in ("cpu", devices))

    assert on_cpu is not None
    assert on_gpu is not None
    assert on_gpu.hash == on_cpu.hash
