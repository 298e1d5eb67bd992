# SPDX-License-Identifier: Apache-2.0
"""Goal: what is written fits its schema, and little else does. Method: small runs of all."""

from __future__ import annotations

import contextlib
import copy
import io
import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from makespan.base.errors import InputError
from makespan.cli import main
from makespan.graph.example import GRAPH_EXAMPLE as GRAPH
from makespan.machines.network_file import network_text
from makespan.schemas import formats, schema
from measured_machine import measured_machine
from small_grids import FIELD, SPARK
from small_melt import small_input
from with_simulator import needs_simulator

import makespan

ROOT = Path(__file__).resolve().parents[2]
GRID = """\
[grid]
points = [8, 8, 32]
steps = 2
[kind.cpu]
points_per_s = 1e6
[[node]]
devices = ["cpu"]
"""
WRONG = [{"no": 1}]
"""No value anywhere."""

HEAD = ("makespan", "build", "written", "command", "machine", "software")
"""What every record begins with."""

Document = dict[str, Any]
Documents = list[Document]


def run(folder: Path, *words: object, code: int = 0) -> Document:
    """What a command prints."""
    out = io.StringIO()
    quiet = contextlib.redirect_stderr(io.StringIO())
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), quiet:
        assert main([*map(str, words), "--json"]) == code, out.getvalue()
    found: Document = json.loads(out.getvalue())
    return found


def read(path: Path) -> Document:
    found: Document = json.loads(path.read_text())
    return found


def example(folder: Path, command: str, name: str) -> Path:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([command, "--example"]) == 0
    (folder / name).write_text(out.getvalue())
    return folder / name


def priced(folder: Path) -> Documents:
    book = example(folder, "price", "book.csv")
    bad = folder / "bad.csv"
    bad.write_text(book.read_text() + "broken" + "," * 10 + "\n")
    fast = ("--paths", 64, "--no-memory", "--checkpoint", "journal")
    return [
        run(folder, "price", book, *fast, "--trace", "trace.json"),
        run(folder, "price", book, *fast[:2], "--restart-from", "journal"),
        run(folder, "price", bad, *fast[:3], "--skip-invalid", "--greeks"),
        run(folder, "price", book, *fast[:3], "--greeks", "--units", "desk"),
    ]


def melted(folder: Path) -> Documents:
    return [run(folder, "melt", small_input(folder), "--record", "record.json")]


def grid(command: str, text: str) -> Callable[[Path], Documents]:
    def computed(folder: Path) -> Documents:
        (folder / "in.toml").write_text(text)
        return [run(folder, command, "in.toml", "--record", "record.json")]

    return computed


def balanced(folder: Path) -> Documents:
    (folder / "graph.json").write_text(GRAPH)
    flags = ("balance", "graph.json", "--places", 4, "--balancer", "makespan,greedy")
    phases = ("--phases", 4, "--record", "record.json", "-o", "mapping.json")
    return [run(folder, *flags, *phases), run(folder, *flags)]


def simulated(folder: Path) -> Documents:
    machine = example(folder, "simulate", "machine.toml")
    some = ("simulate", machine, "--tasks", 100, "--policy", "self")
    found = [
        run(folder, *some, "--record", "record.json", "--trace", "trace.json"),
        run(folder, *some, "--sweep", "latency_us=1,2", "--record", "sweep.json", "-o", "out.json"),
        run(folder, "simulate", "--replay", "trace.json"),
    ]
    return [*found, read(folder / "out.json")]


def simulated_grids(folder: Path) -> Documents:
    (folder / "grid.toml").write_text(GRID)
    some = ("simulate", "grid.toml")
    return [
        run(folder, *some, "--record", "record.json"),
        run(folder, *some, "--sweep", "nodes=1,2", "--record", "sweep.json", "-o", "out.json"),
        read(folder / "out.json"),
    ]


def machines(folder: Path) -> Documents:
    file = measured_machine(folder / "node.xml")
    costs = {"latencies": [0.0, 2e-6, 2e-6, 0.0], "bandwidths": [0.0, 1e9, 0.0, 0.0]}
    network = {"transport": "shm", "hosts": ["a", "b"], **costs}
    (folder / "node.network.json").write_text(network_text(network, file.read_text()))
    return [
        run(folder, "machine", file, "--record", "record.json", "-o", "copy.xml"),
        run(folder, "machine", "--synthetic", "package:2 core:2 pu:1"),
    ]


