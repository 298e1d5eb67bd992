# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of grids: the same bits again, or a message."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from makespan.base.errors import InputError
from makespan.grids import state_file
from makespan.grids.state_file import StateHead, open_state, write_state, write_view

HEAD = StateHead(
    application="calcium",
    step=3,
    time=0.25,
    time_unit="ms",
    points=(4, 3, 2),
    spacing=(0.1, 0.2, 0.3),
    fields=("ca", "ca_atp"),
    settings='{"temperature": "37 °C"}',
)


def some_values(head: StateHead = HEAD) -> np.ndarray:
    """By field, z, y, x; among them what is easily lost: signs of 0, subnormals, payloads."""
    values = np.random.default_rng(1).normal(size=(len(head.fields), *head.shape))
    values.ravel()[:5] = [-0.0, 5e-324, -2.5e-310, np.inf, np.nan]
    values.view("<u8").ravel()[5] = 0x7FF8_0000_0000_1234
    return values


def planes_of(values: np.ndarray) -> Callable[[int, int, int], np.ndarray]:
    return lambda field, z_begin, z_end: values[field, z_begin:z_end]


def written(path: Path, head: StateHead = HEAD) -> np.ndarray:
    values = some_values(head)
    write_state(path, head, planes_of(values))
    return values


def read(path: Path) -> tuple[StateHead, np.ndarray]:
    with open_state(path) as state:
        head = state.head
        fields = [state.read(field, 0, head.points[2]) for field in range(len(head.fields))]
    return head, np.array(fields)


def test_all_bits_come_back(tmp_path: Path) -> None:
    values = written(tmp_path / "a.vtkhdf")

    head, found = read(tmp_path / "a.vtkhdf")

    assert head == HEAD
    assert found.dtype == np.float64
    assert found.tobytes() == values.tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["a.vtkhdf"]


_TEXTS = st.text(st.characters(exclude_characters="\0", codec="utf-8"))
_HEADS = st.builds(
    StateHead,
    application=_TEXTS,
    step=st.integers(0, 2**53),
    time=st.floats(allow_nan=False),
    time_unit=_TEXTS,
    points=st.just((2, 2, 3)),
    spacing=st.tuples(*3 * [st.floats(1e-300, 1e300)]),
    fields=st.just(("u",)),
    settings=_TEXTS,
)


@given(head=_HEADS, values=arrays(np.float64, (1, 3, 2, 2)))
def test_anything_comes_back(
    tmp_path_factory: pytest.TempPathFactory, head: StateHead, values: np.ndarray
) -> None:
    path = tmp_path_factory.mktemp("state") / "a.vtkhdf"

    write_state(path, head, planes_of(values))

    found_head, found = read(path)
    assert found_head == head
    assert found.tobytes() == values.tobytes()


def test_planes_are_asked_for_in_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = replace(HEAD, points=(4, 3, 5), fields=("u",))
    values = some_values(head)
    asked = []

    def planes(field: int, z_begin: int, z_end: int) -> np.ndarray:
        asked.append((field, z_begin, z_end))
        return values[field, z_begin:z_end]

    monkeypatch.setattr(state_file, "TURN_BYTES", 2 * 4 * 3 * 8)
    write_state(tmp_path / "a", head, planes)

    assert asked == [(0, 0, 2), (0, 2, 4), (0, 4, 5)]
    assert read(tmp_path / "a")[1].tobytes() == values.tobytes()


def test_a_file_can_be_written_from_another(tmp_path: Path) -> None:
    """The same values are the same bytes: no dates, nothing of the process."""
    written(tmp_path / "a")

    with open_state(tmp_path / "a") as state:
        write_state(tmp_path / "b", state.head, state.read)

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_settings_may_be_long(tmp_path: Path) -> None:
    """HDF5 has room for 64 KiB in an object's own header."""
    head = replace(HEAD, settings='{"openings": "' + 200_000 * "x" + '"}')
    written(tmp_path / "a", head)

    assert read(tmp_path / "a")[0] == head


