# SPDX-License-Identifier: Apache-2.0
"""Files appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.files.atomic import (
    Writer,
    check_outputs,
    check_writable,
    replace_text,
    text_writer,
    write_files,
)


def writer(text: str) -> Writer:
    def write(path: Path) -> None:
        path.write_text(text)

    return write


def test_all_files_appear(tmp_path: Path) -> None:
    write_files({tmp_path / "a": writer("1"), tmp_path / "b": writer("2")})

    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a": "1", "b": "2"}


def test_a_text_with_bytes_of_file_names_is_written(tmp_path: Path) -> None:
    """Goal: a page names a book whose name is no UTF-8, and no price is lost for it."""
    text = f"prices of {os.fsdecode(bytes([0x62, 0xFF]))}.csv, S = 100 \N{EURO SIGN}"

    write_files({tmp_path / "page": text_writer(text)})

    written = (tmp_path / "page").read_text(encoding="utf-8")
    assert written == "prices of b\\udcff.csv, S = 100 \N{EURO SIGN}"


def test_a_replaced_text_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    replace_text(tmp_path / "a", "new")

    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a": "new"}


def test_a_text_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    with pytest.raises(UnicodeEncodeError):
        replace_text(tmp_path / "a", "\ud800")

    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a": "old"}


def test_a_failure_in_the_second_file_leaves_the_first_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    def fail(path: Path) -> None:
        path.write_text("half")
        raise OSError("disk full")

    with pytest.raises(InputError, match="disk full"):
        write_files({tmp_path / "a": writer("new"), tmp_path / "b": fail})

    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a": "old"}


def test_a_kill_in_between_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    code = (
        "import os, sys; from pathlib import Path; from makespan.files.atomic import write_files\n"
        "def die(path):\n"
        "    path.write_text('half'); os.kill(os.getpid(), 9)\n"
        f"write_files({{Path({str(tmp_path / 'a')!r}): die}})"
    )

    ended = subprocess.run([sys.executable, "-c", code], check=False)

    assert ended.returncode == -9
    assert (tmp_path / "a").read_text() == "old"


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")

    write_files({tmp_path / "link": writer("new")})

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")

    write_files({tmp_path / "a": writer("1")})

    assert (tmp_path / "a").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".", "it is a folder"),
        ("no/such/prices.csv", "does not exist; create it"),
        ("fifo", "it is not a regular file"),
    ],
)
def test_a_place_that_cannot_be_written_is_known_before(
    tmp_path: Path, name: str, text: str
) -> None:
    os.mkfifo(tmp_path / "fifo")

    with pytest.raises(InputError, match=text):
        check_writable(tmp_path / name)


def test_the_check_leaves_nothing_behind(tmp_path: Path) -> None:
    check_writable(tmp_path / "prices.csv")

    assert list(tmp_path.iterdir()) == []


def test_what_the_disk_refuses_is_known_before(tmp_path: Path) -> None:
    """Method: a name that is too long, since root may write into any folder."""
    name = "p" * 252 + ".csv"

    with pytest.raises(InputError, match=r"too long; choose another place$"):
        check_writable(tmp_path / name)


@pytest.mark.parametrize("length", [233, 234, 255])
def test_a_name_may_be_as_long_as_names_are(tmp_path: Path, length: int) -> None:
    """Goal: what is added to it while it is written does not matter."""
    path = tmp_path / ("p" * (length - 4) + ".csv")

    check_writable(path)
    write_files({path: writer("1")})

    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {path.name: "1"}


def test_a_folder_that_cannot_be_forced_to_the_disk_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    # File systems that know no such thing.
    for code in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
        write_files({tmp_path / "a": writer(f"{code}")})
        assert (tmp_path / "a").read_text() == f"{code}"

    code = errno.EIO
    with pytest.raises(InputError, match=r"the new file is there, but.*Input/output error"):
        write_files({tmp_path / "a": writer("new")})

    assert (tmp_path / "a").read_text() == "new"


def test_a_folder_that_cannot_be_read_is_known_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: no name in it could be forced to the disk. Method: root may read any folder, so that
    opening one is refused here."""
    usual = os.open

    def refuse(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_DIRECTORY:
            raise PermissionError(errno.EACCES, "Permission denied")
        return usual(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)

    with pytest.raises(InputError, match="its folder cannot be opened for reading: Permission"):
        check_writable(tmp_path / "a")

    assert list(tmp_path.iterdir()) == []


def test_outputs_are_apart_from_inputs_and_from_each_other(tmp_path: Path) -> None:
    read = tmp_path / "in"
    read.write_text("old")
    one, other = tmp_path / "a", tmp_path / "b"

    check_outputs((one, None, other), (read, None))
    with pytest.raises(InputError, match="written over what is read"):
        check_outputs((one, tmp_path / "." / "in"), (read,))
    with pytest.raises(InputError, match="written over what is read or written"):
        check_outputs((one, one), ())
    with pytest.raises(InputError, match="nowhere"):
        check_outputs((tmp_path / "nowhere" / "a",), ())

    assert read.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]
