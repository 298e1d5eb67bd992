# SPDX-License-Identifier: Apache-2.0
"""`makespan balance --phases`: what is played, told, and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from makespan.graph.input import growth_of
from test_cli_balance import BALANCERS, balance, document, folder

__all__ = ["folder"]  # a fixture

FOUR = ("graph.json", "--places", "4")


def played(folder: Path, *flags: object) -> dict[str, dict[str, Any]]:
    found = document(folder, *FOUR, *flags)["phases"]
    return {one["balancer"]: one for one in found}


def test_what_lies_in_one_place_is_spread_and_paid_for(folder: Path) -> None:
    ways = played(folder, "--phases", 50)

    never, best = ways["never"], ways[BALANCERS[0]]
    # Eight objects of a second in the first of four places.
    assert never["time_s"] == [8.0] * 50
    assert never["total_s"] == pytest.approx(400.0)
    assert never["ideal_s"] == pytest.approx(100.0)
    assert best["time_s"][0] == 8.0
    assert best["time_s"][-1] == pytest.approx(2.0, abs=0.01)
    assert sum(best["moved"]) == 6
    assert sum(best["moved_bytes"]) == 600.0
    parts = (sum(best[name]) for name in ("time_s", "look_s", "migrate_s"))
    assert best["total_s"] == pytest.approx(sum(parts))


def test_every_balancer_is_played(folder: Path) -> None:
    ways = played(folder, "--phases", 5, "--balancer", "all")

    assert list(ways) == ["never", *BALANCERS]
    assert all(len(one["time_s"]) == 5 for one in ways.values())


def test_a_perturbation_slows_its_place_from_its_phase_on(folder: Path) -> None:
    ways = played(folder, "--phases", 6, "--perturb", "slow:0@2:2", "--perturb", "slow:0@4:1")

    assert ways["never"]["time_s"] == [8.0, 8.0, 16.0, 16.0, 8.0, 8.0]


def test_growth_is_of_a_share_and_compounds(folder: Path) -> None:
    ways = played(folder, "--phases", 3, "--growth", "0.1:1")
    none = played(folder, "--phases", 3, "--growth", "0.1:0")

    assert ways["never"]["time_s"] == pytest.approx([8.0, 8.8, 9.68])
    assert none["never"]["time_s"] == [8.0] * 3


def test_noise_repeats_by_seed(folder: Path) -> None:
    one, same, other = (
        played(folder, "--phases", 20, "--noise", "0.2", "--seed", seed)["never"]["time_s"]
        for seed in (1, 1, 2)
    )

    assert one == same != other
    assert len(set(one)) == 20


def test_looks_come_as_often_as_asked(folder: Path) -> None:
    ways = played(folder, "--phases", 41, "--when", 10)

    looks = [at for at, look_s in enumerate(ways[BALANCERS[0]]["look_s"]) if look_s > 0]
    assert looks == [10, 20, 30, 40]


def test_the_table_has_a_row_for_each(folder: Path) -> None:
    ended = balance(folder, *FOUR, "--phases", 50, "--report", "page.html")

    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert "50 phases, balanced on the way:" in lines
    assert any(line.startswith("never") and "400 s" in line for line in lines)
    page = (folder / "page.html").read_text()
    assert "<h2>50 phases, balanced on the way</h2>" in page


def test_without_phases_nothing_is_played(folder: Path) -> None:
    assert "phases" not in document(folder, *FOUR)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--phases", 5, "--perturb", "slow:4@1:2"), "perturb: place 4 (the places of"),
        (("--phases", 5, "--perturb", "slow:1@5:2"), "--perturb: phase 5 (phases are 0 to 4)"),
        (("--phases", 5, "--perturb", "slow:1@1:0.5"), "give a factor of at least 1"),
        (("--phases", 5, "--perturb", "slow:1@1:0"), "--perturb slow:1@1:0 cannot be used"),
        (("--phases", 5, "--perturb", "slow:1@1.5:2"), "give slow:PLACE@PHASE:FACTOR"),
        (("--phases", 5, "--perturb", "slow:core@1:2"), "give slow:PLACE@PHASE:FACTOR"),
        (("--phases", 5, "--perturb", "1:0.5"), "--perturb 1:0.5 cannot be used: give slow:"),
        (("--phases", 5, "--perturb", "fail:1@1"), "--perturb fail:1@1 cannot be used: give slow:"),
        (("--phases", 5, "--when", "sometimes"), "--when sometimes cannot be used"),
        (("--phases", 5, "--when", "0"), "give auto or never, or a whole number of at least 1"),
        (("--phases", 5, "--growth", "-1"), "--growth -1 cannot be used: give the rate"),
        (("--phases", 5, "--growth", "0.1:2"), "--growth 0.1:2 cannot be used: give the rate"),
        (("--phases", 5, "--growth", "0.1:1:1"), "--growth 0.1:1:1 cannot be used"),
        (("--phases", 0), "--phases 0 cannot be used"),
        (("--noise", "0.1"), "--noise is of phases that are played: give --phases, too"),
        (("--perturb", "slow:1@1:2"), "--perturb is of phases"),
        (("--seed", "3"), "seed is of phases"),
    ],
)
def test_bad_flags_are_named(folder: Path, flags: tuple[object, ...], words: str) -> None:
    ended = balance(folder, *FOUR, *flags)

    assert ended.returncode == 2
    assert ended.stderr.startswith("makespan: ")
    assert words in ended.stderr
    assert ended.stdout == ""


def test_growth_is_read() -> None:
    assert growth_of("0.01") == (0.01, 1.0)
    assert growth_of("-0.5:0.25") == (-0.5, 0.25)
    assert growth_of((0.1, 0)) == (0.1, 0.0)


@pytest.mark.parametrize("wrong", ["", "0.1:", (0.1,), "0.1:1:1", "-1", (0.1, 2)])
def test_other_growths_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - Python's own words
        growth_of(wrong)


def test_never_plays_the_graph_as_it_is_alone(folder: Path) -> None:
    ways = played(folder, "--phases", 4, "--when", "never", "--balancer", "all")

    assert list(ways) == ["never"]
    assert ways["never"]["time_s"] == [8.0] * 4


def test_several_kinds_of_places_are_refused(folder: Path) -> None:
    text = json.loads((folder / "graph.json").read_text())
    text["kinds"] = ["cpu", "gpu"]
    text["objects"]["work"]["gpu"] = [0.1] * 8
    (folder / "two.json").write_text(json.dumps(text))
    machine = Path(__file__).resolve().parents[1] / "data" / "machines" / "gpu_node.xml"

    ended = balance(folder, "two.json", "--machine", machine, "--places", "core+gpu", "--phases", 5)

    assert ended.returncode == 2
    assert "places of several kinds" in ended.stderr
