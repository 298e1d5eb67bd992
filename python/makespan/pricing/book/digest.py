# SPDX-License-Identifier: Apache-2.0
"""Hashes of a book's contents: equal contents, equal hash, whatever the file format was."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from makespan.pricing.book.curve_rules import NUMBER_COLUMNS
from makespan.pricing.book.market_columns import (
    BASKET_NUMBERS,
    BASKET_POINTS,
    POINT_COLUMNS,
)
from makespan.pricing.book.normal import TIMES_COLUMNS, EngineColumns

_DIGEST_BYTES = 16
_NUMBERS_AND_SHAPES = (
    "basket_offset",
    "basket_correlation",
    "basket_surface",
    *BASKET_NUMBERS,
)


def input_hash(ids: tuple[NDArray[np.uint8], NDArray[np.int64]], columns: EngineColumns) -> str:
    """SHA-256 over ids and all columns, defaults filled in, little-endian, in row order."""
    digest = hashlib.sha256()
    named: dict[str, NDArray[Any]] = {"id": ids[0], "id_offset": ids[1], **columns}
    for name, column in named.items():
        digest.update(name.encode())
        digest.update(_bits(column))
    return digest.hexdigest()


def contract_hashes(columns: EngineColumns, settings: str) -> list[bytes]:
    """One hash for each row: its contract, and the settings that change its price's bits.

    The option key is among the columns, since it chooses the random numbers.
    """
    columns = {**columns, **_by_content(columns)}
    names = [name for name in columns if name not in (*TIMES_COLUMNS, *POINT_COLUMNS)]
    rows = len(columns["spot"])
    if not rows:
        return []
    widths = [columns[name].nbytes // max(rows, 1) for name in names]
    table = np.empty((rows, sum(widths)), dtype=np.uint8)
    places = np.cumsum([0, *widths])
    for name, begin, end in zip(names, places[:-1], places[1:], strict=True):
        table[:, begin:end] = _bytes(columns[name]).reshape(rows, -1)
    offsets, times = columns["times_offset"].tolist(), _bytes(columns["times"])
    start = hashlib.blake2b(settings.encode(), digest_size=_DIGEST_BYTES)
    hashes = []
    for row in range(rows):
        digest = start.copy()
        digest.update(table[row].tobytes())
        digest.update(times[8 * offsets[row] : 8 * offsets[row + 1]].tobytes())
        hashes.append(digest.digest())
    return hashes


def _by_content(columns: EngineColumns) -> EngineColumns:
    """Digests of each row's curves and basket, shape (rows, bytes), in place of their numbers."""
    curves = _curve_digests(columns)
    found = {} if curves is None else {name: curves[columns[name]] for name in NUMBER_COLUMNS}
    surfaces = _surface_digests(columns)
    if surfaces is not None and "surface" in columns:
        found["surface"] = surfaces[columns["surface"]]
    if "basket" in columns:
        found["basket"] = _basket_digests(columns, curves, surfaces)[columns["basket"]]
    return found


def _curve_digests(columns: EngineColumns) -> NDArray[np.uint8] | None:
    """One for each curve, and a last one for none."""
    if "curve_kind" not in columns:
        return None
    offsets = columns["curve_offset"].tolist()
    digests = np.zeros((len(offsets), _DIGEST_BYTES), dtype=np.uint8)  # the last is that of -1
    for i, (begin, end) in enumerate(pairwise(offsets)):
        digest = hashlib.blake2b(_bits(columns["curve_kind"][i : i + 1]), digest_size=_DIGEST_BYTES)
        digest.update(_bits(columns["curve_time"][begin:end]))
        digest.update(_bits(columns["curve_value"][begin:end]))
        digests[i] = np.frombuffer(digest.digest(), dtype=np.uint8)
    return digests


def _surface_digests(columns: EngineColumns) -> NDArray[np.uint8] | None:
    """One for each surface, and a last one for none."""
    if "surface_time" not in columns:
        return None
    times = list(pairwise(columns["surface_time_offset"].tolist()))
    moneyness = list(pairwise(columns["surface_moneyness_offset"].tolist()))
    digests = np.zeros((len(times) + 1, _DIGEST_BYTES), dtype=np.uint8)
    entry = 0
    for i, ((t0, t1), (k0, k1)) in enumerate(zip(times, moneyness, strict=True)):
        digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        digest.update(_bits(columns["surface_time"][t0:t1]))
        digest.update(_bits(columns["surface_log_moneyness"][k0:k1]))
        count = (t1 - t0) * (k1 - k0)
        digest.update(_bits(columns["surface_volatility"][entry : entry + count]))
        entry += count
        digests[i] = np.frombuffer(digest.digest(), dtype=np.uint8)
    return digests


def _basket_digests(
    columns: EngineColumns,
    curves: NDArray[np.uint8] | None,
    surfaces: NDArray[np.uint8] | None,
) -> NDArray[np.uint8]:
    """One for each basket, and a last one for none."""
    offsets = columns["basket_offset"].tolist()
    digests = np.zeros((len(offsets), _DIGEST_BYTES), dtype=np.uint8)
    entry = 0
    for i, (begin, end) in enumerate(pairwise(offsets)):
        digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        for name in BASKET_POINTS:
            if name in BASKET_NUMBERS and curves is not None:
                digest.update(curves[columns[name][begin:end]].tobytes())
            elif name == "basket_surface" and surfaces is not None:
                digest.update(surfaces[columns[name][begin:end]].tobytes())
            elif name not in _NUMBERS_AND_SHAPES:
                digest.update(_bits(columns[name][begin:end]))
        entries = (end - begin) ** 2
        digest.update(_bits(columns["basket_correlation"][entry : entry + entries]))
        entry += entries
        digests[i] = np.frombuffer(digest.digest(), dtype=np.uint8)
    return digests


def result_hash(ids: list[str], prices: NDArray[np.float64]) -> str:
    """SHA-256 over the little-endian bits of the prices, in the order of the ids' text."""
    order = sorted(range(len(ids)), key=ids.__getitem__)
    return hashlib.sha256(_bits(prices[np.array(order, dtype=np.int64)])).hexdigest()


def _bits(column: NDArray[Any]) -> bytes:
    """Little-endian bytes of a column; every NaN has the same ones."""
    little = column.astype(column.dtype.newbyteorder("<"))
    if little.dtype.kind == "f":
        little[np.isnan(little)] = np.nan
    return little.tobytes()


def _bytes(column: NDArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(_bits(column), dtype=np.uint8)
