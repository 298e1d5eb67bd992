# SPDX-License-Identifier: Apache-2.0
# Written by tools/write_stubs.py.
"""makespan: machines whose parts run at different speeds finish together.

    import makespan, polars as pl
    out = makespan.price(pl.read_parquet("book.parquet"), std_error=1e-4, greeks=True).table

Names are loaded when they are first used, so that the command line starts without the libraries
that it does not need yet. `__init__.pyi` has their signatures.
"""

from collections.abc import Callable, Mapping, Sequence
from makespan.graph.api import AnyGraph
from makespan.grid.outcome import Line
from makespan.job.progress import OnProgress
from makespan.melting.run import OnLine
from makespan.sim.run import Description, TasksGiven
from makespan.tasks.input import Communicator, Item, Result
from numpy.typing import ArrayLike
from os import PathLike
from typing import Any
from makespan.graph.outcome import BalanceResult as BalanceResult
from makespan.base.errors import BookError as BookError
from makespan.base.errors import BookWarning as BookWarning
from makespan.grid.calcium.outcome import CalciumResult as CalciumResult
from makespan.grid.diffusion.outcome import DiffuseResult as DiffuseResult
from makespan.base.errors import InputError as InputError
from makespan.base.errors import Interrupted as Interrupted
from makespan.base.errors import ItemError as ItemError
from makespan.base.errors import JournalError as JournalError
from makespan.machines.outcome import MachineResult as MachineResult
from makespan.base.errors import MakespanError as MakespanError
from makespan.melting.outcome import MeltResult as MeltResult
from makespan.base.errors import NotConfiguredError as NotConfiguredError
from makespan.graph.outcome import PhasesResult as PhasesResult
from makespan.pricing.outcome import PriceResult as PriceResult
from makespan.job.progress import Progress as Progress
from makespan.sim.outcome import SimulatedBag as SimulatedBag
from makespan.pricing.daycount import year_fraction as year_fraction

__version__: str
__all__: list[str]

