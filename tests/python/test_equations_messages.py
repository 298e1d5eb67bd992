# SPDX-License-Identifier: Apache-2.0
"""Goal: what cannot be is refused in one message, which names the line of the user's update."""

from __future__ import annotations

import inspect
import math
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import makespan
from makespan import grid

U = np.ones((6, 5))
HERE = Path(__file__).name


def too_far(u: Any) -> Any:
    return {"u": u + u[0, 5]}


def of_one_axis(u: Any) -> Any:
    return {"u": u[1]}


def between_points(u: Any) -> Any:
    return {"u": u[0.5, 0]}


def asks(u: Any) -> Any:
    return {"u": u if u > 0 else -u}


def adds_up(u: Any) -> Any:
    return {"u": u - np.mean(np.array([u, u]))}


def of_math(u: Any) -> Any:
    return {"u": math.exp(u)}


def of_numpy(u: Any) -> Any:
    return {"u": np.arctan(u)}


def with_array(u: Any) -> Any:
    return {"u": u * np.ones((6, 5))}


def with_text(u: Any) -> Any:
    return {"u": u + "1"}


def with_nan(u: Any) -> Any:
    return {"u": u + math.nan}


def with_complex(u: Any) -> Any:
    return {"u": u * np.complex128(1 + 2j)}


def in_place(u: Any) -> Any:
    np.zeros(3).__iadd__(u)


def by_keyword(u: Any) -> Any:
    return {"u": np.clip(u, a_min=0, a_max=1)}


def no_truth(u: Any) -> Any:
    return {"u": np.where(u, 1.0, 0.0)}


def wrong_axis(u: Any) -> Any:
    return {"u": u.derivative("z")}


def wrong_order(u: Any) -> Any:
    return {"u": u.laplacian(order=3)}


def wrong_times(u: Any) -> Any:
    return {"u": u.derivative("x", times=3)}


@pytest.mark.parametrize(
    ("update", "message"),
    [
        (too_far, "u[0, 5] reads 5 points away (an update reads at most 4 along each axis)"),
        (of_one_axis, "u[1] (a neighbour has one whole number for each axis): give u[dy, dx]"),
        (between_points, "u[0.5, 0] (a neighbour has one whole number for each axis)"),
        (asks, "write numpy.where(condition, a, b)"),
        (adds_up, "numpy.array, numpy.sum and their like take numbers that are known"),
        (of_math, "call numpy's functions, not those of math"),
        (of_numpy, "numpy.arctan cannot be used in an update (known: absolute, add, clip, cos"),
        (with_array, "ndarray is no number"),
        (with_text, "str is no number"),
        (with_complex, "complex128 is no number"),
        (in_place, "numpy.add cannot write into an array here, by out= or as in a += u"),
        (by_keyword, "numpy.clip takes no a_min= in an update: give its arguments by position"),
        (with_nan, "a constant is not a number (nan)"),
        (no_truth, "where() takes a comparison first"),
        (wrong_axis, "axis 'z' is unknown (known: y, x)"),
        (wrong_order, "order 3 is unknown (known: 2, 4, 6, 8)"),
        (wrong_times, "derivative(times=3): the first (1) and the second (2) are known"),
    ],
)
def test_a_line_that_cannot_be_computed(update: Callable[..., Any], message: str) -> None:
    line = inspect.getsourcelines(update)[1] + 1

    with pytest.raises(makespan.InputError) as refused:
        grid(update, {"u": U})

    assert message in str(refused.value)
    assert str(refused.value).startswith(f"{HERE}, line {line}: ")


@pytest.mark.parametrize(
    "path", [f"{Path(makespan.__file__).parent}_demo/wave.py", "/home/somebody/numpy/wave.py"]
)
def test_the_line_is_the_users_wherever_the_file_lies(path: str) -> None:
    known: dict[str, Any] = {}
    exec(compile("\ndef update(u):\n    return {'u': u + 'a'}\n", path, "exec"), known)  # noqa: S102

    with pytest.raises(makespan.InputError, match=r"^wave[.]py, line 3: "):
        grid(known["update"], {"u": U})


def nothing(u: Any) -> Any:
    return None


def other_field(u: Any) -> Any:
    return {"w": u}


def too_many(u: Any) -> Any:
    return u, u


def no_change(u: Any) -> Any:
    return {}


def unknown_name(u: Any, rate: Any) -> Any:
    return {"u": u * rate}


def any_number(*u: Any) -> Any:
    return {"u": u[0]}


def any_names(**u: Any) -> Any:
    return u


def by_position(u: Any, /) -> Any:
    return {"u": u}


