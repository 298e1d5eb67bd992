# SPDX-License-Identifier: Apache-2.0
"""`makespan balance`: tables, files and messages, on machines made up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from makespan.base.engine import load_engine
from makespan.machines.network_file import network_text

RUN_S_MAX = 60
TESTS = Path(__file__).resolve().parents[1]
GPU_NODE = TESTS / "data" / "machines" / "gpu_node.xml"
WITH_GPUS = ("--places", "core+gpu")
TWO_PACKAGES = ("--synthetic", "package:2 numa:1 core:4 pu:1")
BALANCERS = [entry["name"] for entry in load_engine().balancers()]


def balance(folder: Path, *flags: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "makespan", "balance", *map(str, flags)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


def document(folder: Path, *flags: object) -> dict[str, Any]:
    ended = balance(folder, *flags, "--json")
    assert (ended.returncode, ended.stderr) == (0, "")
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def graph(work: list[float], place: list[int], **more: Any) -> dict[str, Any]:
    return {
        "format": "makespan graph",
        "version": 1,
        "kinds": ["cpu"],
        "objects": {
            "id": [f"o{number}" for number in range(len(work))],
            "work": {"cpu": work},
            "bytes": [100.0] * len(work),
            "place": place,
        },
        **more,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight objects, all at place 0; each sends 1000 bytes to the next."""
    ring = [f"o{number}" for number in range(8)]
    edges = {"from": ring, "to": [*ring[1:], ring[0]], "bytes": [1000.0] * 8}
    text = json.dumps(graph([1.0] * 8, [0] * 8, edges=edges))
    (tmp_path / "graph.json").write_text(text)
    return tmp_path


def test_the_best_mapping_is_written(folder: Path) -> None:
    ended = balance(folder, "graph.json", *TWO_PACKAGES, "-o", "mapping.json")

    mapping = json.loads((folder / "mapping.json").read_text())
    assert (ended.returncode, ended.stderr) == (0, "")
    assert mapping["balancer"] == BALANCERS[0]
    assert mapping["objects"]["id"] == [f"o{number}" for number in range(8)]
    assert sorted(mapping["objects"]["place"]) == list(range(8))
    assert mapping["places"] == [f"Core {number}" for number in range(8)]
    lines = [line.split() for line in ended.stdout.splitlines()]
    assert ["now", "8", "s", "1", "s", "8.000"] in [line[:6] for line in lines]
    assert [BALANCERS[0], "1"] in [line[:2] for line in lines]
    assert f"wrote mapping.json: the mapping by {BALANCERS[0]}" in ended.stdout


def test_every_balancer_of_the_registry_is_compared(folder: Path) -> None:
    found = document(folder, "graph.json", *TWO_PACKAGES, "--balancer", "all")

    assert [one["name"] for one in found["balancers"]] == ["now", *BALANCERS]
    now, *others = found["balancers"]
    assert found["bound_s"] == pytest.approx(1.0)
    assert now["ratio"] == pytest.approx(8.0)
    assert (now["moves"], now["moved_bytes"], now["decision_s"]) == (0, 0.0, None)
    assert now["compute_s"] == [8.0, *[0.0] * 7]
    for one in others:
        assert one["phase_s"] >= found["bound_s"]
        assert one["decision_s"] >= 0
        assert one["moved_bytes"] == 100 * one["moves"]
        assert len(one["receive_s"]) == 8
    assert found["best"] in BALANCERS
    assert found["graph"]["edges"] == 8
    assert found["machine"]["domains"] == ["Package 0", "Package 1"]


def test_speeds_are_of_places_or_of_a_nodes_places(folder: Path) -> None:
    slow = document(folder, "graph.json", *TWO_PACKAGES, "--speeds", "4*1,4*0.25")
    nodes = document(folder, "graph.json", "--places", "2", "--nodes", "2", "--speeds", "1,.5")

    assert [place["speed"] for place in slow["machine"]["places"]] == [1] * 4 + [0.25] * 4
    assert slow["bound_s"] == pytest.approx(8 / 5)
    assert [place["speed"] for place in nodes["machine"]["places"]] == [1, 0.5] * 2
    assert [place["node"] for place in nodes["machine"]["places"]] == [0, 0, 1, 1]


def test_nodes_cost_what_the_network_costs(folder: Path) -> None:
    eight = ("graph.json", "--places", "1", "--nodes", "8", "--balancer", "greedy")
    network = ("--network-latency-us", "1e6", "--network-bandwidth-gb", "1e-6")
    near = document(folder, *eight)
    far = document(folder, *eight, *network)

    # Each object computes for 1 s, and gets one message of 1000 bytes: 1 s, and 1 s of the link.
    assert far["balancers"][1]["node_bytes"] == 8000
    assert far["balancers"][1]["phase_s"] == pytest.approx(2.0)
    slow = ("--network-latency-us", "1e6", "--network-bandwidth-gb", "1e-7")
    # Ten seconds of the link, after the first second of computing.
    assert document(folder, *eight, *slow)["balancers"][1]["phase_s"] == pytest.approx(11.0)
    assert near["machine"]["network"] == "assumed"
    assert far["machine"]["network"] == "as given"