def mistakes(folder: Path) -> Documents:
    (folder / "book.csv").write_text("id,spot\na,-1\nb,x\n")
    return [
        run(folder, "price", "book.csv", code=2),
        run(folder, "price", "no.csv", code=2),
        run(folder, "simulate", "--nothing", code=2),
    ]


def lists(folder: Path) -> Documents:
    return [run(folder, c, "--list") for c in ("price", "melt", "balance", "simulate", "machine")]


def mapped(folder: Path) -> Documents:
    makespan.map(abs, [1, -2], threads=1, record=folder / "record.json")
    return [read(folder / "record.json")]


def many_phases(folder: Path) -> Documents:
    graph = {"work": [1.0, 1.0, 2.0], "place": [0, 0, 0]}
    costs = {"latency_s": [[0.0]], "bandwidth_bytes_s": [[1e9]]}
    places = {"speed": [1.0, 1.0], "domain": [0, 0], "node": [0], **costs}
    ran = makespan.simulate_phases(graph, places, phases=2, record=folder / "record.json")
    return [dict(ran.record), read(folder / "record.json")]


def equations(folder: Path) -> Documents:
    def decay(u: Any, known: Any, rate: Any) -> Any:
        return {"u": u - rate * u + 0.1 * u.laplacian() + known}

    fields = {"u": np.ones((5, 6)), "known": np.zeros((5, 6))}
    sides = {"x": ({"u": np.ones(5), "known": 0.0}, 2.0), "y": ("no-flux", 0.5)}
    problem = makespan.grid(decay, fields, parameters={"rate": 0.1}, boundary=sides)
    ran = problem.run(2, record=folder / "record.json")
    return [dict(ran.record), read(folder / "record.json")] if ran else []


def file_of(written: Callable[[Path], Documents], *names: str) -> Callable[[Path], Documents]:
    """Of a run that leaves files."""

    def found(folder: Path) -> Documents:
        written(folder)
        return [read(folder / name) for name in names]

    return found


def price_records(folder: Path) -> Documents:
    found = [document["record"] for document in priced(folder)]
    return [*found, read(folder / "prices.record.json")] if found else []


def replays(folder: Path) -> Documents:
    priced(folder)
    (folder / "tasks.csv").write_text("cost\n1\n2\n")
    bags = (
        "simulate",
        example(folder, "simulate", "machine.toml"),
        "--tasks",
        "100:normal:0.5:0.2",
    )
    one_cost = ("simulate", folder / "machine.toml", "--tasks", 100)
    run(folder, *bags, "--trace", "uneven.json")
    run(folder, *one_cost, "--trace", "even.json")
    (folder / "field.toml").write_text(FIELD)
    small_input(folder)
    run(folder, "diffuse", "field.toml", "--trace", "field.json")
    run(folder, "melt", "in.toml", "--threads", 2, "--trace", "melt.json")
    makespan.map(abs, [1, -2], threads=1, trace=folder / "map.json")
    names = (*("trace.json", "uneven.json", "even.json"), "field.json", "melt.json", "map.json")
    return [read(folder / name)["otherData"] for name in names]


def examined(folder: Path) -> Documents:
    return [run(folder, "doctor")]