def balance(
    graph: AnyGraph,
    *,
    on_progress: OnProgress | None = ...,
    machine: str | PathLike[str] | None = ...,
    synthetic: str | None = ...,
    nodes: int | None = ...,
    network_latency_us: float | None = ...,
    network_bandwidth_gb: float | None = ...,
    places: str | int = ...,
    speeds: object | None = ...,
    phase: int | None = ...,
    balancer: str = ...,
    phases: int | None = ...,
    when: str | int = ...,
    growth: object | None = ...,
    noise: float = ...,
    perturb: Sequence[str] | None = ...,
    seed: int = ...,
    output: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> BalanceResult | Any:
    """
    What balancers would make of a graph on a machine, without running it.

    `graph`: the path of a graph file, a list of paths (vt's, of all ranks), or columns: by object
    `work` (seconds at speed 1) and `place`, and if wanted `bytes` (to move it) and `fixed`; by edge
    `from`, `to` (objects), `messages` (1), `edge_bytes` (0). Files are written where they
    are named.

    Blocks. In a program that mpiexec started: collective, by all its processes; the first decides
    and gets the result, the others None; with `gather="all"` all get it.

    Returns a `BalanceResult`. Raises `InputError`, `NotConfiguredError`; `Interrupted` after
    Ctrl-C, when the balancer that is at it has ended, with what was found by then.

    Keywords, as the command's flags:

    - `machine`: The machine, of `makespan machine -o`; this machine by default.
    - `synthetic`: A machine made up, in hwloc's words: 'package:2 numa:2 core:8 pu:1'.
    - `nodes`: So many of that machine, as one.
    - `network_latency_us` [us]: Of a message from node to node.
    - `network_bandwidth_gb` [10^9 B/s]: From node to node, in 10^9 bytes/s.
    - `places`: What a place is (+gpu: each GPU, too), or so many equal ones: core, numa, package, core+gpu, numa+gpu, package+gpu (default "core").
    - `speeds`: Of places, as in 1,1,0.25 or 4*1,4*0.25; 1 by default.
    - `phase`: Of a dump of vt; the last by default.
    - `balancer`: With commas between, or all; options as in name:option=1,other=2: makespan, gossip, greedy, greedy_comm, greedy_refine, hw_topo, metis, nuco, random, recursive_bisection, refine, rotate, scotch, tree_match, all (default "makespan").
    - `phases`: Play so many phases in virtual time, balanced.
    - `when`: Of phases, when to balance: auto (where it pays), never, or after so many phases: auto, never (default "auto").
    - `growth`: Of phases: 0.01:0.1, a tenth of the objects grow by 1 % a phase.
    - `noise`: Of phases, of loads: deviation over mean (default 0.0).
    - `perturb`: Of phases: slow:3@20:4, from phase 20 on place 3 takes 4 times as long.
    - `seed`: Selects the random numbers of growth and noise (default 0).
    - `output`: Write the mapping with the shortest predicted phase here; .zst packs it.
    - `report`: Write a page: times by place and traffic, before and after.
    - `record`: Write the run record: all that is needed to repeat it.
    - `gather`: Which images of a job get the result: first, all (default "first").
    """

def calcium(
    source: str | PathLike[str] | None = ...,
    *,
    on_line: Callable[[Line], None] | None = ...,
    on_progress: OnProgress | None = ...,
    points: Sequence[int] | None = ...,
    spacing: float | None = ...,
    ends: str | None = ...,
    duration: float | None = ...,
    time_step: float | None = ...,
    layout: str | None = ...,
    ryr_open: Sequence[object] | None = ...,
    gating_ms: float | None = ...,
    seed: int | None = ...,
    lcc_open: Sequence[object] | None = ...,
    currents: Sequence[object] | None = ...,
    ryr_conductance: float | None = ...,
    lcc_current: float | None = ...,
    tubule_radius: float | None = ...,
    cleft_height: float | None = ...,
    jsr_length: float | None = ...,
    jsr_width: float | None = ...,
    jsr_thickness: float | None = ...,
    troponin_radius: float | None = ...,
    ryr_per_side: int | None = ...,
    ryr_pitch: float | None = ...,
    lcc_count: int | None = ...,
    species: str | None = ...,
    ca_diffusion: float | object | None = ...,
    ca_rest: float | object | None = ...,
    atp: Sequence[float] | Sequence[float] | None = ...,
    cmdn: Sequence[float] | Sequence[float] | None = ...,
    trpn: Sequence[float] | Sequence[float] | None = ...,
    fluo: Sequence[float] | Sequence[float] | None = ...,
    csqn: Sequence[float] | Sequence[float] | None = ...,
    sr_ca_diffusion: float | object | None = ...,
    sr_ca_rest: float | object | None = ...,
    t_tubule_ca: float | object | None = ...,
    refill_rate: float | object | None = ...,
    network_sr_ca: float | object | None = ...,
    table_ms: float | None = ...,
    scan_ms: float | None = ...,
    slice_ms: float | None = ...,
    slice_axis: str | None = ...,
    state_ms: float | None = ...,
    checkpoint_ms: float | None = ...,
    fields: bool = ...,
    threads: int | None = ...,
    devices: str | None = ...,
    schedule: str = ...,
    cut: str = ...,
    rebalance_steps: int = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    checkpoint: str | PathLike[str] | None = ...,
    restart_from: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> CalciumResult | Any:
    """
    Computes a calcium spark.

    `source` is an input file (docs/how-to/calcium.md). Its keys are keywords, which take lists and
    arrays and come before what the file says: `calcium(duration=2.0, ryr_open=[[24, 0, 1]])`.
    `on_line` is called with each line of the table, `on_progress` some times a second. Files are
    written where they are named; a folder of `output` gets what the command writes there.

    Blocks. In a program that mpiexec started: collective, by all its processes, which all take
    part and give the same keywords. The first gets the result, the others None; with
    `gather="all"` all get it.

    Raises `InputError`, `NotConfiguredError`; `Interrupted` within a second of Ctrl-C, with what
    was done as its `result`, and a checkpoint in `restart_from` if the run keeps some.

    Keywords, as the command's flags:

    - `points`: Voxels along x, y, z; the T-tubule runs along x (default [176, 136, 136]).
    - `spacing`: Side of a voxel [um] (default 0.015).
    - `ends`: Beyond: "no-flux", "rest" or "periodic" (default "no-flux"): no-flux, rest, periodic.
    - `duration`: [ms], from the beginning (default 30.0).
    - `time_step`: [ms]; up to h^2/(6 D), less beside open channels (default 0.00015).
    - `layout`: "plain": cytosol alone (default "release-unit"): release-unit, plain.
    - `ryr_open`: RyR: [channel, from, to ms] (default [[24, 0.0, 10.0]]).
    - `gating_ms`: RyR open and close by chance, so often drawn; 0: only as said above (default 0.0).
    - `seed`: Of what is drawn (default 0).
    - `lcc_open`: LCC: [channel, from, to ms] (default []).
    - `currents`: Into single voxels: [x, y, z, pA, from, to ms] (default []).
    - `ryr_conductance`: Of an open RyR [um3/ms] (default 0.0007752).
    - `lcc_current`: Of an open LCC [pA] (default 0.1).
    - `tubule_radius`: [um], as all of these (default 0.11).
    - `cleft_height`: Between T-tubule and SR (default 0.015).
    - `jsr_length`: Of the junctional SR, along the tubule (default 0.465).
    - `jsr_width`: Around it (default 0.465).
    - `jsr_thickness`: From its inner face to its outer one (default 0.04).
    - `troponin_radius`: None nearer to the tubule's axis (default 0.2).
    - `ryr_per_side`: Of the square of release channels (default 7).
    - `ryr_pitch`: From one to the next (default 0.031).
    - `lcc_count`: Channels of the tubule, below them (default 7).
    - `species`: A set: "hake", "walker" or "smith" (default "hake"): hake, walker, smith.
    - `ca_diffusion`: In the cytosol [um2/ms] (default "set").
    - `ca_rest`: In the cytosol [uM] (default "set").
    - `atp`: ATP: [total, diffusion, on, off] (default []).
    - `cmdn`: Calmodulin: [total, diffusion, on, off] (default []).
    - `trpn`: Troponin: [total, diffusion, on, off] (default []).
    - `fluo`: The dye: [total, diffusion, on, off] (default []).
    - `csqn`: Calsequestrin, in the SR: [total, diffusion, on, off] (default []).
    - `sr_ca_diffusion`: In the SR [um2/ms] (default "set").
    - `sr_ca_rest`: In the SR [uM] (default "set").
    - `t_tubule_ca`: Kept [uM] (default "set").
    - `refill_rate`: Of the SR [1/ms] (default "set").
    - `network_sr_ca`: From which it is refilled [uM] (default "set").
    - `table_ms`: From one line of the table to the next (default 1.0).
    - `scan_ms`: From one line of the line scan to the next (default 0.5).
    - `slice_ms`: From one picture of a slice to the next (default 5.0).
    - `slice_axis`: Which it is cut across, in the middle (default "z"): x, y, z.
    - `state_ms`: From one file for ParaView to the next (default 0.0).
    - `checkpoint_ms`: With --checkpoint (default 2.0).
    - `fields`: Keep all fields as they are at the end in the result (default false).
    - `threads`: Threads of each process; all its cores by default, under mpiexec its share of them.
    - `devices`: What computes, of each process: each cpu has an equal share of its threads, each cuda is the next GPU, driven by one thread; one cpu by default.
    - `schedule`: overlap: halos travel while devices compute; none: they wait for them: overlap, none (default "overlap").
    - `cut`: How processes divide the grid; auto: slabs for up to 5 of them: auto, slabs, boxes (default "auto").
    - `rebalance_steps`: Steps from one look at devices' speeds to the next; 0: never (default 0).
    - `output`: Folder for the table, pictures, and files for ParaView.
    - `record`: Write the run record: all that is needed to repeat it.
    - `trace`: Write the last phases of each device; ui.perfetto.dev opens it.
    - `report`: Write a page: where devices' time went, their planes, the table as curves.
    - `checkpoint`: Keep checkpoints in this folder, the last two, as the run goes.
    - `restart_from`: Go on from this checkpoint, such as saved/step-2000.vtkhdf.
    - `gather`: Which images of a job get the result: first, all (default "first").
    """

def diffuse(
    values: ArrayLike | str | PathLike[str] | None = ...,
    *,
    on_line: Callable[[Line], None] | None = ...,
    on_progress: OnProgress | None = ...,
    points: Sequence[int] | None = ...,
    spacing: float | Sequence[float] | None = ...,
    x_boundary: object | None = ...,
    y_boundary: object | None = ...,
    z_boundary: object | None = ...,
    diffusion: float | None = ...,
    time_step: float | None = ...,
    steps: int | None = ...,
    steps_at_once: int | None = ...,
    start: str | None = ...,
    height: float | None = ...,
    background: float | None = ...,
    centre: Sequence[float] | Sequence[float] | None = ...,
    width: float | None = ...,
    half_waves: Sequence[int] | None = ...,
    file: object | None = ...,
    table_steps: int | None = ...,
    slice_steps: int | None = ...,
    slice_axis: str | None = ...,
    state_steps: int | None = ...,
    checkpoint_steps: int | None = ...,
    threads: int | None = ...,
    devices: str | None = ...,
    schedule: str = ...,
    cut: str = ...,
    rebalance_steps: int = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    checkpoint: str | PathLike[str] | None = ...,
    restart_from: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> DiffuseResult | Any:
    """
    Diffuses a field.

    `values` is an array of first values, of shape (z, y, x), or the path of an input file
    (docs/how-to/diffuse.md), whose keys are keywords, which come before what it says:
    `diffuse(field, steps=100, diffusion=0.5)`. `on_line` is called with each line of the table,
    `on_progress` some times a second. Files are written where they are named; a folder of `output`
    gets what the command writes there.

    Blocks. In a program that mpiexec started: collective, by all its processes, which all take
    part and give the same keywords; the values are those of the first. It gets the result, the
    others None; with `gather="all"` all get it.

    Raises `InputError`, `NotConfiguredError`; `Interrupted` within a second of Ctrl-C, with what
    was done as its `result`, and a checkpoint in `restart_from` if the run keeps some.

    Keywords, as the command's flags:

    - `points`: Along x, y, z (default [128, 128, 128]).
    - `spacing`: From point to point; three numbers for each axis (default 1.0).
    - `x_boundary`: "no-flux", "periodic" or a value (default ["no-flux", "no-flux"]).
    - `y_boundary`: Likewise (default ["no-flux", "no-flux"]).
    - `z_boundary`: Likewise (default ["no-flux", "no-flux"]).
    - `diffusion`: Constant D, in the units of spacing and time_step (default 1.0).
    - `time_step`: Up to h^2/(6 D) where the three spacings are h (default 0.1).
    - `steps`: In all; those before a checkpoint count (default 1000).
    - `steps_at_once`: For one exchange between devices; 3 is faster where the field is larger than the caches (default 1).
    - `start`: "gaussian", "point", "mode", "uniform", "file" (default "gaussian"): gaussian, point, mode, uniform, file.
    - `height`: Of the peak, the wave, or everywhere (default 1.0).
    - `background`: Added to it (default 0.0).
    - `centre`: Of peak or point, from the domain's corner (default []).
    - `width`: Standard deviation of a gaussian (default 8.0).
    - `half_waves`: Of a mode, by axis (default [1, 1, 1]).
    - `file`: Numpy's .npy of (z, y, x), or a .vtkhdf of ours (default "").
    - `table_steps`: From line to line of the table (default 100).
    - `slice_steps`: From picture to picture of a slice (default 200).
    - `slice_axis`: Which it is cut across, in the middle (default "z"): x, y, z.
    - `state_steps`: From one file for ParaView to the next (default 0).
    - `checkpoint_steps`: With --checkpoint (default 200).
    - `threads`: Threads of each process; all its cores by default, under mpiexec its share of them.
    - `devices`: What computes, of each process: each cpu has an equal share of its threads, each cuda is the next GPU, driven by one thread; one cpu by default.
    - `schedule`: overlap: halos travel while devices compute; none: they wait for them: overlap, none (default "overlap").
    - `cut`: How processes divide the grid; auto: slabs for up to 5 of them: auto, slabs, boxes (default "auto").
    - `rebalance_steps`: Steps from one look at devices' speeds to the next; 0: never (default 0).
    - `output`: Folder for the table, pictures, and files for ParaView.
    - `record`: Write the run record: all that is needed to repeat it.
    - `trace`: Write the last phases of each device; ui.perfetto.dev opens it.
    - `report`: Write a page: where devices' time went, their planes, the table as curves.
    - `checkpoint`: Keep checkpoints in this folder, the last two, as the run goes.
    - `restart_from`: Go on from this checkpoint, such as saved/step-2000.vtkhdf.
    - `gather`: Which images of a job get the result: first, all (default "first").
    """

def machine(
    file: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    *,
    on_progress: OnProgress | None = ...,
    synthetic: str | None = ...,
    measure: bool = ...,
    seconds: float = ...,
    weights: str | None = ...,
    places: str | str | None = ...,
    speeds: object | None = ...,
    output: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> MachineResult | Any:
    """
    What a machine consists of: packages, NUMA nodes, caches, cores, GPUs.

    `file`: a machine file (hwloc's XML), of `makespan.machine(output=...)` or of lstopo; for
    `weights` one or more. Without it, and without `synthetic`, it is this machine, which `measure`
    finds latencies and bandwidths of. Files are written where they are named; `output` gets the
    machine, or the weights.

    Blocks. In a program that mpiexec started: collective, by all its processes, with the same
    arguments; `measure` looks at what lies between them, too. The first gets the result, the others
    None; with `gather="all"` all get it.

    Raises `InputError` for files and settings, `NotConfiguredError` where hwloc is not built in,
    `Interrupted` on Ctrl-C, without a result: what was measured by then is not kept.

    Keywords, as the command's flags:

    - `synthetic`: A machine made up, in hwloc's words: 'package:2 numa:2 core:8 pu:1'.
    - `measure`: Measure latencies and bandwidths of this machine; under mpiexec between images, too (default false).
    - `seconds` [s]: Time for --measure; as long again for images (default 9.0).
    - `weights`: Weights for another program, instead of the tree; --list describes them: metis, scotch, pyfr, openfoam, slurm.
    - `places`: Of --weights, what gets a weight; core by default; with +gpu each GPU, too (needs --speeds): core, numa, package, machine, core+gpu, numa+gpu, package+gpu, machine+gpu.
    - `speeds`: Of --weights, instead of what was measured: 1,1,0.25 or 4*1,4*0.25.
    - `output`: Write the machine here, as hwloc's XML; with --weights the weights.
    - `report`: Write a page: the tree, and heat maps of what was measured.
    - `record`: Write all figures of the machine here, with what measured them, and when.
    - `gather`: Which images of a job get the result: first, all (default "first").
    """

def map(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    costs: ArrayLike | None = ...,
    comm: Communicator | None = ...,
    on_progress: OnProgress | None = ...,
    threads: int | None = ...,
    dispatcher: str = ...,
    policy: str = ...,
    timeout: float | None = ...,
    return_exceptions: bool = ...,
    record: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> list[Result] | Any:
    """
    `[function(item) for item in items]`, worked on by all threads or processes at once.

    In a process of its own: by `threads` threads (default: one for each core), which helps if the
    function releases the GIL. In a program started by `mpiexec -n K`: collective, by all K
    processes with one thread each; all call it with the same function, items, costs and keywords.
    The first gets the results, the others None; with `gather="all"` all get them. There may be one
    `comm` only, the world (mpi4py.MPI.COMM_WORLD); it need not be given. Fast and slow processes
    share the items so that all end together; if a process is killed and the MPI survives that, only
    the results that it had not yet reported are computed again.

    `costs`, of shape (len(items)), predicts what each item takes, in any unit: dear ones then come
    first. Results, and exceptions, travel by pickle. Blocks.

    Raises `ItemError`, on all processes, for what the function raised, with the item's index and
    the exception as its cause; nothing new begins then, and of several the one with the lowest
    index is raised. With `return_exceptions` they stand among the results instead. Raises
    `InputError` for invalid arguments; on Ctrl-C `Interrupted`, when the items under way have
    ended: its `result` has the results that have come, by the index of their item, where a complete
    run would have returned them. An exception of a signal handler comes out then, too; one that
    comes before the items have begun ends a job of several processes, which would wait for this
    one. A second Ctrl-C does not wait for these items: they go on in the background, no other call
    begins before they have ended, and the process ends without them.

    With `timeout` (looked at ten times a second) an item that takes longer is given to another
    thread or process: the function then runs twice on it. The thread that hangs in it gets a
    `BaseException` where it runs Python, and is left behind where it waits elsewhere, to the end of
    the process. `ItemError` with a `TimeoutError` as its cause is raised when a second thread of a
    process hangs in an item, or none is left. Without it the call waits for each item, however
    long. A `RuntimeWarning` tells of an item that has taken ten times its prediction, and five
    seconds at least.

    Keywords, as the command's flags:

    - `threads`: Threads of each process; all its cores by default, under mpiexec one thread.
    - `dispatcher`: How work comes to devices: steal, hierarchical, counter, boss, static (default "steal").
    - `policy`: Chunk policy; options as in name:option=1,other=2: equal_time, af, awf, awf_b, awf_c, awf_d, awf_e, bold, fac2, factoring, fiss, fixed, guided, mfsc, pls, random, self, static, taper, tfss, trapezoid, viss, wf (default "equal_time").
    - `timeout` [s]: Seconds that one item may take; as long as it likes by default.
    - `return_exceptions`: What items raise stands among the results, and the rest goes on (default false).
    - `record`: Write here what ran, as what and where, and how long it took.
    - `gather`: Which images of a job get the results: first, all (default "first").
    """

def melt(
    source: str | PathLike[str] | None = ...,
    *,
    on_line: OnLine | None = ...,
    on_progress: OnProgress | None = ...,
    lattice_cells: Sequence[int] | None = ...,
    density: float | None = ...,
    temperature: float | None = ...,
    seed: int | None = ...,
    cutoff: float | None = ...,
    skin: float | None = ...,
    rebuild_steps: int | None = ...,
    time_step: float | None = ...,
    steps: int | None = ...,
    thermo_steps: int | None = ...,
    frame_steps: int | None = ...,
    cells: Sequence[int] | None = ...,
    phase_steps: int | None = ...,
    checkpoint_phases: int | None = ...,
    first_map: str | None = ...,
    when: str | int | None = ...,
    balancer: str | None = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    checkpoint: str | PathLike[str] | None = ...,
    restart_from: str | PathLike[str] | None = ...,
    threads: int | None = ...,
    gather: str = ...,
) -> MeltResult | Any:
    """
    Runs a melt of Lennard-Jones atoms as objects that move between threads.

    `source` is an input file (docs/how-to/melt.md); the keywords that are keys of it come before
    what it says: `melt(steps=200, lattice_cells=[10, 10, 10], cells=[5, 5, 5])`. `on_line` is
    called with each line of the table, `on_progress` with a `Progress`, as phases end. Files are
    written where they are named.

    Blocks. In a program that mpiexec started: collective, by all its processes, which all take
    part. The first gets the result, the others None; with `gather="all"` all get it.

    Raises `InputError`, `NotConfiguredError`. Ctrl-C ends the run after its phase and raises
    `Interrupted`, with what was done as its `result`, and the checkpoint to go on from; a second
    one interrupts at once.

    Keywords, as the command's flags:

    - `lattice_cells`: Crystal along x, y, z; 4 atoms each (region). [default: the file's, or [20, 20, 20]].
    - `density`: Atoms per sigma^3 (lattice fcc). [default: the file's, or 0.8442].
    - `temperature`: Of the first step (velocity create). [default: the file's, or 1.44].
    - `seed`: Of the velocities. [default: the file's, or 87287].
    - `cutoff`: Pairs from here on have no force (pair_style lj/cut). [default: the file's, or 2.5].
    - `skin`: Lists hold pairs up to cutoff + skin (neighbor). [default: the file's, or 0.3].
    - `rebuild_steps`: Lists are made anew so often (neigh_modify every). [default: the file's, or 20].
    - `time_step`: In units of sigma sqrt(m/epsilon) (timestep). [default: the file's, or 0.005].
    - `steps`: In all (run); those before a checkpoint count. [default: the file's, or 100].
    - `thermo_steps`: From one line of the table to the next (thermo). [default: the file's, or 100].
    - `frame_steps`: From one frame of the output to the next (dump). [default: the file's, or 20].
    - `cells`: The box is cut into so many; each gives 15 objects. [default: the file's, or [5, 5, 5]].
    - `phase_steps`: From one look at loads to the next. [default: the file's, or 20].
    - `checkpoint_phases`: Phases from one checkpoint to the next, where there are some. [default: the file's, or 10].
    - `first_map`: Where objects are at first: block or round-robin. [default: the file's, or block]: block, round-robin.
    - `when`: When objects move: auto (if that pays), never, or after every N phases. [default: the file's, or auto]: auto, never.
    - `balancer`: What decides where objects go (--list); options as in name:option=1. [default: the file's, or makespan]: makespan, gossip, greedy, greedy_comm, greedy_refine, hw_topo, metis, nuco, random, recursive_bisection, refine, rotate, scotch, tree_match.
    - `output`: Write frames here: .xyz (extended XYZ) or .dcd (CHARMM's).
    - `record`: Write the run record: all that is needed to repeat it.
    - `trace`: Write how long phases took, and places in them; ui.perfetto.dev opens it.
    - `report`: Write a page: loads of objects and places, phases.
    - `checkpoint`: Keep checkpoints in this folder, the last two, as the run goes.
    - `restart_from`: Go on from this checkpoint, such as saved/phase-20.
    - `threads`: Places of each process; all its cores by default, under mpiexec its share of them.
    - `gather`: Which images of a job get the result: first, all (default "first").
    """

def price(
    book: object,
    *,
    on_progress: OnProgress | None = ...,
    std_error: float | None = ...,
    paths: int | None = ...,
    method: str = ...,
    greeks: bool = ...,
    fixing_grid: str | None = ...,
    seed: int = ...,
    devices: str | None = ...,
    threads: int | None = ...,
    isa: str = ...,
    policy: str = ...,
    mode: str = ...,
    dispatcher: str = ...,
    timeout: float = ...,
    perturb: Sequence[str] | None = ...,
    memory: bool = ...,
    precision: str = ...,
    rounds: int = ...,
    replicates: int = ...,
    confidence: float = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    checkpoint: str | PathLike[str] | None = ...,
    restart_from: str | PathLike[str] | None = ...,
    skip_invalid: bool = ...,
    units: str = ...,
    gather: str = ...,
) -> PriceResult | Any:
    """
    Prices a book of Asian options on every core of this machine, or of all images of a job.

    `book`: a path (CSV, Parquet, Arrow), a polars or pandas DataFrame, a pyarrow Table, or a dict
    of arrays, with the columns of docs/reference/book-format.md. In pandas and numpy tables NaN
    means "not given".

    Accuracy: `paths` simulated, or `std_error` reached; without either, 1e-4 of each row's spot. A
    row's own `paths` or `std_error` comes first. `memory` begins with the devices' speeds of
    earlier runs, and keeps this run's. A thread that is at one piece of work for `timeout`, and ten
    times its prediction, is taken as lost, and others do its work; a `RuntimeWarning` tells, as of
    one that takes ten times its prediction. Files are written where they are named.

    Blocks. In a program that mpiexec started: collective, by all its processes, which price the
    book once, together; all give the same book and keywords. The first gets the result, the others
    None; with `gather="all"` all get it.

    Returns a `PriceResult`; its table is of the kind that the book was (polars for a path), in its
    row order. pandas tables carry the record as JSON in `attrs`, pyarrow ones in the metadata.

    Raises `BookError` with everything that is wrong with the book, `InputError` for settings,
    `JournalError`, `NotConfiguredError`; `Interrupted` within a second of Ctrl-C, with the journal
    kept.

    Keywords, as the command's flags:

    - `std_error` [price]: Standard error to reach, in price units, for notional 1.
    - `paths`: Simulate this many paths.
    - `method`: Estimator: mc, mc_plain, rqmc (default "mc").
    - `greeks`: Six Greeks with standard errors as well (default false).
    - `fixing_grid`: For rows without their own: exclude_start, include_start.
    - `seed`: Selects the random numbers (default 0).
    - `devices`: What computes, as in 'cpu[cores=0-3,isa=avx2] cpu[cores=4-7]'; the whole CPU by default. Within brackets: cores, isa, threads, mode.
    - `threads`: Threads of each process; all its cores by default, under mpiexec its share of them.
    - `isa`: Instruction set: auto, avx512, avx2, one_lane (default "auto").
    - `policy`: Chunk policy; options as in name:option=1,other=2: equal_time, af, awf, awf_b, awf_c, awf_d, awf_e, bold, fac2, factoring, fiss, fixed, guided, mfsc, pls, random, self, static, taper, tfss, trapezoid, viss, wf (default "equal_time").
    - `mode`: How options are laid on threads: auto, mt, mo, mth (default "auto").
    - `dispatcher`: How work comes to devices: steal, hierarchical, counter, boss, static (default "steal").
    - `timeout` [s]: Seconds at one piece of work after which a thread is taken as lost (default 300.0).
    - `perturb`: For tests: slow:DEVICE@ITEM:FACTOR, fail:DEVICE@ITEM, hang:DEVICE@ITEM:SECONDS.
    - `memory`: false: Neither use nor keep the devices' speeds of other runs (default true).
    - `precision`: Of the paths: auto, single, double (default "auto").
    - `rounds`: Rounds of Philox4x32: 10, 7 (default 10).
    - `replicates`: Scramblings of method rqmc (default 32).
    - `confidence`: Of ci_low and ci_high (default 0.95).
    - `output`: Where the prices go; replaced if there already.
    - `record`: Where the run record goes; beside the prices by default.
    - `trace`: Write who did what, when; ui.perfetto.dev opens it.
    - `report`: Write the schedule as a page: bars by thread, idle time, speeds.
    - `checkpoint`: Keep finished options in this file (the journal) as the run goes.
    - `restart_from`: Price only what this journal lacks, and keep it there.
    - `skip_invalid`: Price the good rows; explain bad ones in 'error' (default false).
    - `units`: desk: vega and rho per 1 %, theta per day: standard, desk (default "standard").
    - `gather`: Which images of a job get the result: first, all (default "first").
    """

def simulate(
    description: Description | None = ...,
    tasks: TasksGiven | None = ...,
    *,
    on_progress: OnProgress | None = ...,
    cost_error: float = ...,
    bag: str | PathLike[str] | None = ...,
    paths: int = ...,
    replay: str | PathLike[str] | None = ...,
    write_machine: str | PathLike[str] | None = ...,
    machine: str | PathLike[str] | None = ...,
    synthetic: str | None = ...,
    nodes: int | None = ...,
    network_latency_us: float | None = ...,
    network_bandwidth_gb: float | None = ...,
    places: str | int = ...,
    speeds: object | None = ...,
    policy: str | None = ...,
    dispatcher: str | None = ...,
    perturb: Sequence[str] | None = ...,
    seed: int | None = ...,
    sweep: str | None = ...,
    threads: int | None = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    spans: int = ...,
    gather: str = ...,
) -> SimulatedBag | Any:
    """
    Runs a bag in virtual time on a machine that one need not have.

    `description` is the path of a description or of a SimGrid platform, or the tables of one as
    TOML has them: `{"kind": {"cpu": {"speed": 1e9}}, "node": [{"devices": ["2 cpu"]}]}`
    (docs/how-to/simulate.md). Without it the machine is that of `machine` and the other keywords of
    places, or the one of the trace that `replay` names.

    `tasks` are costs, one for each; or columns `cost` (of an item), `items` (1) and `factor` (real
    over predicted), each of shape (tasks,); or as the command line has them,
    `"20000:lognormal:0.5"`, or the path of a table; 10000 equal ones by default.

    Several policies, dispatchers (with commas between, or "all") or values of a `sweep` are cases.
    Files are written where they are named.

    Blocks; repeats to the last bit. In a program that mpiexec started: collective, by all its
    processes, of which the first simulates and gets the result, the others None; with
    `gather="all"` all get it.

    Returns a `SimulatedBag`: the first case, the best of the first value, with all others as
    `cases` and `table`.

    Raises `InputError`, `NotConfiguredError` in a build without SimGrid, `EngineError`;
    `Interrupted` within a second of Ctrl-C, whose `result` has the cases that were done.

    Keywords, as the command's flags:

    - `cost_error`: How wrong predicted costs are: spread of real over it (default 0.0).
    - `bag`: A book of options, as its pricing would begin.
    - `paths`: Of rows of a book that say nothing (default 100000).
    - `replay`: A trace of `makespan price`, or of a simulation with tasks of one cost: its bags, and its machine if none is named.
    - `write_machine`: Write the machine here, as a description to be changed.
    - `machine`: A machine file of `makespan machine -o`, with a device for each place; this machine where only other flags of places are given.
    - `synthetic`: A machine made up, in hwloc's words: 'package:2 numa:2 core:8 pu:1'.
    - `nodes`: So many of that machine, as one.
    - `network_latency_us` [us]: Of a message from node to node.
    - `network_bandwidth_gb` [10^9 B/s]: From node to node, in 10^9 bytes/s.
    - `places`: What a place is (+gpu: each GPU, too), or so many equal ones: core, numa, package, core+gpu, numa+gpu, package+gpu (default "core").
    - `speeds`: Of places, in work per second, as in 1,1,0.25 or 4*1,4*0.25; 1 for each core by default, since machine files hold none.
    - `policy`: Chunk policies with commas between, or all; options as in name:option=1,other=2. equal_time by default, or the trace's: equal_time, af, awf, awf_b, awf_c, awf_d, awf_e, bold, fac2, factoring, fiss, fixed, guided, mfsc, pls, random, self, static, taper, tfss, trapezoid, viss, wf, all.
    - `dispatcher`: With commas between, or all. steal by default, or the trace's: steal, hierarchical, counter, boss, static, all.
    - `perturb`: slow:DEVICE@SECONDS:FACTOR (FACTOR times as long from then on), fail:DEVICE@SECONDS, kill:IMAGE@SECONDS. Instead of the description's.
    - `seed`: Of noise and of made tasks, instead of the description's.
    - `sweep`: devices=gpu:0,1,2; nodes, tasks, chunk, latency_us and other numbers of [network], or an option of the policy.
    - `threads`: Simulations at a time; all cores of this machine by default.
    - `output`: Write the table of cases here: .csv, .parquet, or .json, as --json has it.
    - `record`: Write the run record: all that is needed to repeat it.
    - `trace`: Write the schedule of the first case; ui.perfetto.dev opens it.
    - `report`: Write a page: makespans, schedules, sweeps.
    - `spans`: So many spans of each schedule are kept: the first ones (default 0).
    - `gather`: Which images of a job get the result: first, all (default "first").
    """

def simulate_phases(
    graph: AnyGraph,
    places: Mapping[str, ArrayLike],
    *,
    phases: int,
    on_progress: OnProgress | None = ...,
    balancer: str = ...,
    when: str | int = ...,
    growth: object | None = ...,
    noise: float = ...,
    perturb: Sequence[str] | None = ...,
    seed: int = ...,
    record: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> PhasesResult | Any:
    """
    Plays phases of objects on places that need not exist, balanced on the way.

    `graph` as in `makespan.balance`. `places` are columns: by place `speed` and `domain`, by domain
    `node`, and of shape (domains, domains), the sender's first, `latency_s` and
    `bandwidth_bytes_s`.

    A drawn share of the objects grows from phase to phase, as `growth` = (rate, share) says;
    `perturb` is a list, as in ["slow:3@20:4"]. With `when="never"` all stays as it is.

    The phase is that of docs/explanation/graph.md (Pilla et al., ICPADS 2012). Repeats to the last
    bit. Blocks; under mpiexec as `makespan.balance`. Returns a `PhasesResult`; raises `InputError`,
    and `Interrupted` after Ctrl-C, when all phases have been played, with the result.

    Keywords, as the command's flags:

    - `balancer`: Options as in name:option=1,other=2: makespan, gossip, greedy, greedy_comm, greedy_refine, hw_topo, metis, nuco, random, recursive_bisection, refine, rotate, scotch, tree_match (default "makespan").
    - `when`: Of phases, when to balance: auto (where it pays), never, or after so many phases: auto, never (default "auto").
    - `growth`: Of phases: 0.01:0.1, a tenth of the objects grow by 1 % a phase.
    - `noise`: Of phases, of loads: deviation over mean (default 0.0).
    - `perturb`: Of phases: slow:3@20:4, from phase 20 on place 3 takes 4 times as long.
    - `seed`: Selects the random numbers of growth and noise (default 0).
    - `record`: Write the run record: all that is needed to repeat it.
    - `gather`: Which images of a job get the result: first, all (default "first").
    """
