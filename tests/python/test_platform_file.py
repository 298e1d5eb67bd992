# SPDX-License-Identifier: Apache-2.0
"""SimGrid platforms as machines, and as networks of machines; what is said of bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.sim.machine_text import read_machine
from makespan.sim.platform_file import Host, platform_hosts
from with_simulator import needs_simulator

import makespan

pytestmark = needs_simulator

PLATFORM = """\
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <host id="beta" speed="2Gf" core="2"/>
    <host id="alpha" speed="1Gf" core="4"/>
    <link id="wire" bandwidth="125MBps" latency="50us"/>
    <route src="alpha" dst="beta"><link_ctn id="wire"/></route>
  </zone>
</platform>
"""
DESCRIPTION = """\
[kind.cpu]
speed = 100
[[node]]
count = 2
devices = ["cpu"]
[network]
platform = "two.xml"
"""


@pytest.fixture
def platform(tmp_path: Path) -> Path:
    path = tmp_path / "two.xml"
    path.write_text(PLATFORM)
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_machine(path)
    return str(caught.value)


def test_hosts_are_nodes_by_name(platform: Path) -> None:
    assert platform_hosts(platform) == [Host("alpha", 1e9, 4), Host("beta", 2e9, 2)]

    machine = read_machine(platform)

    assert [image["node"] for image in machine.images] == [0, 1]
    assert machine.kinds == ["4x1G", "2x2G"]
    assert machine.worker_speeds == [1e9] * 4 + [2e9] * 2


def test_a_bag_runs_on_a_platform(platform: Path) -> None:
    ran = makespan.simulate(platform, [1e8] * 800)

    assert ran.complete
    assert ran.ideal_s == pytest.approx(10.0)
    assert ran.over_ideal < 1.02


def test_a_description_has_the_routes_of_a_platform(platform: Path) -> None:
    path = platform.parent / "machine.toml"
    path.write_text(DESCRIPTION)
    near = makespan.simulate(path, [1.0] * 200, policy="self", dispatcher="counter")
    platform.write_text(PLATFORM.replace("50us", "50ms"))
    far = makespan.simulate(path, [1.0] * 200, policy="self", dispatcher="counter")

    # The second node's claims take 100 ms and more, an item 10 ms.
    assert near.workers["items"].to_list() == pytest.approx([100, 100], abs=2)
    assert far.workers["items"][1] < 25
    assert far.workers["claiming_s"][1] > 0.1 * far.workers["items"][1]


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ('speed="2Gf"', 'spede="2Gf"', "line 5: Bad attribute `spede'"),
        ("50us", "50parsec", "line 7: unknown unit: parsec"),
        ('<link_ctn id="wire"', '<link_ctn id="wyre"', "line 8: Link not found: wyre"),
        ("</zone>", "", "line 10: Unexpected end-tag"),
        (
            '<route src="alpha" dst="beta"><link_ctn id="wire"/></route>',
            "",
            "no way between its hosts: give a route for each pair",
        ),
    ],
)
def test_a_bad_platform_is_named_with_its_line(
    platform: Path, right: str, wrong: str, words: str
) -> None:
    platform.write_text(PLATFORM.replace(right, wrong))

    message = refused(platform)

    assert message.startswith(str(platform))
    assert words in message
    assert message.count("\n") == 0


def test_a_platform_that_is_not_there(tmp_path: Path) -> None:
    assert "cannot be read" in refused(tmp_path / "none.xml")


def test_a_written_machine_finds_its_platform(
    platform: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever either lies, and wherever the run began."""
    monkeypatch.chdir(tmp_path)
    below = Path("below")
    below.mkdir()
    inside = below / platform.name
    inside.write_text(platform.read_text())
    written = Path("written")
    written.mkdir()

    for given in (inside, inside.resolve()):
        makespan.simulate(given, tasks="20:constant:0:1e9", write_machine=written / "machine.toml")

        machine = read_machine(written / "machine.toml")

        assert Path(machine.settings["network"]["platform"]).samefile(inside)


def test_more_nodes_than_hosts(platform: Path) -> None:
    path = platform.parent / "machine.toml"
    path.write_text(DESCRIPTION.replace("count = 2", "count = 3"))

    message = refused(path)

    assert message.startswith(f"{path}, line 7: [network] platform")
    assert "has 2 hosts, and there are 3 nodes" in message


def test_latency_beside_a_platform(platform: Path) -> None:
    path = platform.parent / "machine.toml"
    path.write_text(DESCRIPTION + "latency_us = 2\n")

    assert refused(path).startswith(f"{path}, line 8: [network] latency_us")
