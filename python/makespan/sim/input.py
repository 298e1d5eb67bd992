# SPDX-License-Identifier: Apache-2.0
"""The settings of simulations, and the keys of machine descriptions, each declared once."""

from __future__ import annotations

from makespan.machines.input import MACHINE, PLACE_SETTINGS, SPEEDS
from makespan.settings.algorithm import Algorithm
from makespan.settings.kinds import (
    ABOVE_0,
    COUNT,
    FROM_0,
    FilePath,
    ListOf,
    Number,
    OneOf,
    Switch,
    Text,
    Whole,
)
from makespan.settings.perturbation import Perturbations
from makespan.settings.setting import Setting
from makespan.settings.shared import (
    DISPATCHER,
    FILE,
    GATHER,
    OUTPUT,
    PERTURB,
    POLICY,
    RECORD,
    REPORT,
    SEED,
    THREADS_OF_RUN,
    TRACE,
)

MODES = ("auto", "mt", "mo", "mth")
PROGRESS = ("helper", "network", "hand", "none")
PERTURBATIONS = ("slow", "fail", "kill")
TASKS_DEFAULT = "10000"
PATHS_DEFAULT = 100_000


DELAY_US = Number(least=0.0, most=1e9)
"""Of one thing that happens: many of them are within what the simulator's clock counts."""
PIECE_US = Number(above=0.0, most=1e9)
BANDWIDTH_GB = Number(least=1e-6, most=1e9)

ONE_PERTURBATION = Perturbations(PERTURBATIONS, "DEVICE", "SECONDS")

# --- descriptions of machines, by table

KIND = (
    Setting(
        "threads", COUNT, 1, "that claim for themselves, but in modes mt and mth", section="kind"
    ),
    Setting(
        "speed",
        ABOVE_0,
        help="work per second of all threads, each on tasks of its own",
        section="kind",
        is_required=True,
    ),
    Setting("together", FROM_0, 0.0, "the same of all on one task; 0: as speed", section="kind"),
    Setting("mode", OneOf(MODES), "auto", "how chunks fall on tasks", section="kind"),
    Setting(
        "claim_us",
        DELAY_US,
        0.0,
        "before each chunk, beside what its claim takes on the network",
        section="kind",
    ),
    Setting("launch_us", DELAY_US, 0.0, "before each piece", section="kind"),
    Setting("piece_us", PIECE_US, 500.0, "how long pieces are, about", section="kind"),
    Setting(
        "noise",
        Number(least=0.0, most=10.0),
        0.0,
        "of a chunk's time: standard deviation over mean",
        "kind",
    ),
)
NETWORK = (
    Setting("platform", Text("a path"), help="a SimGrid platform: its routes", section="network"),
    Setting("latency_us", DELAY_US, 1.5, "one way, between nodes", section="network"),
    Setting(
        "bandwidth_gb", BANDWIDTH_GB, 10.0, "of a node's link, 10^9 bytes/s", section="network"
    ),
    Setting("node_latency_us", DELAY_US, 0.2, "one way, between processes of a node", "network"),
    Setting("atomic_us", DELAY_US, 0.05, "of the target, a one-sided operation", section="network"),
    Setting("message_us", DELAY_US, 1.0, "of the called image, a message", section="network"),
    Setting("progress", OneOf(PROGRESS), "helper", "who serves what others ask", "network"),
)
NETWORK_UNITS = {
    "latency_us": ("latency", 1e-6),
    "bandwidth_gb": ("bandwidth", 1e9),
    "node_latency_us": ("node_latency", 1e-6),
    "atomic_us": ("atomic", 1e-6),
    "message_us": ("message", 1e-6),
}
"""Of the numbers of a network, what the engine calls them, and their unit in seconds or bytes."""
RUN = (
    Setting("seed", SEED.kind, 1, "of noise, and of tasks that are made", section="run"),
    Setting(
        "losses_noticed_s",
        Number(least=0.0, most=1e6),
        1.0,
        "after an image has ended",
        section="run",
    ),
    Setting(
        "result_bytes",
        Number(least=0.0, most=1e12),
        0.0,
        "of an item, that go to the first process",
        "run",
    ),
    Setting(
        "knows_speeds",
        Switch(),
        default=False,
        help="true: a bag begins with the speeds that its workers have",
        section="run",
    ),
    Setting(
        "perturb",
        ListOf(ONE_PERTURBATION, what=f"a list of {ONE_PERTURBATION.what}"),
        (),
        "what happens to devices and images, and when",
        section="run",
    ),
)

# --- runs