def test_what_was_measured_between_hosts_counts(folder: Path) -> None:
    machine = load_engine().Machine.synthetic(TWO_PACKAGES[1])
    (folder / "node.xml").write_text(machine.xml())
    network = {
        "transport": "am",
        "hosts": ["a", "b"],
        "latencies": [0, 1.0, 1.0, 0],
        "bandwidths": [0, 1e12, 1e12, 0],
    }
    text = network_text(network, (folder / "node.xml").read_text())
    (folder / "node.network.json").write_text(text)
    packages = ("--machine", "node.xml", "--places", "package")

    two = document(folder, "graph.json", *packages, "--nodes", "2")
    three = document(folder, "graph.json", *packages, "--nodes", "3")

    assert two["machine"]["network"] == "measured between these hosts"
    assert three["machine"]["network"] == "typical of the hosts that were measured"
    assert len(two["machine"]["places"]) == 4


def test_gpus_are_places_of_their_kind(folder: Path) -> None:
    both = graph([1.0] * 8, [0] * 8)
    both["kinds"] = ["gpu", "cpu"]
    both["objects"]["work"]["gpu"] = [0.01] * 8
    (folder / "both.json").write_text(json.dumps(both))

    found = document(folder, "both.json", "--machine", GPU_NODE, *WITH_GPUS, "--balancer", "greedy")

    kinds = [place["kind"] for place in found["machine"]["places"]]
    assert kinds == [0] * 16 + [1] * 4
    # Two of the objects on each GPU.
    assert found["balancers"][1]["phase_s"] == pytest.approx(0.02)
    ended = balance(folder, "graph.json", "--machine", GPU_NODE, *WITH_GPUS)
    assert "objects have no work for places of kind 'gpu'" in ended.stderr


def test_dumps_of_vt_are_graphs(folder: Path) -> None:
    for number in range(2):
        entity = {"id": number, "home": number, "type": "object", "migratable": True}
        one = {"entity": entity, "node": number, "resource": "cpu", "time": 1.0 + number}
        dump = {"metadata": {"rank": number}, "phases": [{"id": 4, "tasks": [one]}]}
        (folder / f"data.{number}.json").write_text(json.dumps(dump))

    found = document(folder, "data.0.json", "data.1.json", "--phase", "4", "--places", "2")

    assert found["graph"]["objects"] == 2
    assert found["balancers"][0]["phase_s"] == 2.0
    refused = balance(folder, "data.0.json", "--phase", "3", "--places", "2")
    assert "no phase 3 (it has 4 to 4)" in refused.stderr


def test_the_list_needs_no_graph(tmp_path: Path) -> None:
    shown = balance(tmp_path, "--list")
    as_json = json.loads(balance(tmp_path, "--list", "--json").stdout)

    assert [entry["name"] for entry in as_json["balancers"]] == BALANCERS
    for entry in as_json["balancers"]:
        assert entry["name"] in shown.stdout
        for option in entry["options"]:
            assert option["name"] in shown.stdout


def test_options_are_of_their_balancer(folder: Path) -> None:
    four = ("graph.json", "--places", "4", "--balancer", "random:seed=1,greedy,rotate")
    found = document(folder, *four)

    assert [one["options"] for one in found["balancers"]] == [{}, {"seed": 1.0}, {}, {}]
    mappings = set()
    for seed in range(4):
        flags = ("--places", "4", "--balancer", f"random:seed={seed}", "-q", "-o", "m.json")
        assert balance(folder, "graph.json", *flags).returncode == 0
        mapping = json.loads((folder / "m.json").read_text())["objects"]["place"]
        mappings.add(tuple(mapping))
    assert len(mappings) == 4


def test_the_example_is_balanced(folder: Path) -> None:
    printed = balance(folder, "--example")
    (folder / "example.json").write_text(printed.stdout)

    found = document(folder, "example.json", "--places", "4")

    assert (printed.returncode, printed.stderr) == (0, "")
    assert found["graph"]["objects"] == 12
    now, best = found["balancers"]
    assert now["ratio"] == pytest.approx(4.0)
    assert best["ratio"] < 1.2


def test_the_record_repeats_the_run(folder: Path) -> None:
    flags = ("graph.json", "--places", "4", "--speeds", "1,1,2,2", "--balancer", "greedy")
    for name in ("a.json", "b.json"):
        assert balance(folder, *flags, "-q", "--record", name).returncode == 0

    one, other = (json.loads((folder / name).read_text()) for name in ("a.json", "b.json"))
    assert one["format"] == "makespan balance record"
    assert one["command"][:3] == ["makespan", "balance", "graph.json"]
    assert one["settings"]["balancer"] == "greedy"
    assert one["places"]["speeds"] == [1.0, 1.0, 2.0, 2.0]
    assert one["best"] == "greedy"
    assert one["graph"] == other["graph"]
    assert len(one["graph"]["hash"]) == 64
    hashes = [[entry["mapping_hash"] for entry in all_["balancers"]] for all_ in (one, other)]
    assert hashes[0] == hashes[1]
    assert len(set(hashes[0])) == 2


