# SPDX-License-Identifier: Apache-2.0
"""Hosts that are really made: separate, entered, ended whatever happens. Skipped where the system
permits no namespaces."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

NETCLUSTER = Path(__file__).parents[1] / "cluster" / "netcluster.py"
SHARED_MEMORY = "/dev/shm"  # noqa: S108 - that of the hosts
LIMIT_S = 30
NOT_PERMITTED = 77
TIME_LIMIT = 124

# Stands for mpirun: says that it is MPICH's, and otherwise runs the program (the last words).
FAKE_MPIRUN = """\
#!/bin/sh
if [ "$1" = --version ]; then echo "HYDRA build details:"; exit; fi
while [ "$1" != -n ]; do shift; done
shift 2
exec "$@"
"""

REFUSING_UNSHARE = """\
#!/bin/sh
echo "unshare: unshare failed: Operation not permitted" >&2
exit 1
"""


def program(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of records of this test's own; with nothing left of its clusters afterwards."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    yield tmp_path
    netcluster("down", "--all-mine")


@pytest.fixture
def mpirun(folder):
    return program(folder / "mpirun", FAKE_MPIRUN)


def netcluster(*words, **options):
    return subprocess.run(
        [sys.executable, NETCLUSTER, *words],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
        **options,
    )


def up(count, *words):
    done = netcluster("up", str(count), *words)
    if done.returncode == NOT_PERMITTED:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def on(host, *command):
    done = netcluster("exec", host, "--", *command)
    assert done.returncode == 0, done.stderr
    return done.stdout


def processes_with(word):
    """The running processes that have this word among their arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if word.encode() in words:
            found.append(int(path.parent.name))
    return found


def wait_until(holds):
    deadline_s = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < deadline_s
        time.sleep(0.02)


def test_hosts_have_names_addresses_and_memory_of_their_own(folder):
    assert up(2) == ["node1", "node2"]

    on("node1", "sh", "-c", f"echo seen > {SHARED_MEMORY}/mark")

    assert on("node2", "hostname") == "node2\n"
    assert on("node1", "ls", SHARED_MEMORY) == "mark\n"
    assert on("node2", "ls", SHARED_MEMORY) == ""
    assert "10.77.0.2" in on("node2", "ip", "-brief", "address", "show", "eth0")
    assert "10.77.0.1" in on("node2", "getent", "hosts", "node1")
    assert on("node2", "ls", "/sys/class/net").split() == ["eth0", "lo"]


def test_hosts_reach_only_each_other(folder):
    up(2)
    server = (
        "import socket\n"
        "listening = socket.create_server(('', 4242))\n"
        "print('ready', flush=True)\n"
        "listening.accept()[0].sendall(b'hello')\n"
    )
    words = [sys.executable, str(NETCLUSTER), "exec", "node1", "--", sys.executable, "-c", server]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as listener:
        assert listener.stdout.readline() == "ready\n"
        ask = 'import socket; print(socket.create_connection(("node1", 4242), 10).recv(9))'

        answer = on("node2", sys.executable, "-c", ask)
        routes = on("node2", "ip", "route")
        assert listener.wait(LIMIT_S) == 0

    assert answer == "b'hello'\n"
    assert "default" not in routes


def test_exit_codes_and_working_directory_pass_through(folder):
    up(1)

    assert netcluster("exec", "node1", "--", "sh", "-c", "exit 7").returncode == 7
    assert netcluster("exec", "node1", "--", "sh", "-c", "kill -9 $$").returncode == 137
    done = netcluster("exec", "node1", "--", "pwd", cwd=folder)
    assert done.stdout.strip() == str(folder)


def test_two_clusters_stand_side_by_side(folder):
    up(1, "--prefix", "left")
    up(2, "--prefix", "right")

    assert on("left1", "hostname") == "left1\n"
    assert netcluster("list").stdout == "left: left1\nright: right1 right2\n"
    assert "is up already" in netcluster("up", "1", "--prefix", "left").stderr
    assert netcluster("down", "--prefix", "left").returncode == 0
    assert netcluster("list").stdout == "right: right1 right2\n"


def test_shape_sets_what_a_host_sends(folder):
    up(1)

    limit = ["tbf", "rate", "200mbit", "burst", "64kb", "latency", "50ms"]
    shaped = netcluster("shape", "node1", *limit)

    if "not supported" in shaped.stderr or "Unknown qdisc" in shaped.stderr:
        pytest.skip("this kernel has no tbf")
    assert shaped.returncode == 0, shaped.stderr
    assert "rate 200Mbit" in on("node1", "tc", "qdisc", "show", "dev", "eth0")


def test_launch_passes_output_and_exit_code_and_leaves_nothing(folder, mpirun):
    launched = ["launch", "--hosts", "2", "--mpirun", str(mpirun), "--"]

    done = netcluster(*launched, "sh", "-c", "hostname; exit 5")

    if done.returncode == NOT_PERMITTED:
        pytest.skip(done.stderr.strip())
    assert (done.stdout, done.returncode) == ("node1\n", 5)
    assert netcluster("list").stdout == ""


def test_launch_ends_everything_at_its_limit(folder, mpirun):
    mark = f"{folder}/limit"
    words = ["launch", "--hosts", "1", "--limit", "1", "--mpirun", str(mpirun), "--"]

    done = netcluster(*words, "sh", "-c", "sleep 100 & sleep 100", mark)

    if done.returncode == NOT_PERMITTED:
        pytest.skip(done.stderr.strip())
    assert done.returncode == TIME_LIMIT
    assert "time limit of 1 s reached" in done.stderr
    wait_until(lambda: processes_with(mark) == [])


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_launch_that_is_ended_takes_its_hosts_along(folder, mpirun, how):
    up(1, "--prefix", "probe")
    mark = f"{folder}/ended"
    words = ["launch", "--hosts", "1", "--mpirun", str(mpirun), "--"]
    script = "echo started; sleep 100; :"
    command = [sys.executable, str(NETCLUSTER), *words, "sh", "-c", script, mark]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launched:
        assert launched.stdout.readline() == "started\n"

        os.kill(launched.pid, how)

        launched.wait(LIMIT_S)
    wait_until(lambda: processes_with(mark) == [])
    assert netcluster("list").stdout == "probe: probe1\n"


@pytest.mark.parametrize("words", [["up", "1"], ["launch", "--hosts", "1", "--", "true"]])
def test_refusal_is_said_plainly_and_has_its_exit_code(folder, mpirun, monkeypatch, words):
    program(folder / "unshare", REFUSING_UNSHARE)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    program(folder / "mpiexec", FAKE_MPIRUN)

    done = netcluster(*words)

    assert done.returncode == NOT_PERMITTED
    assert "namespaces are not permitted here (unshare: unshare failed" in done.stderr
