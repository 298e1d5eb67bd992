# SPDX-License-Identifier: Apache-2.0
"""Graph files: what is written is read again; what is wrong is named by object, edge or line."""

from __future__ import annotations

import codecs
import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
import jsonschema
import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from junk import spots
from makespan.base.errors import InputError
from makespan.graph.graph_file import document_of, graph_from, write_graph
from makespan.graph.objects_table import ObjectsTable
from makespan.graph.packed_text import read_json
from makespan.graph.read_graph import read_graph
from makespan.schemas import schema

from makespan.graph import packed_text

AMOUNTS = st.floats(0, 1e300, allow_subnormal=False) | st.integers(0, 10**12)
NAMES = st.text(min_size=1, max_size=5).filter(str.isprintable)
KINDS = st.lists(NAMES, min_size=1, max_size=3, unique=True)
IDS = st.lists(st.integers(-(2**70), 2**70), unique=True, max_size=12) | st.lists(
    st.text(max_size=6), unique=True, max_size=12
)


def small() -> dict[str, Any]:
    return {
        "format": "makespan graph",
        "version": 1,
        "kinds": ["cpu"],
        "objects": {
            "id": ["a", "b", "c"],
            "work": {"cpu": [1.0, 2.0, 3]},
            "bytes": [10, 20, 30],
            "place": [0, 0, 1],
            "fixed": [False, True, False],
        },
        "edges": {"from": ["a", "b"], "to": ["b", "c"], "messages": [1, 2], "bytes": [100, 0.5]},
    }


def columns(draw: st.DrawFn, count: int) -> st.SearchStrategy[list[float]]:
    return st.lists(AMOUNTS, min_size=count, max_size=count)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    kinds = draw(KINDS)
    ids = draw(IDS)
    count = len(ids)
    objects: dict[str, Any] = {
        "id": ids,
        "work": {kind: draw(columns(draw, count)) for kind in kinds},
        "place": draw(st.lists(st.integers(0, 2**20 - 1), min_size=count, max_size=count)),
    }
    if draw(st.booleans()):
        objects["bytes"] = draw(columns(draw, count))
        objects["fixed"] = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    document = {"format": "makespan graph", "version": 1, "kinds": kinds, "objects": objects}
    if count and draw(st.booleans()):
        pairs = draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=20))
        edges: dict[str, Any] = {"from": [p[0] for p in pairs], "to": [p[1] for p in pairs]}
        if draw(st.booleans()):
            edges["messages"] = draw(columns(draw, len(pairs)))
            edges["bytes"] = draw(columns(draw, len(pairs)))
        document["edges"] = edges
    return document


def expect_same(a: ObjectsTable, b: ObjectsTable) -> None:
    assert a.kinds == b.kinds
    assert list(a.ids) == list(b.ids)
    for name in ("work", "bytes", "place", "fixed"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    for name in ("sender", "receiver", "messages", "bytes"):
        np.testing.assert_array_equal(getattr(a.edges, name), getattr(b.edges, name))


@given(documents())
def test_what_the_schema_allows_is_read_and_written_again(document: dict[str, Any]) -> None:
    jsonschema.validate(document, schema("makespan graph"))
    graph = graph_from(document, "a graph")

    written = document_of(graph, {"by": "a test"})

    jsonschema.validate(written, schema("makespan graph"))
    expect_same(graph, graph_from(json.loads(json.dumps(written)), "a graph"))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema("makespan graph"))


def test_what_is_left_out_has_defaults() -> None:
    document = small()
    del document["objects"]["id"], document["objects"]["bytes"], document["objects"]["fixed"]
    document["edges"] = {"from": [0, 2], "to": [2, 1]}

    graph = graph_from(document, "a graph")

    assert list(graph.ids) == [0, 1, 2]
    assert graph.bytes.tolist() == [0, 0, 0]
    assert not graph.fixed.any()
    assert graph.edges.receiver.tolist() == [2, 1]
    assert graph.edges.messages.tolist() == [1, 1]
    assert graph.edges.bytes.tolist() == [0, 0]


def test_a_graph_without_edges() -> None:
    document = small()
    del document["edges"]

    assert len(graph_from(document, "a graph").edges) == 0


