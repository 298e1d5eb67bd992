# SPDX-License-Identifier: Apache-2.0
"""Goal: the examples of equations run, and their own checks against closed results hold.

Method: each is started as a user starts it; it ends with an error where its check fails.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

from makespan import grid

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "equations"
NAMES = sorted(one.stem for one in EXAMPLES.glob("*.py"))


def started(program: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """On one core: other tests have the others."""
    core = min(os.sched_getaffinity(0))
    return subprocess.run(
        [sys.executable, str(program)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )


@pytest.mark.parametrize("name", NAMES)
def test_an_example_finds_what_is_known(name: str, tmp_path: Path) -> None:
    ended = started(EXAMPLES / f"{name}.py", tmp_path)

    assert ended.returncode == 0, ended.stderr
    if name == "gray_scott":
        pictures = [one.name for one in (tmp_path / "spots" / "slices").iterdir()]
        assert len(pictures) == 8
        assert "v-00006000.png" in pictures


def test_there_are_grids_of_one_to_three_axes() -> None:
    assert NAMES == ["fitzhugh_nagumo", "front", "gray_scott", "heat", "shallow_water", "wave"]


MISTAKES = {
    "fitzhugh_nagumo": ("(1 - v) * (v - a)", "(1 - v) * (v - 1.05 * a)"),
    "front": ("share * (u - u[-1])", "share * (u - u[-1]) + 1e-9 * (u[1] - u)"),
    "heat": ("rate * u.laplacian()", "1.0001 * rate * u.laplacian()"),
    "shallow_water": ("share / 2 * out", "share / 2.02 * out"),
    "wave": ("laplacian(order=8)", "laplacian(order=6)"),
    "gray_scott": ("feed * (1 - u)", "1.01 * feed * (1 - u)"),
}


@pytest.mark.parametrize(
    "name",
    ["heat", *(pytest.param(name, marks=pytest.mark.slow) for name in MISTAKES if name != "heat")],
)
def test_an_examples_check_can_fail(name: str, tmp_path: Path) -> None:
    text = (EXAMPLES / f"{name}.py").read_text()
    right, wrong = MISTAKES[name]
    assert right in text
    program = tmp_path / f"{name}.py"
    program.write_text(text.replace(right, wrong, 1).replace("run(6000,", "run(60,"))

    ended = started(program, tmp_path)

    assert ended.returncode == 1
    assert "AssertionError" in ended.stderr


def test_gray_scott_with_pictures_is_no_more_than_20_lines() -> None:
    """Of code: neither blank ones, nor comments, nor docstrings."""
    text = (EXAMPLES / "gray_scott.py").read_text()
    tree = ast.parse(text)
    documents = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node)
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    code = [
        line
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#") and number not in documents
    ]

    assert len(code) <= 20


def test_spots_divide_until_they_fill_the_plane() -> None:
    """J. E. Pearson, Science 261 (1993) 189: spots multiply where these are the rates."""
    v = np.pad(np.full((16, 16), 0.25), 40)

    def gray_scott(u, v):  # type: ignore[no-untyped-def]
        reaction = u * v * v
        return {
            "u": u + 0.16 * u.laplacian() - reaction + 0.035 * (1 - u),
            "v": v + 0.08 * v.laplacian() + reaction - 0.1 * v,
        }

    plane = grid(gray_scott, {"u": 1 - 2 * v, "v": v}, boundary="periodic")
    frames = plane.run(6000, frames_steps=2000, threads=1).frames

    spots = [ndimage.label(frame.fields["v"] > 0.2)[1] for frame in frames]
    assert spots == sorted(spots)
    assert spots[0] == 1
    assert spots[-1] > 12
