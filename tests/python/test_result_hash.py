# SPDX-License-Identifier: Apache-2.0
"""Result hashes: as docs/reference/record.md says, and one for each order of values.

Method: its formula in numpy, over the fields that a run gives back. That other images, devices and
checkpoints change nothing is in the tests of commands and functions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from makespan.base.engine import load_engine
from makespan.grids.joined_run import joined_team
from makespan.report.result_hash import shown_hash, tree_hash

import makespan

Values = np.ndarray[Any, np.dtype[np.float64]]
Words = np.ndarray[Any, np.dtype[np.uint64]]

SHAPE = (6, 5, 7)  # z, y, x


def mixed(bits: Words) -> Words:
    """The finaliser of splitmix64."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def digests_of(fields: Sequence[Values]) -> Words:
    """Two words for each plane of each field."""
    words = []
    for field in fields:
        bits = np.ascontiguousarray(field).view(np.uint64)
        places = mixed(np.arange(1, field.size + 1, dtype=np.uint64)).reshape(field.shape)
        turned = (bits << np.uint64(32)) | (bits >> np.uint64(32))
        sums = [mixed(bits + places), mixed(turned ^ places)]
        words.append(np.stack([each.sum(axis=(1, 2)) for each in sums], axis=1))
    return np.concatenate(words).ravel()


def test_the_hash_is_sha_256_over_a_word_the_shape_and_the_digests() -> None:
    made = hashlib.sha256(b"makespan diffuse\n")
    made.update(b"".join(number.to_bytes(8, "little") for number in (1, 2, 3, 2**64 - 1)))

    digests = np.array([3, 2**64 - 1], dtype=np.uint64)

    assert tree_hash("diffuse", (1, 2), digests) == made.hexdigest()
    assert tree_hash("calcium", (1, 2), digests) != made.hexdigest()
    assert tree_hash("diffuse", (2, 1), digests) != made.hexdigest()
    assert tree_hash("diffuse", (1, 2), digests[::-1]) != made.hexdigest()
    assert shown_hash(made.hexdigest()) == made.hexdigest()[:12]


@pytest.mark.parametrize("devices", ["cpu", "cpu cpu"])
def test_that_of_a_field_is_as_the_reference_says(devices: str) -> None:
    values = np.random.default_rng(7).random(SHAPE)

    result = makespan.diffuse(values, steps=9, threads=2, devices=devices, rebalance_steps=3)

    assert result is not None
    assert result.hash == tree_hash("diffuse", (1, *SHAPE), digests_of([result.values]))


def test_that_of_a_spark_has_all_its_fields() -> None:
    result = makespan.calcium(
        points=[7, 6, 8], layout="plain", ryr_open=[], duration=0.003, fields=True
    )

    assert result is not None
    fields = list(result.fields.values())
    assert len(fields) == 5
    assert result.hash == tree_hash("calcium", (5, 8, 6, 7), digests_of(fields))


def test_two_values_that_change_places_have_another_digest() -> None:
    values = np.random.default_rng(8).random(SHAPE)
    with joined_team(load_engine(), 2) as team:
        team.open_diffusion({"points": [*reversed(SHAPE)]}, {"devices": 2})

        def digests(field: Values) -> list[int]:
            team.scatter(0, (0, 0, 0), field)
            return list(map(int, team.digests()))

        whole = digests(values)
        assert whole == list(map(int, digests_of([values])))
        for other in ((0, 0, 1), (0, 1, 0), (1, 0, 0), (5, 4, 6)):  # row, plane, grid, device
            exchanged = values.copy()
            exchanged[0, 0, 0], exchanged[other] = values[other], values[0, 0, 0]
            assert digests(exchanged) != whole
        assert digests(values) == whole
