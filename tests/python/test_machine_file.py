# SPDX-License-Identifier: Apache-2.0
"""A broken machine file gives a message with line and reason; a good one is taken as it is."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from makespan.base.engine import load_engine
from makespan.base.errors import InputError
from makespan.machines.known_machine import known_machine
from makespan.machines.machine_file import machine_text
from makespan.machines.network_file import network_path, network_text, read_network

GPU_NODE = Path(__file__).resolve().parents[1] / "data" / "machines" / "gpu_node.xml"
GOOD = GPU_NODE.read_text(encoding="utf-8")


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_good_file_is_taken_as_it_is() -> None:
    assert machine_text(GPU_NODE) == GOOD


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('<object type="Core" os_index="3"', '<object type="Core os_index="3"', "well-formed"),
        ('type="Package" os_index="1"', 'type="Packet" os_index="1"', "'Packet' is no type"),
        ('os_index="5"', 'os_index="five"', "os_index='five' is no whole number"),
        ('cpuset="0x00000004"', 'cpuset="4 of them"', "cpuset='4 of them' is no set"),
        (
            'type="PU" os_index="6" cpuset="0x00000040"',
            'type="PU" os_index="6"',
            "PU has no cpuset",
        ),
        ("complete_cpuset", "complete_cpuget", "Machine has cpuset and no complete_cpuset"),
        ("complete_nodeset", "complEte_nodeset", "has nodeset and no complete_nodeset"),
        ('encoding="UTF-8"', 'encoding="UTF-0"', "no encoding is called that"),
        ('gp_index="1001"', 'gp_index="1002"', "gp_index 1002 is that of line"),
    ],
)
def test_a_broken_file_is_refused_by_line(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert GOOD.count(old) >= 1
    path = tmp_path / "node.xml"
    path.write_text(GOOD.replace(old, new, 1))

    with pytest.raises(InputError) as caught:
        machine_text(path)

    message = str(caught.value)
    line = int(re.search(rf"{re.escape(str(path))}, line (\d+): ", message)[1])  # type: ignore[index]
    assert reason in message
    assert abs(line - line_of(GOOD, old)) <= 1 or "is that of line" in message
    assert "makespan machine -o" in message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"\x7fELF\x02\x01", "line 1: "),
        (b"\xff\xfe<\0t\0", "line 1: it is no UTF-8 text"),
        (b"id,strike\na,100\n", "line 1: no well-formed XML"),
        (b"<?xml version='1.0'?>\n<svg/>", "line 2: it begins with <svg>"),
        (b"<topology version='2.0'>\n</topology>", "line 2: there is no object of type Machine"),
        (b"<topology><object type='Machine'/></topology>", "no object of type PU"),
        (b"<topology>\n<object type='Core'/></topology>", "line 2: the outermost object is a Core"),
        (b"<!DOCTYPE t [\n<!ENTITY a 'b'>]><topology/>", "line 2: it declares an entity 'a'"),
        (GOOD[: len(GOOD) // 2].encode(), "no well-formed XML"),
    ],
)
def test_what_is_no_machine_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "node.xml"
    path.write_bytes(content)

    with pytest.raises(InputError, match=re.escape(reason)):
        machine_text(path)


def test_a_folder_and_a_file_that_is_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a folder"):
        machine_text(tmp_path)
    with pytest.raises(InputError, match="No such file"):
        machine_text(tmp_path / "node.xml")


def test_what_only_hwloc_refuses_is_an_input_error_too(tmp_path: Path) -> None:
    path = tmp_path / "node.xml"
    sets = "cpuset='0x1' complete_cpuset='0x1'"
    text = f"<topology version='9.0'><object type='Machine' {sets} gp_index='1'>"
    text += f"<object type='PU' os_index='0' {sets} gp_index='2'/></object></topology>"
    path.write_text(text)

    with pytest.raises(InputError, match=r"node\.xml"):
        known_machine(load_engine(), path, None)


@pytest.mark.parametrize("seed", range(40))
def test_a_file_with_random_damage_is_refused_or_read(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - damage, not secrets
    lines = GOOD.splitlines()
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(lines))
        kind = dice.randrange(3)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(dice.randrange(len(lines)), lines[at])
        else:
            lines[at] = re.sub(r"\d+", str(dice.randrange(100)), lines[at], count=1)
    path = tmp_path / "node.xml"
    path.write_text("\n".join(lines))

    text = ""
    try:
        found = known_machine(load_engine(), path, None).places()
    except InputError as error:
        found, text = [], str(error)

    assert found or str(path) in text


NETWORK = {
    "transport": "shm",
    "hosts": ["a", "b"],
    "latencies": [0.0, 2e-6, 2e-6, 0.0],
    "bandwidths": [0.0, 1e9, 2e9, 0.0],
}


def whole(**changes: Any) -> str:
    """A network file, as it is written."""
    return network_text({**NETWORK, **changes}, GOOD)


def test_a_network_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = network_path(tmp_path / "node.xml")
    path.write_text(whole())

    assert path.name == "node.network.json"
    assert read_network(path, GOOD) == NETWORK
    assert read_network(tmp_path / "other.network.json", GOOD) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{\n oops}", "line 2: "),
        ("[]", "no network file"),
        ("[" * 100_000, "cannot be read"),
        (json.dumps({"format": 2, **NETWORK}), "no network file"),
        (whole().replace('"version": 1', '"version": 2'), "of version 2 (this makespan reads 1)"),
        (whole().replace("2e-06", "3e-06", 1), "not as it was written"),
        (whole().replace('"a"', '"A"', 1), "not as it was written"),
        (whole().replace('"digest"', '"digits"', 1), "not as it was written"),
        (whole(hosts=3), "'hosts' is no list"),
        (whole(latencies=[1.0]), "'latencies' is no list"),
        (whole(transport=None), "'transport' is no text"),
    ],
)
def test_a_broken_network_file_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "node.network.json"
    path.write_text(text)

    with pytest.raises(InputError, match=re.escape(reason)):
        read_network(path, GOOD)


def test_the_network_of_an_older_machine_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "node.xml").write_text(GOOD)
    (tmp_path / "node.network.json").write_text(whole())
    assert known_machine(load_engine(), tmp_path / "node.xml", None).network is not None

    (tmp_path / "node.xml").write_text(GOOD.replace('os_index="5"', 'os_index="6"', 1))

    with pytest.raises(InputError, match="measured with another machine file"):
        known_machine(load_engine(), tmp_path / "node.xml", None)


MATRIX = """<distances2hetero nbobjs="2" kind="10" name="makespan:x">
<indexes length="16">PU:1002 PU:1003 </indexes>
<u64values length="4">1 2 </u64values>
<u64values length="4">3 4 </u64values>
</distances2hetero></topology>"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1 2 ", "1 2 ", None),
        ("1 2 ", "12 ", "line {}: 3 numbers in <u64values> of a <distances2hetero> of 2 objects"),
        ("1 2 ", "1 2 9 ", "5 numbers in <u64values>"),
        ("PU:1003 ", "", "1 numbers in <indexes> of a <distances2hetero> of 2 objects, where 2"),
        ('nbobjs="2"', 'nbobjs="3"', "2 numbers in <indexes>"),
        ('nbobjs="2"', 'nbobjs="18446744073709551615"', "2 numbers in <indexes>"),
        ('nbobjs="2"', "", "2 numbers in <indexes> of a <distances2hetero> of 0"),
    ],
)
def test_a_matrix_has_as_many_numbers_as_it_says(
    tmp_path: Path, old: str, new: str, reason: str | None
) -> None:
    text = re.sub("</topology>", MATRIX.replace(old, new, 1), GOOD)
    path = tmp_path / "node.xml"
    path.write_text(text)

    if reason is None:
        assert machine_text(path) == text
        return
    with pytest.raises(InputError) as caught:
        machine_text(path)
    assert reason.format(line_of(text, "</distances2hetero>")) in str(caught.value)