@pytest.mark.parametrize(
    ("update", "message"),
    [
        (nothing, "gives nothing (fields: u): return a dict of the fields that change"),
        (other_field, "gives 'w' (fields: u): give new values of fields"),
        (too_many, "gives 2 values (fields: u)"),
        (no_change, "changes nothing: return new values of fields"),
        (unknown_name, "takes rate, which is unknown (fields: u; besides: y, x, step)"),
        (any_number, "takes any number of arguments (*u), and is called by names (fields: u;"),
        (any_names, "takes arguments of any names (**u), and is called by names (fields: u;"),
        (by_position, "takes u by its position only, and is called by names (fields: u;"),
    ],
)
def test_an_update_that_gives_or_takes_what_it_cannot(
    update: Callable[..., Any], message: str
) -> None:
    name = f"{update.__name__} ({HERE}, line {inspect.getsourcelines(update)[1]})"

    with pytest.raises(makespan.InputError) as refused:
        grid(update, {"u": U})

    assert str(refused.value).startswith(f"{name} {message}")


def test_what_is_no_update() -> None:
    with pytest.raises(makespan.InputError, match="int is no update: give a function"):
        grid(3, {"u": U})  # type: ignore[arg-type]


def keep(u: Any) -> Any:
    return {"u": 0.5 * u}


def keep_both(u: Any, v: Any) -> Any:
    return {"u": u, "v": v}


@pytest.mark.parametrize(
    ("fields", "stated", "message"),
    [
        ({}, {}, "fields cannot be used: give a dict"),
        ({"u": U, "v": U.T}, {}, "field v has shape (5, 6), and u (6, 5): give fields of one"),
        ({"u": 1.0}, {}, "field u has shape (): give an array of one to three axes"),
        ({"u": np.ones((2, 0))}, {}, "field u has shape (2, 0)"),
        ({"u": np.ones((1, 1, 1, 1))}, {}, "field u has shape (1, 1, 1, 1)"),
        ({"u": [["a"]]}, {}, "field u holds no numbers"),
        ({"u": [1.0, np.inf]}, {}, "u[1] = inf: give finite numbers"),
        ({"x": U}, {}, "field x: it is the name of a coordinate"),
        ({"u v": U}, {}, "field 'u v': a name is a Python identifier"),
        ({"u": U}, {"parameters": {"u": 1.0}}, "parameter u: it is a field's"),
        ({"u": U}, {"parameters": {"a": "b"}}, "parameter a is no number (could not"),
        ({"u": U}, {"parameters": {"a": np.inf}}, "parameter a = inf: give a finite number"),
        (
            {"u": U},
            {"parameters": {"a": 10**400}},
            "parameter a is no number (one is beyond 1e308)",
        ),
        ({"u": U}, {"spacing": 10**400}, "spacing cannot be used (one is beyond 1e308): give"),
        ({"u": U}, {"spacing": 1e200}, "spacing=1e+200 cannot be used: give numbers from 1e-100"),
        ({"u": U}, {"spacing": 1e-200}, "spacing=1e-200 cannot be used: give numbers from 1e-100"),
        ({"u": U}, {"time_step": 1e308}, "time_step=1e+308 cannot be used: give numbers from"),
        ({"u": U}, {"boundary": 10**400}, "boundary of y = 1000"),
        ({"u": U}, {"boundary": {"x": {"u": 10**400}}}, "boundary of x: u is no number (one is"),
        ({"u": U}, {"parameters": {"a": 1.0}}, "does not ask for it; name an argument after it"),
        ({"u": U}, {"parameters": [1.0]}, "parameters=[1.0] cannot be used: give a dict"),
        ({"u": U}, {"time_step": True}, "time_step=True cannot be used"),
        ({"u": U}, {"spacing": 0}, "spacing=0 cannot be used: give numbers above 0"),
        ({"u": U}, {"spacing": (1, 2, 3)}, "spacing=(1, 2, 3) cannot be used"),
        ({"u": U}, {"time_step": -1}, "time_step=-1 cannot be used: give a number above 0"),
        ({"u": U}, {"boundary": "open"}, "boundary of y = 'open' cannot be used: \"no-flux\""),
        ({"u": U}, {"boundary": {"z": 1.0}}, "boundary of z (axes: y, x): name these"),
        ({"u": U}, {"boundary": {"x": (1, 2, 3)}}, "boundary of x has 3 ends"),
        ({"u": U}, {"boundary": {"x": ("periodic", 0)}}, 'one end is "periodic"): both are'),
        ({"u": U}, {"boundary": {"w": 1.0}}, "boundary of y names 'w' (fields: u)"),
        ({"u": U}, {"boundary": {"x": {"u": U}}}, "u has shape (6, 5) (the face has (6,))"),
        ({"u": U}, {"boundary": {"x": {"u": "b"}}}, "boundary of x: u is no number"),
        ({"u": U}, {"boundary": {"x": {"u": np.nan}}}, "boundary of x: u is not finite"),
    ],
)
def test_a_problem_that_makes_no_sense(
    fields: dict[str, Any], stated: dict[str, Any], message: str
) -> None:
    with pytest.raises(makespan.InputError) as refused:
        grid(keep, fields, **stated)

    assert message in str(refused.value)


