# SPDX-License-Identifier: Apache-2.0
"""Paths are told apart by the files that they stand for; those that can be none are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from makespan.base.errors import InputError
from makespan.files.atomic import check_outputs
from makespan.files.resolved_path import resolved


def test_links_and_ways_round_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("none.csv")

    assert resolved(tmp_path / "link") == resolved(tmp_path / "." / "none.csv")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("loop", "links to links that do not end"),
        (300 * "x", "File name too long"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_what_can_be_no_file_is_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(InputError, match=rf"cannot be used \({why}\); name another file"):
        check_outputs([tmp_path / name], [])
