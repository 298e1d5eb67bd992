# SPDX-License-Identifier: Apache-2.0
"""Books as bags: what `makespan price` would begin with."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from makespan.base.engine import Engine
from makespan.base.errors import InputError
from makespan.pricing.book import checked_book, raw_book
from makespan.pricing.book.accuracy import Defaults
from makespan.pricing.book.ids import id_bytes
from makespan.pricing.input import Settings
from makespan.sim.tasks import Tasks


def book_bag(engine: Engine, path: Path, paths: int) -> Tasks:
    """A task for each option, an item for each block of paths; costs in path-steps.

    `paths` is for rows that say nothing. Rows that ask for an error instead of paths are there with
    their first round: how many more they need is known when they have been priced.

    Raises `BookError`, `InputError`.
    """
    settings = Settings(paths=paths)
    defaults = Defaults(settings.fixing_grid, settings.paths, settings.std_error, settings.seed)
    book = checked_book(raw_book(path), defaults)
    text, offsets = id_bytes(book.valid_ids)
    columns = {"option_key": engine.option_keys(text, offsets), **book.columns}
    try:
        bag = engine.first_bag(columns, settings.for_engine(engine))
    except ValueError as error:
        raise InputError(str(error)) from error
    order = np.argsort(bag["row"])
    return Tasks(
        str(path),
        tuple(bag["cost"][order].tolist()),
        items=tuple(bag["items"][order].tolist()),
    )
