# SPDX-License-Identifier: Apache-2.0
"""The Python function."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from makespan.files.atomic import write_files
from makespan.job.progress import OnProgress
from makespan.settings.from_python import values_given
from makespan.settings.keywords import takes

import makespan
from sixth_application.document import pi_document
from sixth_application.input import KEYS, PI_FILE, PYTHON_SETTINGS
from sixth_application.outcome import PiResult


@takes(PYTHON_SETTINGS)
def pi(
    source: str | None = None, *, on_progress: OnProgress | None = None, **given: Any
) -> PiResult | None:
    """Estimates pi. Blocks; collective under mpiexec, as every function."""
    values = values_given(PI_FILE, source, {one.name: given[one.name] for one in KEYS})
    darts, seed = values["darts"], values["seed"]
    hits = makespan.map(
        lambda batch: _hits(seed, batch, darts),
        range(values["batches"]),
        threads=given["threads"],
        gather=given["gather"],
        on_progress=on_progress,
    )
    if hits is None:
        return None
    total = values["batches"] * darts
    result = PiResult(4.0 * sum(hits) / total, total)
    if given["output"] is not None:
        text = pi_document(result)
        write_files({Path(given["output"]): lambda path: _write(path, text)})
    return result


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _hits(seed: int, batch: int, darts: int) -> int:
    chance = random.Random(f"{seed} {batch}")  # noqa: S311 - nothing secret
    return sum(chance.random() ** 2 + chance.random() ** 2 <= 1.0 for _ in range(darts))