def test_what_paraview_reads(tmp_path: Path) -> None:
    """By the specification of VTKHDF 1.0; VTK's own reader was asked by hand."""
    values = written(tmp_path / "a")

    with h5py.File(tmp_path / "a") as file:
        image = file["VTKHDF"]
        assert {name: image.attrs[name].tolist() for name in image.attrs} == {
            "Version": [1, 0],
            "Type": b"ImageData",
            "WholeExtent": [0, 4, 0, 3, 0, 2],
            "Origin": [0.0, 0.0, 0.0],
            "Spacing": [0.1, 0.2, 0.3],
            "Direction": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        }
        assert image.attrs.get_id("Type").get_type().get_cset() == h5py.h5t.CSET_ASCII
        assert list(image["CellData"]) == ["ca", "ca_atp"]
        assert image["CellData/ca_atp"][()].tobytes() == values[1].tobytes()


def test_a_view_is_smaller_and_no_checkpoint(tmp_path: Path) -> None:
    values = np.full((2, 2, 3, 4), 0.1)
    values[1, 0, 0, 0] = 1e300
    write_view(tmp_path / "a", HEAD, planes_of(values), ["ca_atp"])

    with h5py.File(tmp_path / "a") as file:
        (name,) = file["VTKHDF/CellData"]
        found = file["VTKHDF/CellData"][name]
        assert (name, found.dtype) == ("ca_atp", np.float32)
        assert found[1, 2, 3] == np.float32(0.1)
        assert found[0, 0, 0] == np.inf
    with pytest.raises(InputError, match="for ParaView only"):
        read(tmp_path / "a")


def test_no_flipped_bit_passes(tmp_path: Path) -> None:
    """Every seventh byte: it is refused, or (where HDF5 keeps room) nothing depends on it."""
    path = tmp_path / "a"
    values = written(path)
    sound = path.read_bytes()
    refused = 0

    for place in range(0, len(sound), 7):
        damaged = bytearray(sound)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        try:
            head, found = read(path)
        except InputError:
            refused += 1
        else:
            assert head == HEAD
            assert found.tobytes() == values.tobytes()

    assert refused > len(sound) / 14


def test_a_flipped_bit_of_a_value_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a"
    values = written(path)
    data = bytearray(path.read_bytes())
    data[data.index(values[1].tobytes()) + values[1, 0].nbytes + 7] ^= 0x20
    path.write_bytes(data)

    with pytest.raises(InputError, match=r"field 'ca_atp', plane 1: its bytes are not those"):
        read(path)
    with open_state(path) as state:
        assert state.read(0, 0, 2).tobytes() == values[0].tobytes()
        assert state.read(1, 0, 1).tobytes() == values[1, :1].tobytes()


def test_no_cut_file_passes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    written(path)
    sound = path.read_bytes()

    for length in (1, 7, 8, 100, len(sound) // 2, len(sound) - 1):
        path.write_bytes(sound[:length])
        with pytest.raises(InputError, match=r"cut short or damaged|no HDF5 file"):
            read(path)


def changed(path: Path, change: Callable[[h5py.File], None]) -> None:
    written(path)
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        change(file)


def less_deep(file: h5py.File) -> None:
    del file["VTKHDF/CellData/ca"]
    file["VTKHDF/CellData/ca"] = np.zeros((1, 3, 4))


def in_single_precision(file: h5py.File) -> None:
    del file["VTKHDF/CellData/ca"]
    file["VTKHDF/CellData/ca"] = np.zeros((2, 3, 4), dtype=np.float32)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda file: file["makespan"].attrs.create("format", 2), r"format 2 \(this makespan rea"),
        (lambda file: file.pop("makespan"), "an HDF5 file, but not of makespan"),
        (lambda file: file.pop("VTKHDF"), "an HDF5 file, but not of makespan"),
        (lambda file: file.pop("VTKHDF/CellData/ca_atp"), "CellData/ca_atp is missing"),
        (lambda file: file.pop("makespan/digests/ca"), "digests/ca is missing"),
        (lambda file: file["makespan"].attrs.pop("step"), "cut short or damaged"),
        (lambda file: file["VTKHDF"].attrs.create("WholeExtent", [1, 4, 0, 3, 0, 2]), "Extent"),
        (lambda file: file["VTKHDF"].attrs.create("WholeExtent", [0, np.inf] * 3), "damaged"),
        (lambda file: file["makespan"].attrs.create("fields", [1, 2]), "cut short or damaged"),
        (less_deep, r"shape \(1, 3, 4\) \(not <f8 of shape \(2, 3, 4\)\)"),
        (in_single_precision, "is float32"),
    ],
)
def test_what_is_not_as_it_should_be_is_named(
    tmp_path: Path, change: Callable[[h5py.File], None], text: str
) -> None:
    path = tmp_path / "a.vtkhdf"
    changed(path, change)

    with pytest.raises(InputError, match=rf"a\.vtkhdf: .*{text}"):
        read(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nowhere", r"cannot be read \(No such file or directory\): name a checkpoint"),
        (".", "it is a folder; name a file in it"),
        ("text", "it is no HDF5 file: name a checkpoint"),
        ("fifo", "it is not a regular file"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "text").write_text("step 3\n")
    os.mkfifo(tmp_path / "fifo")

    with pytest.raises(InputError, match=text):
        read(tmp_path / name)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, RuntimeError, ValueError])