def test_a_face_says_something_of_all_fields() -> None:
    with pytest.raises(makespan.InputError, match=r"boundary of x says nothing of v: name all"):
        grid(keep_both, {"u": U, "v": U}, boundary={"x": {"u": 1.0}})


def test_a_periodic_axis_holds_what_is_read() -> None:
    def update(u: Any) -> Any:
        return {"u": u[0, 4]}

    with pytest.raises(makespan.InputError, match=r"3 points along x \(the update reads 4 away"):
        grid(update, {"u": np.ones((6, 3))}, boundary="periodic")
    # Along y it reads none, but a halo has one width.
    with pytest.raises(makespan.InputError, match=r"3 points along y .*is as wide along all"):
        grid(update, {"u": np.ones((3, 6))}, boundary="periodic")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": -1}, "steps=-1 cannot be used: give a whole number of at least 0"),
        ({"steps": True}, "steps=True cannot be used"),
        ({"steps": 1, "kernel": "fast"}, "kernel='fast' cannot be used"),
        ({"steps": 1, "stride": 2}, "keyword 'stride' is unknown"),
        ({"steps": 1, "devices": "gpu"}, "give cpu and cuda with blanks between"),
        (
            {"steps": 1, "devices": "cuda", "kernel": "interpreted"},
            'devices: GPU 0 and kernel="interpreted" (an update is compiled for a GPU): leave one',
        ),
    ],
)
def test_a_run_that_makes_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((makespan.InputError, makespan.NotConfiguredError)) as refused:
        grid(keep, {"u": U}).run(**settings)

    assert message in str(refused.value)


def compiler(folder: Path, text: str) -> str:
    """A program that stands for one."""
    path = folder / "c++"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_compiler_that_fails_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = compiler(tmp_path, "echo 'kernel.cpp:7: no memory left' >&2; exit 1")
    monkeypatch.setenv("MAKESPAN_CXX", program)

    def less(u: Any) -> Any:
        return {"u": 0.123 * u}

    with pytest.raises(makespan.InputError) as refused:
        grid(less, {"u": U}).run(1)

    first, *_ = str(refused.value).splitlines()
    assert f"less ({HERE}, line {inspect.getsourcelines(less)[1]})" in first
    assert f"{program} failed to compile an update" in first
    assert "kernel.cpp:7: no memory left" in str(refused.value)
    assert 'kernel="interpreted"' in str(refused.value)


def test_a_compiler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKESPAN_CXX", "/no/such/c++")

    with pytest.raises(makespan.InputError, match=r"MAKESPAN_CXX=/no/such/c[+][+]"):
        grid(lambda u: {"u": 0.124 * u}, {"u": U}).run(1)


def test_without_a_compiler_an_update_is_interpreted_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAKESPAN_CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.warns(UserWarning, match=r"there is no C[+][+] compiler"):
        after = grid(keep, {"u": U}).run(2)

    assert after is not None
    assert after.kernel == "interpreted"
    assert after.fields["u"].tolist() == (0.25 * U).tolist()
    with pytest.raises(makespan.NotConfiguredError, match=r"no C[+][+] compiler is here"):
        grid(keep, {"u": U}).run(2, kernel="compiled")


def test_what_was_compiled_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = makespan_compiler()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(
        "MAKESPAN_CXX",
        compiler(tmp_path, f'[ "$1" = --version ] || echo >> {tmp_path}/calls; exec {real} "$@"'),
    )

    results = [
        grid(update, {"u": U}, parameters={"a": a}).run(1)
        for a in (1.0, 2.0)
        for update in (lambda u, a: {"u": 0.75 * u + a}, lambda u, a: {"u": a + 0.75 * u})
    ]

    kept = list((tmp_path / "cache" / "makespan" / "kernels").iterdir())
    assert (tmp_path / "calls").read_text() == "\n\n"
    assert len(kept) == 2
    assert [one.kernel for one in results if one is not None] == ["compiled"] * 4


def test_what_others_could_have_written_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    problem = grid(lambda u: {"u": 0.625 * u}, {"u": U})
    problem.run(1)
    (kept,) = (tmp_path / "makespan" / "kernels").iterdir()
    kept.write_text("no library")
    kept.chmod(0o720)

    after = problem.run(1)

    assert after is not None
    assert after.fields["u"].tolist() == (0.625 * U).tolist()
    assert kept.stat().st_mode & 0o022 == 0


def makespan_compiler() -> str:
    """The one that is found."""
    from makespan import _core

    settings = grid(keep, {"u": U})._problem.settings("compiled")
    return str(_core.equation_kernel(settings)["compiler"])
