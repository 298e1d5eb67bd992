# SPDX-License-Identifier: Apache-2.0
"""`mpiexec -n K makespan price`: one image reads and writes, all compute, with the same bits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from job_programs import MPIEXEC, needs_mpi
from makespan.base.engine import load_engine
from makespan.base.errors import EngineError, ExitCode
from makespan.cli import app
from makespan.command.exit import failed
from makespan.job.launcher import is_later_image
from makespan.pricing.input import Settings
from makespan.pricing.session import joined_session

from tests.torture.journal_rows import rows_in, wait_for_rows

RUN_S_MAX = 100


BOOK = """id,option_type,S,K,r,sigma,T,N,fixing_grid,paths
a,call,100,100,.05,.2,1,12,exclude_start,300000
b,put,100,90,.05,.4,2,100,exclude_start,200001
c,call,100,120,.01,.3,.5,25,include_start,250000
d,put,100,100,.05,0,1,12,exclude_start,1000
"""


def price(
    folder: Path, images: int, *flags: str, book: str = BOOK
) -> subprocess.CompletedProcess[str]:
    """Runs `makespan price` as so many images; 0 is without a launcher."""
    (folder / "book.csv").write_text(book)
    program = [sys.executable, "-m", "makespan", "price", "book.csv", "--threads", "1", *flags]
    launcher = [str(MPIEXEC), "-n", str(images)] if images else []
    return subprocess.run(
        [*launcher, *program],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )


def result_hash(folder: Path, images: int, *flags: str) -> str:
    """Of the record that such a run writes."""
    return str(record_of(folder, images, *flags)["result_hash"])


def record_of(folder: Path, images: int, *flags: str) -> dict[str, Any]:
    """What such a run writes."""
    output = folder / f"out-{images}.csv"
    ended = price(folder, images, "-o", output.name, *flags)
    assert ended.returncode == 0, ended.stderr
    record: dict[str, Any] = json.loads(output.with_suffix(".record.json").read_text())
    assert record["engine"]["images"] == max(1, images)
    assert pl.read_csv(output).height == 4
    return record


@needs_mpi
def test_images_give_the_same_sensitivities(tmp_path: Path) -> None:
    book = """id,option_type,spot,strike,rate,volatility_curve,heston_v0,heston_kappa,heston_theta,