def test_what_planes_raise_leaves_the_old_file(tmp_path: Path, raised: type[BaseException]) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def planes(field: int, z_begin: int, z_end: int) -> np.ndarray:
        if field == 1:
            raise raised("enough")
        return np.zeros((z_end - z_begin, 3, 4))

    with pytest.raises(raised, match="enough"):
        write_state(path, HEAD, planes)

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_planes_of_another_shape_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 3, 1\), not \(2, 3, 4\)"):
        write_state(tmp_path / "a", HEAD, lambda *_: np.zeros((2, 3, 1)))

    assert list(tmp_path.iterdir()) == []


_IN_A_PROCESS = """
import os, resource, signal, sys
from pathlib import Path
import numpy as np
from makespan.base.errors import InputError
from makespan.grids.state_file import StateHead, write_state
head = StateHead("diffuse", 0, 0.0, "", (64, 64, 64), (1.0, 1.0, 1.0), ("u", "v"), "{}")
def planes(field, z_begin, z_end):
    if field == 1:
        at_second()
    return np.zeros((z_end - z_begin, 64, 64))
"""


def ended(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _IN_A_PROCESS + code]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_a_kill_in_between_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    process = ended(
        "at_second = lambda: os.kill(os.getpid(), 9)\n"
        f"write_state(Path({str(path)!r}), head, planes)"
    )

    assert process.returncode == -9
    assert path.read_text() == "old"


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit on files' sizes")
@pytest.mark.parametrize("limit", [0, 100_000, 3_000_000, 4_194_304 + 3000])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, limit: int) -> None:
    """Method: a limit on the process's files, within the head, a field, or what comes last."""
    path = tmp_path / "a"
    path.write_text("old")

    process = ended(
        "at_second = lambda: None\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        f"try: write_state(Path({str(path)!r}), head, planes)\n"
        "except InputError as error: print(error)"
    )

    assert process.stdout.startswith(f"cannot write {path}: ")
    assert (process.returncode, process.stderr) == (0, "")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_is_full_at_any_place_leaves_no_damaged_file(tmp_path: Path) -> None:
    """Method: a limit of files' sizes, in a process of its own, as HDF5 may crash at its end."""
    folder = Path(__file__).parent
    program = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "from limited_files import files_of_at_most\n"
        "from test_state_file import InputError, read, written\n"
        "whole = 0\n"
        "for size in range(256, 12_000, 97):\n"
        "    path = Path(f'{size}.vtkhdf')\n"
        "    try:\n"
        "        with files_of_at_most(size): values = written(path)\n"
        "    except InputError as error:\n"
        "        assert 'cannot write' in str(error) and not path.exists(), error\n"
        "    else:\n"
        "        assert read(path)[1].tobytes() == values.tobytes()\n"
        "        whole += 1\n"
        "assert 0 < whole < 100\n"
        "print('done')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
    assert not list(tmp_path.glob(".*"))