@pytest.mark.parametrize(
    "pack",
    [
        lambda text: text,
        lambda text: codecs.BOM_UTF8 + text,
        zstandard.compress,
        lambda text: zstandard.compress(text[:40]) + zstandard.compress(text[40:]),
        brotli.compress,
    ],
    ids=["plain", "byte order mark", "zstd", "two frames of zstd", "brotli"],
)
def test_files_are_read_however_they_are_packed(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "graph"
    path.write_bytes(pack(json.dumps(small()).encode()))

    expect_same(read_graph([path]), graph_from(small(), "a graph"))


def test_files_are_packed_when_asked_or_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = graph_from(small(), "a graph")

    plain = write_graph(tmp_path / "a.json", graph)
    asked = write_graph(tmp_path / "b.json.zst", graph)
    monkeypatch.setattr(packed_text, "COMPRESSED_FROM", 10)
    long = write_graph(tmp_path / "c.json", graph)

    assert [p.name for p in (plain, asked, long)] == ["a.json", "b.json.zst", "c.json.zst"]
    assert plain.read_bytes().startswith(b"{")
    assert long.read_bytes().startswith(b"\x28\xb5\x2f\xfd")
    for path in (plain, asked, long):
        expect_same(read_graph([path]), graph)
    assert len(list(tmp_path.iterdir())) == 3


BAD = [
    (("objects", "work", "cpu", 1), -2.0, "object 'b': work on cpu -2.0 (it is negative)"),
    (("objects", "work", "cpu", 1), float("nan"), "object 'b': work on cpu nan"),
    (("objects", "work", "cpu", 2), 10**400, "object 'c': work on cpu 1000"),
    (("objects", "work", "cpu", 1), -(10**400), "object 'b': work on cpu -1000"),
    (("objects", "work", "cpu", 0), None, "object 'a': work on cpu null (of the wrong type)"),
    (("objects", "work", "cpu", 0), True, "object 'a': work on cpu true"),
    (("objects", "work", "cpu"), [1], "'work on cpu' of objects (1 values, and there are 3"),
    (("objects", "work", "gpu"), [1, 2, 3], "'gpu' in 'work' (it has no meaning there): use cpu"),
    (("objects", "work"), {}, "'work' has no list for kind 'cpu'"),
    (("objects", "work"), [1], "'work' of objects"),
    (("objects", "bytes", 2), -1, "object 'c': bytes -1 (it is negative)"),
    (("objects", "place", 1), -1, "object 'b': place -1 (there is none of that number)"),
    (("objects", "place", 1), 2**20, "object 'b': place 1048576 (there is none of that number)"),
    (("objects", "place", 1), 2**31, "object 'b': place 2147483648"),
    (("objects", "place", 1), 0.5, "object 'b': place 0.5 (of the wrong type)"),
    (("objects", "place"), None, "'place' of objects (it is no list)"),
    (("objects", "place"), [0], "'place' of objects (1 values, and there are 3 objects)"),
    (("objects", "fixed", 0), 1, "object 'a': fixed 1 (of the wrong type): give true or false"),
    (("objects", "id", 2), "a", "object 'a': its id is there twice (numbers 0 and 2"),
    (("objects", "id", 1), 7, "object number 1, counted from 0: id 7 (of another type)"),
    (("objects", "id", 1), None, "object number 1, counted from 0: id null"),
    (("objects", "id"), "abc", "'id' of objects (it is no list)"),
    (("objects", "ids"), [], "'ids' in 'objects' (it has no meaning there): use id, work"),
    (("objects",), None, "'objects' (it is missing"),
    (("edges", "to", 1), "z", "edge 1: to 'z' (no object has that id)"),
    (("edges", "from", 0), 1.5, "edge 0: from 1.5 (no object has that id)"),
    (("edges", "from", 0), [], "edge 0: from [] (no object has that id)"),
    (("edges", "to"), ["a"], "'to' of edges (1 values, and there are 2 edges)"),
    (("edges", "to"), None, "'to' of edges (it is no list)"),
    (("edges", "bytes", 0), -5, "edge 0: bytes -5 (it is negative)"),
    (("edges", "messages", 1), "two", "edge 1: messages 'two' (of the wrong type)"),
    (("edges",), [], "'edges' (it is no object with columns)"),
    (("edge",), {}, "'edge' in the file (it has no meaning there)"),
    (("kinds",), "cpu", "'kinds' (no list of names"),
    (("kinds",), ["c\npu"], "'kinds' (no list of names"),
    (("kinds",), ["cpu", "cpu"], "'kinds' (a name is there twice)"),
    (("version",), 2, "version 2 (this makespan reads 1)"),
]


@pytest.mark.parametrize(("place", "value", "message"), BAD, ids=[case[2] for case in BAD])
def test_what_is_wrong_is_named(place: tuple[Any, ...], value: object, message: str) -> None:
    document = copy.deepcopy(small())
    part: Any = document
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value

    with pytest.raises(InputError) as caught:
        graph_from(document, "g.json")

    text = str(caught.value)
    assert text.startswith(f"g.json: {message}"), text
    assert "\n" not in text


def test_edges_of_objects_without_ids_are_numbers() -> None:
    document = small()
    del document["objects"]["id"]
    for end, message in ((3, "edge 1: to 3 (no object"), ("a", "edge 1: to 'a' (no object")):
        document["edges"] = {"from": [0, 1], "to": [1, end]}
        with pytest.raises(InputError, match=r"g\.json: ") as caught:
            graph_from(document, "g.json")
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (json.dumps(small(), indent=1).encode()[:300], "line 35, column 3, the end of the file"),
        (b'{"format": \n [1, 2,, 3]}', "line 2, column 8: no JSON"),
        (b"", "it is empty"),
        (b"[]", "neither a graph of makespan nor a dump of vt"),
        (b'{"format": "else"}', "neither a graph of makespan nor a dump of vt"),
        (b'{"format": "\xff"}', "line 1: no UTF-8 text"),
        (b"PK\x03\x04 no graph at all", "neither JSON, nor that by zstd or brotli"),
        (b"[" * 200_000, "lists in lists"),
        (b'{"a": ' + b"1" * 5000 + b"}", "too many digits"),
        (zstandard.compress(json.dumps(small()).encode())[:-30], "cut off (zstd ends after"),
        (brotli.compress(json.dumps(small()).encode())[:-30], "cut off (brotli ends after"),
        (b"\x28\xb5\x2f\xfd" + b"\xff" * 20, "damaged (zstd"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damaged_files_say_where(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "graph.json"
    path.write_bytes(data)

    with pytest.raises(InputError) as caught:
        read_graph([path])

    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_what_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_text, "TEXT_BYTES_MAX", 1000)
    path = tmp_path / "graph.json.zst"
    path.write_bytes(zstandard.compress(b"{" + b" " * 5000 + b"}"))

    with pytest.raises(InputError, match="too long"):
        read_json(path, "mend it")


IN_LITTLE_MEMORY = """
import resource, sys
from pathlib import Path
import brotli, zstandard
from makespan.base.errors import InputError
from makespan.graph import packed_text
packed_text.TEXT_BYTES_MAX = 100 << 20
if sys.argv[2] == "old":
    packed_text._bounded = packed_text._by_crumbs
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (600 << 20),) * 2)
try: packed_text.read_json(Path(sys.argv[1]), "mend it")
except InputError as error: print(error)
"""


def zeros(packer: Any, mib: int, end: str) -> bytes:
    step = bytes(1 << 20)
    pack = packer.compress if end == "flush" else packer.process
    return b"".join([*(pack(step) for _ in range(mib)), getattr(packer, end)()])


@pytest.mark.parametrize("kind", ["zstd", "brotli", "old"])
def test_it_is_refused_before_it_fills_the_memory(tmp_path: Path, kind: str) -> None:
    """Goal: a file of kilobytes takes no gigabytes. Method: an image of 100 MiB allowed, 1 GiB
    packed, and room for 600 MiB; "old" is brotli without a limit on what it gives at once."""
    path = tmp_path / "graph.json"
    packers = {"zstd": (zstandard.ZstdCompressor().compressobj(), "flush")}
    packer, end = packers.get(kind, (brotli.Compressor(quality=5), "finish"))
    path.write_bytes(zeros(packer, 1024, end))
    assert path.stat().st_size < 100_000

    ended = subprocess.run(
        [sys.executable, "-c", IN_LITTLE_MEMORY, str(path), kind],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert f"{path}: too long" in ended.stdout, ended.stderr
    assert ended.returncode == 0


def test_many_frames_take_no_longer_than_their_bytes(tmp_path: Path) -> None:
    """Method: what copies the rest after each frame would copy 60 GB here."""
    path = tmp_path / "graph.json.zst"
    frames = [zstandard.compress(part) for part in (b"[", b" ", b"]")]
    path.write_bytes(frames[0] + frames[1] * 100_000 + frames[2])

    assert read_json(path, "mend it") == []


def test_folders_and_missing_files_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a folder"):
        read_graph([tmp_path])
    with pytest.raises(InputError, match="No such file"):
        read_graph([tmp_path / "no.json"])


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@settings(max_examples=300)
@given(documents(), st.data())
def test_junk_anywhere_is_read_or_refused_in_one_line(
    document: dict[str, Any], data: st.DataObject
) -> None:
    broken = copy.deepcopy(document)
    part, key = data.draw(st.sampled_from(spots(broken)))
    part[key] = data.draw(JUNK)

    said = "g.json: nothing"
    try:
        graph_from(broken, "g.json")
    except InputError as error:
        said = str(error)

    assert said.startswith("g.json: ")
    assert "\n" not in said