heston_sigma,heston_rho,expiry,fixings,fixing_grid
a,call,100,100,.05,vol,,,,,,1,12,exclude_start
b,put,100,90,.05,,.04,2,.05,.3,-.7,1,12,exclude_start
""".replace("theta,\n", "theta,")
    curve = "curve,kind,time,value\nvol,forward_volatility,0.5,0.2\nvol,forward_volatility,5,0.25\n"
    (tmp_path / "curves.csv").write_text(curve)
    tables = []
    for images in (0, 2):
        flags = ("--curves", "curves.csv", "--sensitivities", "times", "-o", f"out-{images}.csv")
        ended = price(tmp_path, images, *flags, book=book)
        assert ended.returncode == 0, ended.stderr
        tables.append((tmp_path / f"out-{images}.sensitivities.csv").read_text())

    assert len(tables[0].splitlines()) == 1 + 2 + 5
    assert tables[0] == tables[1]


@needs_mpi
@pytest.mark.parametrize("flags", [(), ("--greeks",), ("--dispatcher", "boss"), ("--policy", "af")])
def test_images_give_the_same_result(tmp_path: Path, flags: tuple[str, ...]) -> None:
    alone = result_hash(tmp_path, 0, *flags)

    for images in (1, 2, 3) if not flags else (2,):
        assert result_hash(tmp_path, images, *flags) == alone


@needs_mpi
@pytest.mark.parametrize("images", [2, 3])
def test_trace_shows_the_threads_of_all_images(tmp_path: Path, images: int) -> None:
    ended = price(tmp_path, images, "--threads", "2", "--trace", "run.json", "--record", "r.json")

    assert ended.returncode == 0, ended.stderr
    record = json.loads((tmp_path / "r.json").read_text())
    events = json.loads((tmp_path / "run.json").read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert len(names) == record["engine"]["threads"] >= images
    assert all(any(f"image {image}" in name for name in names.values()) for image in range(images))
    spans = [e for e in events if e["ph"] == "X"]
    busy = [
        sum(
            e["dur"]
            for e in spans
            if e["tid"] == tid and e["args"]["items"] and e["name"] in {"a", "b", "c", "d"}
        )
        * 1e-6
        for tid in sorted(names)
    ]
    # What each thread says that it computed for is what its spans show; all by one clock.
    for shown, device in zip(by_device(busy, record), record["engine"]["devices"], strict=True):
        assert shown == pytest.approx(device["busy_s"], rel=0.05, abs=2e-3)
    assert min(e["ts"] for e in spans) > -1e4
    assert max(e["ts"] + e["dur"] for e in spans) < (record["wall_s"] + 0.01) * 1e6


def by_device(by_thread: list[float], record: dict[str, Any]) -> list[float]:
    """Sums over the threads of each device."""
    return [
        sum(by_thread[device["first_thread"] : device["first_thread"] + device["threads"]])
        for device in record["engine"]["devices"]
    ]


@needs_mpi
def test_one_image_speaks_for_all(tmp_path: Path) -> None:
    ended = price(tmp_path, 3)

    assert ended.stdout.count("4 options in") == 1
    assert ended.stdout.count("wrote ") == 1
    assert ended.stderr == ""


@needs_mpi
@pytest.mark.parametrize(
    ("flags", "book", "message"),
    [
        (("--bogus",), BOOK, "no such option"),
        (("--policy", "nosuch"), BOOK, "--policy nosuch cannot be used"),
        (("--devices", "cpu[cores=900]"), BOOK, "core 900"),
        ((), BOOK.replace("200001", "-5"), "paths"),
    ],
    ids=["flag", "policy", "device", "book"],
)
def test_what_is_wrong_is_said_once(
    tmp_path: Path, flags: tuple[str, ...], book: str, message: str
) -> None:
    ended = price(tmp_path, 3, *flags, "-o", "out.csv", book=book)

    assert ended.returncode == 2
    assert ended.stderr.count(message) == 1
    assert not (tmp_path / "out.csv").exists()


@needs_mpi
def test_each_image_takes_its_part_of_the_devices(tmp_path: Path) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two cores")
    devices = "cpu[cores=0,isa=one_lane,threads=2] cpu[cores=1,threads=1]"
    # A share is free until a device begins it: the first one is too slow to take both.
    slow = ("--perturb", "slow:0@0:4")
    flags = ("--devices", devices, "--dispatcher", "static", *slow, "-o", "out.csv")
    ended = price(tmp_path, 2, *flags)

    assert ended.returncode == 0, ended.stderr
    engine = json.loads((tmp_path / "out.record.json").read_text())["engine"]
    assert [device["image"] for device in engine["devices"]] == [0, 1]
    assert engine["devices"][0]["isa"] == "one_lane"
    assert engine["devices"][0]["threads"] == 2
    assert all(device["work"] > 0 for device in engine["devices"])


@needs_mpi
def test_every_image_remembers_the_speeds_of_its_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    book = BOOK.replace("300000", "30000000")  # long enough for every worker to show its speed
    devices = ("--devices", "cpu[threads=1] cpu[threads=2,isa=one_lane]")

    def remembered_and_hash() -> tuple[list[bool], str]:
        ended = price(tmp_path, 2, *devices, "-o", "out.csv", book=book)
        # A machine at other work may leave a thread without a core for seconds, which is reported.
        assert ended.returncode == 0, ended.stderr
        record = json.loads((tmp_path / "out.record.json").read_text())
        return [one["remembered"] for one in record["engine"]["devices"]], record["result_hash"]

    unknown, first = remembered_and_hash()
    known, second = remembered_and_hash()
    kept = {path: json.loads(path.read_text()) for path in tmp_path.rglob("speeds/*/*.json")}
    for path, entry in kept.items():
        path.write_text(json.dumps(entry | {"speed": entry["speed"] * 1e6}))
    _, third = remembered_and_hash()

    assert (unknown, known) == ([False, False], [True, True])
    assert first == second == third
    threads = [entry["worker"].split(" on ")[0].partition(", ")[2] for entry in kept.values()]
    assert sorted(threads) == ["1 of 1 thread", "1 of 2 threads"]


@needs_mpi
def test_a_device_that_fails_on_another_image_costs_no_result(tmp_path: Path) -> None:
    alone = result_hash(tmp_path, 0)

    # A share is free until a device begins it: the other one is too slow to end its own before.
    slow = ("--perturb", "slow:0@0:50")
    perturb = ("--dispatcher", "static", *slow, "--perturb", "fail:1@0")
    record = record_of(tmp_path, 2, *perturb)

    assert record["result_hash"] == alone
    assert [device["failed"] for device in record["engine"]["devices"]] == [False, True]
    # Where any device may take anything, too; whether that one comes to its item is not known.
    assert result_hash(tmp_path, 2, "--perturb", "slow:0@0:8", "--perturb", "fail:1@3") == alone


@needs_mpi
@pytest.mark.parametrize("item", [0, pytest.param(100, marks=pytest.mark.slow)])
def test_an_image_that_is_killed_costs_no_result(tmp_path: Path, item: int) -> None:
    alone = result_hash(tmp_path, 0)
    # MPICH's launcher ends everything when a process dies, unless a shell stands between the two
    # that ignores what it sends.
    happens = " ".join(f"--perturb {one}" for one in ("slow:0@0:8", "slow:1@0:8", f"kill:2@{item}"))
    program = f"{sys.executable} -m makespan price book.csv --threads 1 -o out.csv {happens}"
    shell = f"trap '' USR1; {program} || sleep 5"

    ended = subprocess.run(
        [str(MPIEXEC), "-disable-auto-cleanup", "-n", "3", "sh", "-c", shell],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert "4 options in" in ended.stdout, ended.stderr
    record = json.loads((tmp_path / "out.record.json").read_text())
    assert record["result_hash"] == alone
    failed = [device["failed"] for device in record["engine"]["devices"]]
    assert failed == [False, False, True]


@needs_mpi
def test_ctrl_c_ends_all_images_and_keeps_the_journal(tmp_path: Path) -> None:
    rows = [line.rsplit(",", 1)[0] for line in BOOK.splitlines()[1:4]]
    long = "id,option_type,S,K,r,sigma,T,N,fixing_grid,paths\n" + "".join(
        f"{number}{row[1:]},4000000\n" for number, row in enumerate(rows * 200)
    )
    (tmp_path / "book.csv").write_text(long)
    run = subprocess.Popen(
        [
            *(str(MPIEXEC), "-n", "2", sys.executable, "-m", "makespan", "price", "book.csv"),
            *("--threads", "1", "--checkpoint", "book.journal"),
        ],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        seen = wait_for_rows(tmp_path / "book.journal", 3, lambda: run.poll() is not None)
        os.killpg(run.pid, signal.SIGINT)
        _, said = run.communicate(timeout=30)
    finally:
        run.kill()

    # What MPICH's launcher returns after Ctrl-C is its own.
    assert said.count("--restart-from") == 1
    assert "under the same launcher" in said
    kept = rows_in(tmp_path / "book.journal")
    assert 3 <= seen <= kept < 600
    assert f"interrupted after {kept} of 600 options" in said


@needs_mpi
@pytest.mark.parametrize("when", ["before the engine is loaded", "after"])
def test_an_image_that_ctrl_c_ends_before_mpi_has_begun_ends_all(tmp_path: Path, when: str) -> None:
    (tmp_path / "book.csv").write_text(BOOK)
    (tmp_path / "start.py").write_text(
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv[1:] = ['price', 'book.csv']\n"
        "if os.environ['PMI_RANK'] == '0':\n"
        "    from makespan.pricing import command\n"
        "    def interrupted():\n"
        f"        if {when == 'after'}:\n"
        "            sound()\n"
        "        raise KeyboardInterrupt\n"
        "    sound, command.load_engine = command.load_engine, interrupted\n"
        "from makespan.cli import main\n"
        "sys.exit(main())\n"
    )

    ended = subprocess.run(
        [str(MPIEXEC), "-n", "3", sys.executable, "start.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=RUN_S_MAX,
        check=False,
    )

    assert ended.returncode != 0
    assert ended.stderr.count("makespan: interrupted") == 1


def test_what_fails_on_a_later_image_is_said_with_json_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(_: object) -> int:
        return failed(EngineError("image 2: image 0 was lost"), as_json=True)

    monkeypatch.setenv("PMI_RANK", "2")
    monkeypatch.setattr(app, "_run", failing)

    app._run_quietly(["price", "book.csv", "--json"])

    out, err = capsys.readouterr()
    assert (out, err.count("image 2: image 0 was lost")) == ("", 1)


def test_a_process_alone_has_no_team() -> None:
    with joined_session(load_engine(), Settings()) as job:
        assert job.team is None
        assert not job.is_serving


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, False),
        ({"PMI_RANK": "0"}, False),
        ({"PMI_RANK": "2"}, True),
        ({"PMIX_RANK": "x"}, False),
    ],
)
def test_later_images_are_known_by_their_launcher(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], *, expected: bool
) -> None:
    for name in ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert is_later_image() is expected


@pytest.mark.parametrize(("has_begun", "waits"), [(False, [app.GRACE_S]), (True, [])])
def test_a_later_image_lets_the_first_one_speak(
    monkeypatch: pytest.MonkeyPatch, *, has_begun: bool, waits: list[float]
) -> None:
    # Open MPI ends image 0 when another one has ended, said or not.
    waited: list[float] = []
    monkeypatch.setattr(app.time, "sleep", waited.append)
    monkeypatch.setattr(app, "_has_mpi_begun", lambda: has_begun)

    assert app._run_quietly(["price"]) == ExitCode.BAD_INPUT

    assert waited == waits