calcium, diffuse = grid("calcium", SPARK), grid("diffuse", FIELD)
WRITTEN: dict[str, Callable[[Path], Documents]] = {
    "makespan balance": balanced,
    "makespan balance record": file_of(balanced, "record.json"),
    "makespan calcium": calcium,
    "makespan calcium record": file_of(calcium, "record.json"),
    "makespan diffuse": diffuse,
    "makespan diffuse record": file_of(diffuse, "record.json"),
    "makespan doctor": examined,
    "makespan error": mistakes,
    "makespan grid record": equations,
    "makespan graph": lambda _: [json.loads(GRAPH), read(ROOT / "examples/graph/stencil.json")],
    "makespan list": lists,
    "makespan machine": machines,
    "makespan machine record": file_of(machines, "record.json"),
    "makespan map record": mapped,
    "makespan mapping": file_of(balanced, "mapping.json"),
    "makespan melt": melted,
    "makespan melt record": file_of(melted, "record.json"),
    "makespan network": file_of(machines, "node.network.json", "copy.network.json"),
    "makespan price": priced,
    "makespan price record": price_records,
    "makespan replay": replays,
    "makespan simulate": simulated,
    "makespan simulate record": file_of(simulated, "record.json", "sweep.json"),
    "makespan simulate_grid": simulated_grids,
    "makespan simulate_grid record": file_of(simulated_grids, "record.json", "sweep.json"),
    "makespan simulate_phases record": many_phases,
}
_SIMULATED = ("makespan replay", "makespan simulate", "makespan simulate record")
each_format = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=needs_simulator if name in _SIMULATED else ()) for name in WRITTEN],
)


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Documents]:
    """What is written of a format, once for all tests."""
    return cache(lambda name: WRITTEN[name](tmp_path_factory.mktemp("documents")))


def is_valid(document: object, name: str) -> bool:
    return jsonschema.Draft202012Validator(schema(name)).is_valid(document)


def properties(part: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All that are named in a schema."""
    if isinstance(part, list):
        for one in part:
            yield from properties(one)
    elif isinstance(part, dict):
        yield from part.get("properties", {}).items()
        for one in part.values():
            yield from properties(one)


def closed_parts(part: Any, own: Any, whole: Document) -> Iterator[tuple[Document, Any]]:
    """Objects within a document that may have no other keys, and their schemas."""
    if "$ref" in own:
        own = {**whole["$defs"][own["$ref"].rpartition("/")[2]], **own}
    if isinstance(part, list) and "items" in own:
        for one in part[:2]:
            yield from closed_parts(one, own["items"], whole)
    elif isinstance(part, dict):
        if own.get("additionalProperties") is False:
            yield part, own
        for name, one in part.items():
            yield from closed_parts(one, own.get("properties", {}).get(name, {}), whole)


def test_every_schema_has_documents_that_are_tested() -> None:
    assert sorted(WRITTEN) == sorted(formats())


@each_format
def test_the_schemas_say_what_all_is(name: str) -> None:
    found = schema(name)

    jsonschema.Draft202012Validator.check_schema(found)
    assert found["title"] == name
    assert found["required"][:2] == ["format", "version"]
    assert found["properties"]["format"]["const"] == name
    assert found["description"].endswith(".")
    for key, own in properties(found):
        assert own.get("description"), key


@each_format
def test_what_is_written_fits(name: str, documents: Callable[[str], Documents]) -> None:
    for document in documents(name):
        jsonschema.Draft202012Validator(schema(name)).validate(document)


@each_format
def test_what_lacks_a_key_or_has_another_is_refused(
    name: str, documents: Callable[[str], Documents]
) -> None:
    changes = 0
    for written in documents(name):
        document = copy.deepcopy(written)
        for part, own in [*closed_parts(document, schema(name), schema(name)), (document, {})]:
            for key in list(part):
                value = part[key]
                part[key] = WRONG
                assert not is_valid(document, name), f"{key} of another type"
                del part[key]
                if key in own.get("required", ("format", "version")):
                    assert not is_valid(document, name), f"without {key}"
                part[key] = value
                changes += 1
            part["none_such"] = WRONG
            assert not is_valid(document, name)
            del part["none_such"]
        assert is_valid(document, name)
    assert changes


def test_all_records_begin_alike() -> None:
    heads = [
        {key: one for key, one in schema(name)["properties"].items() if key in HEAD}
        for name in formats()
        if name.endswith(" record")
    ]

    assert [sorted(head) for head in heads] == [sorted(HEAD)] * len(heads)
    assert all(head == heads[0] for head in heads)


def test_an_unknown_format_is_named_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=r"no schema of 'makespan pric'.*makespan price, "):
        schema("makespan pric")


def test_the_page_of_documents_has_all_of_them() -> None:
    page = (ROOT / "docs/reference/json.md").read_text()

    for name in formats():
        assert f"| `{name}` | 1 | " in page
        assert f"{name.replace(' ', '-')}.schema.json" in page
