# SPDX-License-Identifier: Apache-2.0
"""Settings that commands have in common: one name and one meaning each.

A command takes one with words of its own by `OUTPUT.but(help="...")`; one that it does not have it
lists with the reason (`command/spec.py`).
"""

from __future__ import annotations

from makespan.settings.algorithm import Algorithm
from makespan.settings.kinds import FOLDER, THREADS, FilePath, OneOf, Switch, Text, Whole
from makespan.settings.perturbation import Perturbations
from makespan.settings.setting import Setting

FILE = FilePath()
PROGRESS_WORDS = ("auto", "bar", "lines", "none")
GATHER_WORDS = ("first", "all")

OUTPUT = Setting("output", FILE, short="-o", help="Write the result here.")
REPORT = Setting("report", FILE, help="Write a page of what was found, for a browser.")
TRACE = Setting("trace", FILE, help="Write who did what, when; ui.perfetto.dev opens it.")
RECORD = Setting("record", FILE, help="Write the run record: all that is needed to repeat it.")
JSON = Setting(
    "json",
    Switch(),
    default=False,
    help="One JSON document on stdout instead of the table.",
    only_flag=True,
)
SEED = Setting("seed", Whole(0, 2**63 - 1), default=0, help="Selects the random numbers.")
DEVICES = Setting(
    "devices",
    Text("devices, as in 'cpu[cores=0-3] cpu[cores=4-7]'", "DEVICES"),
    help="What computes, as in 'cpu[cores=0-3] cpu[cores=4-7]'; the whole CPU by default.",
)
THREADS_OF_RUN = Setting(
    "threads",
    THREADS,
    help="Threads of each process; all its cores by default, under mpiexec its share of them.",
)
CHECKPOINT = Setting(
    "checkpoint", FOLDER, help="Keep checkpoints in this folder, the last two, as the run goes."
)
RESTART_FROM = Setting(
    "restart_from", FilePath("the path of a checkpoint"), help="Go on from this checkpoint."
)
PROGRESS = Setting(
    "progress",
    OneOf(PROGRESS_WORDS),
    default="auto",
    help="How far the run is, on stderr: bar, lines (one every ten seconds) or none; auto: a bar "
    "on a terminal.",
    only_flag=True,
)
QUIET = Setting(
    "quiet", Switch(), default=False, short="-q", help="No table, no progress.", only_flag=True
)
EXAMPLE = Setting(
    "example", Switch(), default=False, help="Print an example of the input.", only_flag=True
)
LIST = Setting(
    "list",
    Switch(),
    default=False,
    help="Describe the algorithms that can be named, with their options.",
    only_flag=True,
)

COMMON = (
    *(OUTPUT, REPORT, TRACE, RECORD, JSON, SEED, DEVICES, THREADS_OF_RUN, CHECKPOINT),
    *(RESTART_FROM, PROGRESS, QUIET, EXAMPLE),
)
"""Each command has these, or says why it has not."""

POLICY = Setting(
    "policy",
    Algorithm("policies"),
    default="equal_time",
    help="Chunk policy; options as in name:option=1,other=2.",
)
DISPATCHER = Setting(
    "dispatcher",
    Algorithm("dispatchers"),
    default="steal",
    help="How work comes to devices.",
)
BALANCER = Setting(
    "balancer",
    Algorithm("balancers"),
    default="makespan",
    help="What decides where objects go; options as in name:option=1,other=2.",
)
RUN_MACHINE = Setting(
    "machine",
    FilePath("auto, none or the path of a machine's file", "auto|none|FILE"),
    default="auto",
    help="What messages cost: auto (measured, or kept), none (assumed) or a machine's file.",
)
PERTURB = Setting(
    "perturb",
    Perturbations(),
    is_repeated=True,
    help="slow:WHERE@WHEN:FACTOR, fail:WHERE@WHEN or hang:WHERE@WHEN:SECONDS.",
)
GATHER = Setting(
    "gather",
    OneOf(GATHER_WORDS),
    default="first",
    help="Which images of a job get the result.",
)
