# SPDX-License-Identifier: Apache-2.0
"""Weights in the formats of other programs, as those programs' manuals define them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from makespan.base.errors import InputError
from makespan.machines.weights.formats import FORMATS, weight_format
from makespan.machines.weights.metis import metis_text
from makespan.machines.weights.openfoam import openfoam_text
from makespan.machines.weights.part import Part, WeightedParts
from makespan.machines.weights.pyfr import pyfr_text
from makespan.machines.weights.scotch import scotch_text
from makespan.machines.weights.slurm import slurm_text
from makespan.machines.weights.whole_numbers import whole_numbers

SPEEDS = st.lists(st.floats(0.01, 100.0), min_size=1, max_size=40)


def parts_of(speeds: Sequence[float], domains: Sequence[int] | None = None) -> WeightedParts:
    where = domains or [0] * len(speeds)
    return WeightedParts(
        [Part(f"Core {n}", speed, (n,), where[n]) for n, speed in enumerate(speeds)]
    )


@pytest.mark.parametrize(
    ("speeds", "numbers"),
    [
        ([1, 1, 0.25], [4, 4, 1]),
        ([2, 2, 6.5, 6.5], [4, 4, 13, 13]),
        ([36e9, 35.99e9], [1, 1]),  # no measurement repeats that well
        ([7.5], [1]),
    ],
)
def test_whole_numbers_are_small(speeds: list[float], numbers: list[int]) -> None:
    assert whole_numbers(speeds) == numbers


@given(SPEEDS)
def test_whole_numbers_are_within_half_a_percent(speeds: list[float]) -> None:
    numbers = whole_numbers(speeds)

    # One factor fits all of them, and rounding is symmetrical: 0.5 % each, twice between two.
    factors = [number / speed for number, speed in zip(numbers, speeds, strict=True)]
    assert min(numbers) >= 1
    assert max(factors) / min(factors) < 1.0102


@given(SPEEDS.filter(lambda speeds: len(speeds) > 1))
def test_fractions_for_metis_sum_to_1(speeds: list[float]) -> None:
    lines = metis_text(parts_of(speeds)).splitlines()

    found = [re.fullmatch(r"(\d+) = (0\.\d{7})", line) for line in lines]
    assert [int(line[1]) for line in found if line] == list(range(len(speeds)))
    units = [round(float(line[2]) * 1e7) for line in found if line]
    assert sum(units) == 10**7
    shares = [speed / sum(speeds) for speed in speeds]
    assert [unit / 1e7 for unit in units] == pytest.approx(shares, abs=1e-7 * len(speeds))


def test_metis_has_nothing_to_divide_among_one_part() -> None:
    with pytest.raises(InputError, match=r"one part \(nothing to divide\)"):
        metis_text(parts_of([1.0]))


def test_parts_are_equally_far_for_scotch_where_latencies_are_not_known() -> None:
    assert scotch_text(parts_of([1, 1, 0.25])) == "cmpltw\n3 4 4 1\n"


def test_latencies_make_a_decomposition_for_scotch() -> None:
    parts = parts_of([2, 2, 1], domains=[7, 7, 8]).parts
    far = [[0, 3e-8, 9e-8], [3e-8, 0, 12e-8], [9e-8, 12e-8, 0]]

    text = scotch_text(WeightedParts(parts, latencies_s=far))

    # All is domain 1; its halves are 2 (the first two parts: 4 and 5) and 3.
    assert text == "deco\n0\n3 5\n0 2 4\n1 2 5\n2 1 3\n10\n30 40\n"


@given(st.integers(2, 200), st.integers(1, 9))
def test_the_tree_of_domains_is_one_that_scotch_can_hold(count: int, each: int) -> None:
    parts = parts_of([1.0] * count, domains=[n // each for n in range(count)]).parts
    far = [[0.0 if a == b else 1e-7 for b in range(count)] for a in range(count)]

    lines = scotch_text(WeightedParts(parts, latencies_s=far)).splitlines()

    numbers = [int(line.split()[2]) for line in lines[3 : 3 + count]]
    assert max(numbers) == int(lines[2].split()[1]) < 8 * count
    inner = {number >> up for number in numbers for up in range(1, number.bit_length())}
    assert inner.isdisjoint(numbers)
    children = {child for number in inner for child in (2 * number, 2 * number + 1)}
    assert children | {1} == inner | set(numbers)


def test_pyfr_reads_back_one_weight_for_each_part() -> None:
    word = pyfr_text(parts_of([3, 2, 2])).strip()

    assert word == "3:2:2"
    # What PyFR's command line makes of it: whole numbers between colons; one alone is a count.
    assert [int(weight) for weight in word.split(":")] == [3, 2, 2]
    assert pyfr_text(parts_of([0.7])).strip() == "1"


FOAM = re.compile(r"\s*(?:(\w+)|([{}();]))")


def foam_dictionary(text: str) -> dict[str, object]:
    """OpenFOAM's "Basic input/output file format": `keyword value;` and `keyword { ... }`."""
    tokens = [word or mark for word, mark in FOAM.findall(text)]
    assert "".join(tokens) == re.sub(r"\s", "", text)  # the grammar knows each character

    def entries(end: str) -> dict[str, object]:
        found: dict[str, object] = {}
        while (keyword := tokens.pop(0) if tokens else "") != end:
            assert re.fullmatch(r"[A-Za-z]\w*", keyword)
            if tokens[0] == "{":
                tokens.pop(0)
                found[keyword] = entries("}")
                continue
            stop = tokens.index(";")
            value, tokens[: stop + 1] = tokens[:stop], []
            is_list = value[0] == "(" and value[-1] == ")"
            found[keyword] = value[1:-1] if is_list else value[0]
        return found

    return entries("")


def test_openfoam_reads_a_dictionary() -> None:
    found = foam_dictionary(openfoam_text(parts_of([1, 1, 0.25])))

    weights = {"processorWeights": ["4", "4", "1"]}
    assert found == {
        "numberOfSubdomains": "3",
        "method": "scotch",
        "scotchCoeffs": weights,
        "metisCoeffs": weights,
    }


def test_slurm_allocates_the_fastest_node_first() -> None:
    parts = parts_of([50.0, 100.0, 30.0]).parts

    text = slurm_text(WeightedParts(parts, nodes=["old", "new-1", "old2"]))

    assert text.splitlines() == [
        "NodeName=old Weight=200",
        "NodeName=new-1 Weight=100",
        "NodeName=old2 Weight=333",
    ]


@pytest.mark.parametrize("name", ["", "core:2 pu:1", "a=b", "n[1-2]", "-n"])
def test_a_node_has_a_name_that_slurm_reads(name: str) -> None:
    with pytest.raises(InputError, match="no name of a node"):
        slurm_text(WeightedParts(parts_of([1.0]).parts, nodes=[name]))


def test_a_node_is_named_once() -> None:
    with pytest.raises(InputError, match="two of the files are of node a"):
        slurm_text(WeightedParts(parts_of([1.0, 2.0]).parts, nodes=["a", "a"]))


def test_formats_are_found_by_name() -> None:
    assert [weight_format(known.name) for known in FORMATS] == list(FORMATS)
