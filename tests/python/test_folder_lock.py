# SPDX-License-Identifier: Apache-2.0
"""One run at a time writes in a folder; what a killed one leaves keeps no other out."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.files import folder_lock
from makespan.files.folder_lock import NAME, locked_folder
from makespan.grids.input import GridFiles
from makespan.grids.outputs import lock_folders

HOLD = """
import sys
from pathlib import Path
from makespan.files.folder_lock import locked_folder
with locked_folder("--checkpoint", Path(sys.argv[1])):
    print("in", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    """Another run that is in the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "in\n"
    return process


def test_a_second_run_is_told_who_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    process = holder(folder)

    with (
        pytest.raises(InputError, match=f"another run \\(process {process.pid} on ") as caught,
        locked_folder("--checkpoint", folder),
    ):
        pass
    process.communicate("", timeout=20)

    assert str(caught.value).startswith(f"--checkpoint {folder}: ")
    assert "wait for it; name another folder" in str(caught.value)
    with locked_folder("--checkpoint", folder):
        assert [one.name for one in folder.iterdir()] == [NAME]
    assert list(folder.iterdir()) == []


def test_a_killed_run_keeps_no_other_out(tmp_path: Path) -> None:
    process = holder(tmp_path)
    process.kill()
    process.communicate(timeout=20)
    assert (tmp_path / NAME).exists()

    with locked_folder("--checkpoint", tmp_path):
        pass

    assert not (tmp_path / NAME).exists()


def test_a_lock_whose_file_was_removed_in_between_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Method: the first run ends just when the second has opened its file."""
    whole = fcntl.flock
    removed = []

    def flock(descriptor: int, how: int) -> None:
        whole(descriptor, how)
        if not removed:
            removed.append((tmp_path / NAME).unlink())

    monkeypatch.setattr(fcntl, "flock", flock)

    with (
        locked_folder("--checkpoint", tmp_path),
        pytest.raises(InputError, match="another run"),
        locked_folder("--checkpoint", tmp_path),
    ):
        pass


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_where_no_locks_are_none_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def flock(*_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)

    with locked_folder("--output", tmp_path), locked_folder("--output", tmp_path):
        pass


def test_what_cannot_be_written_to_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", refuse)

    with (
        pytest.raises(
            InputError, match=r"--output .*: no run can write there \(Read-only file sys"
        ),
        locked_folder("--output", tmp_path),
    ):
        pass


def test_a_lock_that_another_user_left_is_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).write_text("process 7 on x")

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(folder_lock, "make_folder", lambda _: None)
    monkeypatch.setattr(folder_lock, "_locked", refuse)

    with (
        pytest.raises(InputError, match=r"no run can write there \(Permission denied\)"),
        locked_folder("--output", tmp_path),
    ):
        pass


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("old")
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / NAME).symlink_to(tmp_path / "precious")

    with (
        pytest.raises(InputError, match="no run can write there"),
        locked_folder("--checkpoint", tmp_path / "saved"),
    ):
        pass

    assert (tmp_path / "precious").read_text() == "old"


def test_one_folder_can_be_both(tmp_path: Path) -> None:
    files = GridFiles(output=tmp_path / "a", checkpoint=tmp_path / "b" / ".." / "a")
    (tmp_path / "b").mkdir()

    with ExitStack() as locks:
        lock_folders(files, locks)
        assert [one.name for one in (tmp_path / "a").iterdir()] == [NAME]
        with (
            pytest.raises(InputError, match="another run"),
            locked_folder("--output", tmp_path / "a"),
        ):
            pass

    with locked_folder("--output", tmp_path / "a"):
        pass
