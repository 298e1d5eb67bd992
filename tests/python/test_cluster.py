# SPDX-License-Identifier: Apache-2.0
"""What the hosts of cluster tests are made with: commands, records, refusals. Makes no hosts."""

import json
import os
import subprocess
import sys
import time

import cluster_record
import netcluster
import pytest
from cluster_entry import NotPermittedError, refuse
from cluster_record import Cluster, ClusterError
from mpi_command import Hydra, Layout, Prrte, launcher_of

HYDRA_VERSION = "HYDRA build details:\n    Version:                                 4.0.2\n"
OPENMPI_VERSION = "mpirun (Open MPI) {}\n\nReport bugs to https://www.open-mpi.org/\n"


@pytest.fixture
def records(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_record, "record_folder", lambda: tmp_path)
    return tmp_path


def cluster_held_by(pid, ticks):
    return Cluster("node", pid, ticks, in_user_namespace=False, hosts={"node1": 5})


def test_layout_counts_the_ranks_of_all_hosts():
    assert Layout(["a", "b", "c"], 2).ranks == 6


def test_hydra_gets_hosts_ranks_and_our_agent():
    words = Hydra("mpiexec").command(Layout(["a", "b"], 2), ["prog", "-x"])

    assert words[0] == "mpiexec"
    assert words[words.index("-hosts") + 1] == "a,b"
    assert words[words.index("-ppn") + 1] == "2"
    assert words[words.index("-n") + 1] == "4"
    assert os.access(words[words.index("-launcher-exec") + 1], os.X_OK)
    assert words[-2:] == ["prog", "-x"]


def test_open_mpi_is_not_bound_and_gets_as_many_slots_as_ranks():
    words = Prrte("mpirun").command(Layout(["a", "b"], 2), ["prog"])

    assert words[words.index("--bind-to") + 1] == "none"
    assert words[words.index("--host") + 1] == "a:2,b:2"
    assert words[words.index("-n") + 1] == "4"


def test_job_that_outlives_losses_is_told_so():
    layout = Layout(["a"], 3, outlives_losses=True)
    hydra = Hydra("mpiexec").command(layout, ["prog", "-x"])

    assert hydra.index("-disable-auto-cleanup") < hydra.index("sh")
    assert hydra[-2:] == ["prog", "-x"]
    assert "ulfm" in Prrte("mpirun").command(layout, ["prog"])


def test_launcher_is_known_by_what_it_says_of_itself():
    assert isinstance(launcher_of("x", HYDRA_VERSION), Hydra)
    assert isinstance(launcher_of("x", OPENMPI_VERSION.format("5.0.11")), Prrte)


@pytest.mark.parametrize("text", [OPENMPI_VERSION.format("4.1.4"), "srun 23.2", ""])
def test_launcher_that_cannot_do_it_is_refused_by_name(text):
    with pytest.raises(ClusterError, match=r"/opt/mpirun says '.*': MPICH's"):
        launcher_of("/opt/mpirun", text)


def test_refusals_of_the_system_are_told_from_our_mistakes():
    assert isinstance(refuse("unshare failed: Operation not permitted"), NotPermittedError)
    assert not isinstance(refuse("ip link add: invalid argument"), NotPermittedError)


def test_words_of_the_program_begin_after_the_first_dashes():
    words = ["launch", "--hosts", "2", "--", "prog", "--", "x"]

    assert netcluster.command_after_dashes(words) == (words[:3], ["prog", "--", "x"])
    assert netcluster.command_after_dashes(["list"]) == (["list"], [])


def test_exit_code_of_a_signalled_child_is_that_of_shells():
    assert netcluster.exit_code_of(-9) == 137
    assert netcluster.exit_code_of(3) == 3


def test_process_is_known_by_its_start_as_well():
    own = cluster_record.start_ticks_of(os.getpid())

    assert cluster_held_by(os.getpid(), own).is_running
    assert not cluster_held_by(os.getpid(), own - 1).is_running


def test_dead_process_that_no_parent_has_reaped_is_gone():
    child = subprocess.Popen([sys.executable, "-c", ""])
    deadline_s = time.monotonic() + 10
    while cluster_record.start_ticks_of(child.pid) is not None:
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    child.wait()


def test_records_of_clusters_that_crashed_are_dropped(records):
    alive = cluster_held_by(os.getpid(), cluster_record.start_ticks_of(os.getpid()))
    cluster_record.write_record(alive)
    crashed = {**json.loads(alive.path.read_text()), "name": "old", "start_ticks": 1}
    (records / "old.json").write_text(json.dumps(crashed))
    (records / "torn.json").write_text('{"name": ')

    assert cluster_record.running_clusters() == [alive]
    assert [path.name for path in records.iterdir()] == ["node.json"]


def test_unknown_host_is_named_with_those_that_are_up(records):
    cluster_record.write_record(
        cluster_held_by(os.getpid(), cluster_record.start_ticks_of(os.getpid()))
    )

    with pytest.raises(ClusterError, match=r"no host 'node9' \(hosts that are up: node1\)"):
        cluster_record.cluster_with("node9")


@pytest.mark.parametrize("words", [["launch", "--hosts", "2"], ["exec", "node1"], ["up", "0"], []])
def test_wrong_use_is_exit_code_two(words, capsys):
    with pytest.raises(SystemExit) as ended:
        netcluster.main(words)

    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err