def test_documents_say_what_they_are(folder: Path) -> None:
    found = document(folder, "graph.json", "--places", "4")

    assert (found["format"], found["version"]) == ("makespan balance", 1)


def test_quiet_says_nothing(folder: Path) -> None:
    ended = balance(folder, "graph.json", *TWO_PACKAGES, "-q", "-o", "mapping.json.zst")

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert (folder / "mapping.json.zst").read_bytes().startswith(b"\x28\xb5\x2f\xfd")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ((), "no graph (there is nothing to balance)"),
        (("no.json", *TWO_PACKAGES), "no.json: cannot be read (No such file"),
        (("graph.json", "--places", "core", "--synthetic", "core:x"), "synthetic machine 'core:x'"),
        (
            ("graph.json", *TWO_PACKAGES, "--places", "nuna"),
            '--places nuna cannot be used (default "core"): give core, numa, package, ',
        ),
        (("graph.json", *TWO_PACKAGES, "--places", "4"), "--synthetic (--places 4, equal ones"),
        (("graph.json", "--places", "0"), "--places 0 cannot be used"),
        (
            ("graph.json", "--machine", "a.xml", "--places", "4"),
            "--machine (--places 4, equal ones",
        ),
        (("graph.json", "--machine", "a.xml", "--synthetic", "core:2"), "not both"),
        (("graph.json", "--machine", "no.xml"), "no.xml: cannot be read"),
        (("graph.json", "--places", "4", "--speeds", "1,2"), "--speeds has 2 numbers"),
        (("graph.json", "--places", "2", "--speeds", "1,fast"), "--speeds 1,fast cannot be used"),
        (("graph.json", "--places", "2", "--speeds", "1,0"), "give a number from 1e-30 to 1e30"),
        (
            ("graph.json", "--places", "2", "--speeds", "1000000000*1"),
            "give a number from 1e-30 to 1e30 for",
        ),
        (("graph.json", "--places", "2", "--network-latency-us", "3"), "say how many by --nodes"),
        (
            ("graph.json", "--places", "2", "--nodes", "2", "--network-bandwidth-gb", "0"),
            "--network-bandwidth-gb 0 cannot be used: give a number above 0",
        ),
        (
            ("graph.json", "--places", "2", "--nodes", "5000"),
            "5000 nodes (there is a table of all pairs of nodes): give 1 to 4096",
        ),
        (("graph.json", "--places", "2", "--balancer", "gredy"), "did you mean 'greedy'?"),
        (
            ("graph.json", "--places", "2", "--balancer", "greedy:x=1"),
            "greedy has no options: give greedy alone",
        ),
        (("graph.json", "--places", "2", "--balancer", "makespan:x"), "option of makespan 'x'"),
        (
            ("graph.json", "--places", "2", "--balancer", "makespan:phases=many"),
            "option phases is no number",
        ),
        (("graph.json", "--places", "2", "--phase", "1"), "it has one phase"),
        (("graph.json", "--places", "2", "-o", "graph.json"), "name another file"),
        (("graph.json", "--places", "2", "-o", "no/m.json"), "folder no does not exist"),
        (("graph.json", "--places", "2", "-o", "a", "--report", "a"), "name another file"),
        (("graph.json", "--places", "2", "-o", "a", "--record", "a"), "name another file"),
        (("graph.json", "--places", "2", "--record", "no/r.json"), "folder no does not exist"),
        (("far.json", *TWO_PACKAGES), "far.json: object 'o1': there is no place 8"),
        (("/dev/zero", "--places", "2"), "/dev/zero: it is a device"),
    ],
)
def test_bad_input_is_named(folder: Path, flags: tuple[object, ...], message: str) -> None:
    (folder / "far.json").write_text(json.dumps(graph([1.0, 1.0], [0, 8])))
    before = sorted(folder.iterdir())

    ended = balance(folder, *flags)

    assert ended.returncode == 2
    assert message in ended.stderr
    assert ended.stderr.startswith("makespan: ")
    assert ended.stderr.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_limits_of_memory_that_no_mapping_keeps_to_are_told(folder: Path) -> None:
    objects = {"footprint": [4.0] * 8, "working": [0.0] * 8, "block": [None] * 8}
    document = json.loads((folder / "graph.json").read_text())
    document["objects"] |= objects
    document |= {"blocks": {"bytes": []}, "places": {"used_bytes": [0.0]}}
    (folder / "graph.json").write_text(json.dumps(document))
    flags = ("graph.json", "--places", "2", "--balancer", "greedy", "-q", "--memory-gb")

    assert balance(folder, *flags, 32e-9).stderr == ""
    ended = balance(folder, *flags, 8e-9)

    assert ended.returncode == 0
    assert "warning: no mapping that was found keeps to the limits of memory" in ended.stderr


def test_a_failure_is_a_document_where_programs_read(folder: Path) -> None:
    ended = balance(folder, "no.json", "--places", "2", "--json")

    assert ended.returncode == 2
    assert json.loads(ended.stdout)["exit_code"] == 2