DESCRIPTION = Setting(
    "description",
    FilePath("the path of a description"),
    help="The machine, in TOML, or a SimGrid platform (.xml), or a grid and its machine (TOML with "
    "a table [grid]); --example and --example-grid show descriptions.",
    is_argument=True,
    only_flag=True,
)
TASKS = Setting(
    "tasks",
    Text("COUNT[:DISTRIBUTION[:SPREAD[:MEAN]]], or the path of a table", "TASKS"),
    help="COUNT[:DISTRIBUTION[:SPREAD[:MEAN]]] of costs: constant, uniform, normal, exponential, "
    f"lognormal; or a table (.csv, .parquet) with a column cost. {TASKS_DEFAULT} by default.",
)
EXAMPLE_GRID = Setting(
    "example_grid",
    Switch(),
    default=False,
    help="Print the description of a grid and its machine.",
    only_flag=True,
)
BAG_SETTINGS = (
    Setting(
        "cost_error",
        Number(least=0.0, most=10.0),
        0.0,
        "How wrong predicted costs are: spread of real over it.",
    ),
    Setting("bag", FILE, help="A book of options, as its pricing would begin."),
    Setting(
        "paths",
        COUNT,
        help=f"Of rows of a book (--bag) that say nothing; {PATHS_DEFAULT} by default.",
    ),
    Setting(
        "replay",
        FILE,
        help="A trace of a run, or of a simulation with tasks of one cost: its bags or steps, "
        "and its machine if none is named.",
    ),
    Setting("write_machine", FILE, help="Write the machine here, as a description to be changed."),
)
"""What is run, besides the tasks."""
WAY_SETTINGS = (
    POLICY.but(
        kind=Algorithm("policies", many=True),
        default=None,
        help="Chunk policies with commas between, or all; options as in name:option=1,other=2. "
        f"{POLICY.default} by default, or the trace's.",
    ),
    DISPATCHER.but(
        kind=Algorithm("dispatchers", many=True),
        default=None,
        help=f"With commas between, or all. {DISPATCHER.default} by default, or the trace's.",
    ),
)
SWEEP = Setting(
    "sweep",
    Text("NAME=V1,V2,..., as latency_us=1,10,100", "NAME=V1,V2,..."),
    help="devices=gpu:0,1,2; nodes, tasks, chunk, latency_us and other numbers of [network], "
    "or an option of the policy; of a grid nodes, and numbers of [grid] and [network].",
)
RUN_SETTINGS = (
    *WAY_SETTINGS,
    PERTURB.but(
        kind=ONE_PERTURBATION,
        help="slow:DEVICE@SECONDS:FACTOR (FACTOR times as long from then on), fail:DEVICE@SECONDS, "
        "kill:IMAGE@SECONDS. Instead of the description's.",
    ),
    SEED.but(default=None, help="Of noise and of made tasks, instead of the description's."),
    SWEEP,
    THREADS_OF_RUN.but(help="Simulations at a time; all cores of this machine by default."),
)
FILE_SETTINGS = (
    OUTPUT.but(help="Write the table of cases here: .csv, .parquet, or .json, as --json has it."),
    RECORD,
    TRACE.but(help="Write the schedule of the first case; ui.perfetto.dev opens it."),
    REPORT.but(help="Write a page: makespans, schedules, sweeps."),
)
_IN_OTHER_WORDS = {
    MACHINE.name: "A machine file of `makespan machine -o`, with a device for each place; this "
    "machine where only other flags of places are given.",
    SPEEDS.name: "Of places, in work per second, as in 1,1,0.25 or 4*1,4*0.25; 1 for each core by "
    "default: what is measured of a machine is memory, not computing.",
}
MACHINE_SETTINGS = tuple(
    one.but(help=_IN_OTHER_WORDS.get(one.name, one.help)) for one in PLACE_SETTINGS
)
"""Of machines that were measured, instead of a description."""
SIMULATE_SETTINGS = (*BAG_SETTINGS, *MACHINE_SETTINGS, *RUN_SETTINGS, *FILE_SETTINGS)
"""All that `makespan simulate` and `makespan.simulate` have in common."""
SPANS = Setting("spans", Whole(0), 0, "So many spans of each schedule are kept: the first ones.")
_BAGS_SWEEP = SWEEP.but(help=SWEEP.help.partition("; of a grid")[0] + ".")
"""`makespan.simulate` has bags alone; grids are `makespan.simulate_grid`'s."""
PYTHON_SETTINGS = (
    *(_BAGS_SWEEP if one is SWEEP else one for one in SIMULATE_SETTINGS),
    *(SPANS, GATHER),
)
