# SPDX-License-Identifier: Apache-2.0
"""Goal: a machine description becomes what it says, or is refused with file, line and remedy.

Method: the example, and one thing wrong at a time.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.settings.toml_lines import key_lines
from makespan.sim.example import MACHINE_EXAMPLE
from makespan.sim.machine import Machine
from makespan.sim.machine_text import read_machine

SMALL = """\
[kind.cpu]
speed = 2.0

[[node]]
devices = ["2 cpu"]
"""


def machine_by(folder: Path, text: str) -> Machine:
    path = folder / "machine.toml"
    path.write_text(text)
    return read_machine(path)


def test_the_example_is_a_machine(tmp_path: Path) -> None:
    machine = machine_by(tmp_path, MACHINE_EXAMPLE)

    assert machine.kinds == ["cpu", "cpu", "gpu"] * 2
    assert [image["node"] for image in machine.images] == [0, 1]
    cpu, _, gpu = machine.images[0]["devices"]
    assert (cpu["threads"], cpu["speed"], cpu["together"]) == (16, 4000.0, 3120.0)
    assert gpu["launch"] == pytest.approx(20e-6)
    assert machine.settings["changes"] == [[1, 0.5, 0.1]]
    assert machine.settings["network"]["bandwidth"] == 1e10


def test_devices_may_have_an_image_each(tmp_path: Path) -> None:
    text = SMALL + 'image = "device"\ncount = 3\n'

    machine = machine_by(tmp_path, text)

    assert [image["node"] for image in machine.images] == [0, 0, 1, 1, 2, 2]
    assert all(len(image["devices"]) == 1 for image in machine.images)


def test_lines_of_keys_are_found() -> None:
    text = "# a\n[kind.cpu]\nspeed = 1 # b\n\n[[node]]\ncount=2\n[[ node ]]\ncount = 3\n"

    lines = key_lines(text)

    assert lines["kind.cpu", 0, "speed"] == 3
    assert lines["node", 0, "count"] == 6
    assert lines["node", 1, ""] == 7
    assert lines["node", 1, "count"] == 8


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[kind.cpu\n", 1, "this is no TOML"),
        ("", None, "no kinds of devices: write [kind.cpu]"),
        ("[kind.cpu]\nspeed = 1\n", None, 'no nodes: write [[node]], and devices = ["cpu"]'),
        ("[kind.cpu]\nthreads = 2\n", 1, "[kind.cpu] has no speed: give a number above 0"),
        ("[kind.cpu]\nspeed = -1\n", 2, "speed = -1 cannot be used: give a number above 0"),
        ("[kind.cpu]\nsped = 1\n", 2, "speed"),
        pytest.param(f"[kind.cpu]\nspeed = 0x{'f' * 4000}\n", 2, "speed = 0xfff", id="hexadecimal"),
        pytest.param(
            f'{SMALL}[run]\nperturb = ["slow:{"9" * 5000}@1:2"]\n',
            7,
            "cannot be used: give a list of slow:",
            id="digits",
        ),
        (SMALL + "[node]\n", 6, "this is no TOML"),
        (SMALL.replace("2 cpu", "2 cup"), 5, "cpu"),
        (SMALL.replace('"2 cpu"', '"a b c"'), 5, 'give a kind, as "2 cpu"'),
        (SMALL.replace("2 cpu", "0 cpu"), 5, 'devices: "0 cpu": give 1 or more of them'),
        (SMALL.replace('"2 cpu"', '"cpu", "00 cpu"'), 5, 'devices: "00 cpu": give 1 or more'),
        (SMALL + "count = 0\n", 6, "count = 0 cannot be used: give a whole number from 1 to"),
        (SMALL + "count = 1000000\n", 6, "more than 1048576 devices: take fewer"),
        (SMALL + '[run]\nperturb = ["fail:2@1"]\n', 7, "device 2 (there are 2): count them from 0"),
        (SMALL + '[run]\nperturb = ["slow:1@1:0"]\n', 7, "cannot be used: give a list of slow:"),
        (SMALL + '[run]\nperturb = ["hang:1@1:2"]\n', 7, "cannot be used: give a list of slow:"),
        (SMALL + '[run]\nperturb = ["fail:cpu@1"]\n', 7, "cannot be used: give a list of slow:"),
        (SMALL + '[run]\nperturb = "fail:1@1"\n', 7, "cannot be used: give a list of slow:"),
        (SMALL + '[run]\nperturb = ["kill:1@1"]\n', 7, "image 1 (there are 1): count them from 0"),
        ("node = 1\n[kind.cpu]\nspeed = 1\n", None, "[node] stands alone: write [[node]]"),
        (SMALL + '[network]\nprogress = "luck"\n', 7, "give helper, network, hand or none"),
        (SMALL + "[[change]]\ndevice = 1\n", 6, "table 'change' is unknown"),
        (SMALL + "[fabric]\nlatency_us = 1\n", 6, "network"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    with pytest.raises(InputError) as raised:
        machine_by(tmp_path, text)

    said = str(raised.value)
    place = f"machine.toml, line {line}: " if line else "machine.toml: "
    assert place in said
    assert message in said
    assert "\n" not in said


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    assert machine_by(tmp_path, f"\ufeff{SMALL}").kinds == ["cpu", "cpu"]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: cannot be read"):
        read_machine(tmp_path / "none.toml")
