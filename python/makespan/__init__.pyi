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
from makespan.grids.outcome import Line
from makespan.job.progress import OnProgress
from makespan.melting.run import OnLine
from makespan.sim.files.description import Description
from makespan.sim.run import TasksGiven
from makespan.tasks.input import Communicator, Item, Result
from numpy.typing import ArrayLike
from os import PathLike
from typing import Any
from makespan.graph.outcome import BalanceResult as BalanceResult
from makespan.base.errors import BookError as BookError
from makespan.pricing.quantlib import BookRow as BookRow
from makespan.base.errors import BookWarning as BookWarning
from makespan.grids.calcium.outcome import CalciumResult as CalciumResult
from makespan.machines.outcome import CostMatrix as CostMatrix
from makespan.grids.diffusion.outcome import DiffuseResult as DiffuseResult
from makespan.machines.outcome import Domains as Domains
from makespan.base.errors import EngineError as EngineError
from makespan.equations.outcome import Frame as Frame
from makespan.equations.api import Grid as Grid
from makespan.equations.outcome import GridResult as GridResult
from makespan.base.errors import InputError as InputError
from makespan.base.errors import Interrupted as Interrupted
from makespan.base.errors import ItemError as ItemError
from makespan.base.errors import JournalError as JournalError
from makespan.machines.outcome import MachineResult as MachineResult
from makespan.base.errors import MakespanError as MakespanError
from makespan.melting.outcome import MeltResult as MeltResult
from makespan.machines.outcome import Network as Network
from makespan.base.errors import NotConfiguredError as NotConfiguredError
from makespan.graph.outcome import PhasesResult as PhasesResult
from makespan.pricing.outcome import PriceResult as PriceResult
from makespan.job.progress import Progress as Progress
from makespan.sim.outcome import SimulatedBag as SimulatedBag
from makespan.sim.grids.outcome import SimulatedGrid as SimulatedGrid
from makespan.equations.functions import fma as fma
from makespan.pricing.quantlib import from_quantlib as from_quantlib
from makespan.equations.api import grid as grid
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
    memory_gb: float | None = ...,
    memory_of: str = ...,
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
) -> BalanceResult | Any: ...
def calcium(
    values: Mapping[str, ArrayLike] | str | PathLike[str] | None = ...,
    *,
    on_line: Callable[[Line], None] | None = ...,
    on_progress: OnProgress | None = ...,
    points: Sequence[int] | None = ...,
    spacing: float | None = ...,
    boundary: object | None = ...,
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
    serca_total: float | object | None = ...,
    membrane_pump_max: float | object | None = ...,
    exchanger_max: float | object | None = ...,
    membrane_voltage: float | object | None = ...,
    serca: bool | None = ...,
    membrane_pump: bool | None = ...,
    exchanger: bool | None = ...,
    leaks: bool | None = ...,
    network_sr: bool | None = ...,
    network_sr_share: float | None = ...,
    network_sr_ms: float | None = ...,
    table_ms: float | None = ...,
    scan_ms: float | None = ...,
    slice_ms: float | None = ...,
    slice_axis: str | None = ...,
    state_ms: float | None = ...,
    checkpoint_ms: float | None = ...,
    schedule: str | None = ...,
    blocks: int | None = ...,
    block_order: str | None = ...,
    route: str | None = ...,
    cut: str | None = ...,
    host: str | None = ...,
    host_thickness: str | int | Sequence[int] | None = ...,
    device_speeds: str | Sequence[float] | None = ...,
    plane_weights: Sequence[float] | None = ...,
    rebalance_steps: int | None = ...,
    tune: str | None = ...,
    tune_share: float | None = ...,
    fields: bool = ...,
    threads: int | None = ...,
    devices: str | None = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    checkpoint: str | PathLike[str] | None = ...,
    restart_from: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> CalciumResult | Any: ...
def diffuse(
    values: ArrayLike | str | PathLike[str] | None = ...,
    *,
    on_line: Callable[[Line], None] | None = ...,
    on_progress: OnProgress | None = ...,
    points: Sequence[int] | None = ...,
    spacing: float | Sequence[float] | None = ...,
    boundary: object | None = ...,
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
    schedule: str | None = ...,
    blocks: int | None = ...,
    block_order: str | None = ...,
    route: str | None = ...,
    cut: str | None = ...,
    host: str | None = ...,
    host_thickness: str | int | Sequence[int] | None = ...,
    device_speeds: str | Sequence[float] | None = ...,
    plane_weights: Sequence[float] | None = ...,
    rebalance_steps: int | None = ...,
    tune: str | None = ...,
    tune_share: float | None = ...,
    threads: int | None = ...,
    devices: str | None = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    checkpoint: str | PathLike[str] | None = ...,
    restart_from: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> DiffuseResult | Any: ...
def machine(
    file: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    *,
    on_progress: OnProgress | None = ...,
    synthetic: str | None = ...,
    measure: bool = ...,
    seconds: float | None = ...,
    weights: str | None = ...,
    places: str | str | None = ...,
    speeds: object | None = ...,
    output: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> MachineResult | Any: ...
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
    checkpoint: str | PathLike[str] | None = ...,
    restart_from: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> list[Result] | Any: ...
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
    machine: str | PathLike[str] | None = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    report: str | PathLike[str] | None = ...,
    checkpoint: str | PathLike[str] | None = ...,
    restart_from: str | PathLike[str] | None = ...,
    threads: int | None = ...,
    virtual: bool = ...,
    synthetic: str | None = ...,
    nodes: int | None = ...,
    network_latency_us: float | None = ...,
    network_bandwidth_gb: float | None = ...,
    places: str | int | None = ...,
    speeds: object | None = ...,
    gather: str = ...,
) -> MeltResult | Any: ...
def price(
    book: object,
    *,
    curves: object = ...,
    baskets: object = ...,
    correlations: object = ...,
    surfaces: object = ...,
    on_progress: OnProgress | None = ...,
    std_error: float | None = ...,
    paths: int | None = ...,
    method: str = ...,
    greeks: bool = ...,
    sensitivities: str | None = ...,
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
) -> PriceResult | Any: ...
def simulate(
    description: Description | None = ...,
    tasks: TasksGiven | None = ...,
    *,
    on_progress: OnProgress | None = ...,
    cost_error: float = ...,
    bag: str | PathLike[str] | None = ...,
    paths: int | None = ...,
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
) -> SimulatedBag | Any: ...
def simulate_grid(
    description: Description,
    *,
    on_progress: OnProgress | None = ...,
    perturb: Sequence[str] | None = ...,
    sweep: str | None = ...,
    output: str | PathLike[str] | None = ...,
    record: str | PathLike[str] | None = ...,
    trace: str | PathLike[str] | None = ...,
    gather: str = ...,
) -> SimulatedGrid | Any: ...
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
) -> PhasesResult | Any: ...
