# SPDX-License-Identifier: Apache-2.0
# Written by tools/write_stubs.py.
# By nanobind, from the extension.
"""
The makespan engine. Use the package makespan, which checks and explains its inputs.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

def version() -> str: ...
def build_info() -> dict: ...
def gpus() -> dict:
    """Names of the GPUs that CUDA shows; if there are none, why."""

def available_isas() -> list:
    """Instruction sets of this build that this machine has, fastest first."""

def policies() -> list:
    """Chunk policies: name, summary, options and form."""

def methods() -> list:
    """Estimators: name and summary."""

def dispatchers() -> list:
    """How items come to devices: name and summary."""

def span_kinds() -> list:
    """What a span of a timeline can be."""

def modes() -> list:
    """How options are laid on threads: name and summary."""

def option_keys(
    text: Annotated[
        NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    offsets: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> object:
    """64-bit keys of ids: id i is the UTF-8 text[offsets[i]:offsets[i + 1]]."""

def end_job() -> None:
    """After a failure: ends the job's other processes, and this one."""

def loss_in_earlier_job() -> str:
    """
    An image that a job of this process has lost, and why no other job can be had; empty if there is none.
    """

def exit_without_finalize(status: int) -> None:
    """Ends the process at once if its MPI cannot be ended; else returns."""

def leave_threads_at_exit() -> None:
    """
    Ends the process when the interpreter has ended, with its status and without destructors.
    """

def exit_without_finalize_at_exit() -> None:
    """
    Does so when the interpreter has ended, with the status that it ends with, of which what Python calls at its end is told nothing.
    """

class Graph:
    """Objects and what they say to each other."""

    def __init__(self, columns: dict) -> None:
        """
        From kinds, work (objects x kinds, row by row), bytes, place, fixed, from, to, messages, edge_bytes, and of memory footprint, working, block, block_bytes; raises ValueError.
        """

    @property
    def objects(self) -> int: ...

class Places:
    """What runs objects, and what it costs to send."""

    def __init__(self, columns: dict) -> None:
        """
        From kind, speed, domain (by place), node (by domain), latency_s and bandwidth_bytes_s (domain x domain); raises ValueError.
        """

    def with_memories(self, columns: dict) -> Places:
        """
        The same with limits: of (by place: a memory), limit_bytes and used_bytes (by memory); raises ValueError.
        """

    @property
    def count(self) -> int: ...
    @property
    def domains(self) -> int: ...

class PlaceTable:
    """Places with their names, before speeds and nodes are settled."""

    @staticmethod
    def of_machine(machine: Machine, grain: str, gpus: bool) -> PlaceTable:
        """
        One place for each core, NUMA node or package (numa); GPUs are of kind 1.
        """

    @staticmethod
    def equal(count: int) -> PlaceTable: ...
    def repeated(
        self, nodes: int, latency_s: float | None, bandwidth_bytes_s: float | None
    ) -> PlaceTable:
        """So many such nodes, equally far from each other."""

    def on_hosts(
        self, hosts: Sequence[str], latencies: Sequence[float], bandwidths: Sequence[float]
    ) -> PlaceTable:
        """One such node for each host, from tables by image."""

    def with_speeds(self, speeds: Sequence[float]) -> PlaceTable: ...
    def to_places(self) -> Places: ...
    @property
    def labels(self) -> list[str]: ...
    @property
    def domain_labels(self) -> list[str]: ...
    @property
    def latency_source(self) -> str: ...
    @property
    def bandwidth_source(self) -> str: ...
    @property
    def kinds(self) -> list: ...
    @property
    def speeds(self) -> list: ...
    @property
    def domains(self) -> list: ...
    @property
    def nodes(self) -> list: ...

def balancers() -> list:
    """Balancers, the default first: name, summary, options, is_built."""

def balance(graph: Graph, places: Places, balancer: str, options: Mapping[str, float]) -> tuple:
    """Without the GIL: the mapping, and the seconds that the decision took."""

def mapping_quality(
    graph: Graph,
    places: Places,
    mapping: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> dict: ...
def phase_times(
    graph: Graph,
    places: Places,
    mapping: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple:
    """By place [s]: computing, and getting messages."""

def simulate_phases(graph: Graph, places: Places, job: dict) -> dict:
    """
    Phases in virtual time, balanced as `job` says; by phase: columns of what each took.
    """

def phase_lower_bound(graph: Graph, places: Places) -> float:
    """What no mapping can be better than [s]."""

def calcium_unit(settings: dict) -> dict:
    """
    Checks settings (ValueError): names of fields and regions, rest, channels' voxels.
    """

def calcium_regions(settings: dict, begin: Sequence[int], end: Sequence[int]) -> object:
    """The region of each voxel of a box, (z, y, x)."""

def equation_kernel(settings: dict) -> dict:
    """
    Checks a program, and compiles it if it can be: kernel, compiler, halo.
    """

def compilers() -> dict:
    """
    Of updates: of a C++ compiler (`cpu`) and of CUDA's (`gpu`) the `path`, empty where there is none, or what the `trouble` is.
    """

def calcium_network_gain(
    settings: dict,
    network_sr_ca: float,
    begin: Sequence[int],
    ca: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None, None), order="C", device="cpu", writable=False),
    ],
) -> tuple:
    """
    (uM/ms over all voxels, voxels of cytosol): what the network SR gains from the box at `begin` with free calcium `ca`, (z, y, x).
    """

class GridTeam:
    """
    Collective: cores of all images of a job, for grids. But for serve and finish, all is for image 0; all blocks, without the GIL.
    """

    def __init__(self, cores: Sequence[int]) -> None: ...
    @property
    def image(self) -> int: ...
    @property
    def images(self) -> int: ...
    @property
    def threads(self) -> int:
        """Of this image."""

    @property
    def step(self) -> int:
        """Steps made."""

    def open_diffusion(self, settings: dict, options: dict) -> None:
        """Makes the grid of a diffusion; its values are 0."""

    def open_calcium(self, settings: dict, options: dict) -> None:
        """Makes the grid of a calcium release unit."""

    def open_equations(self, settings: dict, options: dict) -> None:
        """Makes the grid of a program; its values are 0."""

    def open_channels(self, settings: dict, channels: Sequence[int]) -> None:
        """These release channels are open from now on, and no others."""

    def set_network_sr(self, ca: float) -> None:
        """Calcium of the network SR from now on [uM]."""

    def start(self) -> None:
        """To what the model begins with."""

    def run(self, steps: int, later: int = 0) -> None:
        """`later` steps will be asked for afterwards."""

    def gather(self, field: int, begin: Sequence[int], end: Sequence[int]) -> object:
        """A field's values in a box, (z, y, x)."""

    def scatter(
        self,
        field: int,
        begin: Sequence[int],
        values: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None, None), order="C", device="cpu", writable=False),
        ],
    ) -> None:
        """Sets a field in the box from `begin` on to values of (z, y, x)."""

    def find_bad_value(self) -> object:
        """
        (field, (x, y, z), value) of the first that is not finite; None where all are.
        """

    def summary(self, field: int, begin: Sequence[int], end: Sequence[int]) -> object:
        """
        (least, most, scale, limbs) of a field in a box: its values add up to the limbs, of which one is 2^27 of the next and the last 2^-80, times 2^-scale.
        """

    def digests(self) -> object:
        """
        Two words for each plane of each field, by field, then z: of all bits of its values.
        """

    def report(self) -> dict:
        """Where the time of each device went."""

    def set_step(self, step: int) -> None:
        """Steps made before."""

    def serve(self) -> None:
        """On the others: until image 0 finishes."""

    def finish(self) -> None:
        """Collective: the end of the job."""

def own_cores() -> list[int]:
    """
    Collective over the job, before a team is made: numbers of this process's cores; under mpiexec of its share of the node's.
    """

class Machine:
    """
    A machine as hwloc knows it; raises NotImplementedError in a build without.
    """

    @staticmethod
    def this_one() -> Machine: ...
    @staticmethod
    def synthetic(description: str) -> Machine:
        """From hwloc's synthetic description; raises ValueError on others."""

    @staticmethod
    def from_xml(text: str, source: str) -> Machine:
        """From the content of a file, named in messages; raises ValueError."""

    @property
    def is_this_one(self) -> bool: ...
    def places(self) -> list:
        """The tree: each place before all that is below it."""

    def matrices(self) -> list:
        """Costs between places, row by row; 0 is unknown."""

    def domains(self) -> object:
        """
        Of its cores, with what messages between them cost, row by row from the sender's; None of a machine without cores.
        """

    def xml(self) -> str:
        """What a file of it holds."""

class MachineMeasurement:
    """Measures this machine in the background."""

    def __init__(self, machine: Machine, seconds: float, *, messages: bool) -> None: ...
    def wait(self, seconds: float) -> bool:
        """
        Blocks, without the GIL, until it is over or the time [s] has passed; whether it is.
        """

    def cancel(self) -> None:
        """Asks for its end; does not wait."""

    def steps(self) -> tuple:
        """Done, and in all."""

    @property
    def sampling(self) -> str:
        """Which cores were taken, if not all."""

    def keep(self) -> None:
        """Once over: the machine has the matrices; raises what it failed with."""

class ImageMeter:
    """Collective: the images of a job, for measurements between them."""

    def __init__(self) -> None: ...
    @property
    def image(self) -> int: ...
    @property
    def images(self) -> int: ...
    def serve(self) -> None:
        """On images other than 0: until image 0 finishes."""

    def finish(self) -> None:
        """Collective: the end of the job."""

class ImageMeasurement:
    """On image 0: measures in the background."""

    def __init__(self, meter: ImageMeter, seconds: float) -> None: ...
    def wait(self, seconds: float) -> bool:
        """
        Blocks, without the GIL, until it is over or the time [s] has passed; whether it is.
        """

    def cancel(self) -> None:
        """Asks for its end; does not wait."""

    def steps(self) -> tuple:
        """Done, and in all."""

    def costs(self) -> dict:
        """Once over; raises what it failed with."""

def melt_system(settings: dict) -> dict:
    """
    Checks settings (ValueError): atoms, box, cells, and the two cells of each compute.
    """

def melt_in_virtual_time(places: Places, settings: dict, options: dict, listener: object) -> dict:
    """
    As MeltTeam.run, on places of kind 0 and in one thread; times are those of the machine.
    """

class MeltTeam:
    """Collective: threads of all images of a job, for melts."""

    def __init__(self, threads: int) -> None: ...
    @property
    def image(self) -> int: ...
    @property
    def images(self) -> int: ...
    @property
    def threads(self) -> int:
        """Of each image."""

    def run(self, settings: dict, options: dict, listener: object) -> dict:
        """
        On image 0: runs a melt; blocks, without the GIL. Calls listener.thermo(line), .frame(step, positions) and .phase(steps), which returns whether to stop.
        """

    def serve(self) -> None:
        """On the others: until image 0 finishes."""

    def finish(self) -> None:
        """Collective: the end of the job."""

def mpi_library() -> object:
    """
    The MPI library that this process uses: abi (mpich, openmpi), library (name and version) and path; None where it has needed none so far.
    """

def find_mpi(launcher: str = "") -> list:
    """
    Which MPI libraries there are, one for each ABI: abi (mpich, openmpi), path, plugin (the file that makespan needs for it) and has_plugin. With the path of a launcher (mpiexec), those that processes which it starts would load. Loads nothing.
    """

def simulate_grid(job: dict) -> dict:
    """Runs a grid in virtual time. ValueError for an invalid job."""

def first_bag(columns: dict, settings: dict) -> dict:
    """
    What a run of this book begins with, all rows for which the paths are given, and of others the first round: columns row, items, and cost, predicted, of an item in path-steps. ValueError as for PricingRun.
    """

def images_launched() -> int:
    """
    Processes of the job that this one was launched as a part of (mpiexec); 1 if it was not.
    """

class PricingTeam:
    """
    Collective: the devices of all images of a job, under one dispatcher. Settings as for PricingRun, the same on all images.
    """

    def __init__(self, settings: dict) -> None: ...
    @property
    def image(self) -> int:
        """Which image this is, from 0."""

    @property
    def images(self) -> int:
        """How many there are."""

    def serve(self) -> None:
        """
        On images other than 0: works for image 0's runs; blocks until that calls finish(). Raises RuntimeError when image 0 is lost.
        """

    def speeds(self) -> dict:
        """
        What this image's workers have shown so far, in path-steps per second, by kind; not during a run.
        """

    def finish(self) -> None:
        """Collective: the end of the job."""

class PricingRun:
    """
    A book on its way: threads price it in the background. Columns and settings as in docs/reference/python.md; raises ValueError if they cannot be priced.
    """

    def __init__(self, book: dict, settings: dict, team: PricingTeam | None = None) -> None: ...
    def wait(self, seconds: float) -> dict:
        """
        Blocks, without the GIL, until the run is done or the time [s] has passed; returns the progress.
        """

    def take_overdue(self) -> list:
        """
        Pieces found overdue since the last call: device, image, row, seconds, predicted_s, lost.
        """

    @property
    def has_left_threads_behind(self) -> bool:
        """Once over: threads may still use the columns, and the run."""

    def take_finished(self) -> object:
        """Rows finished since the last call, in any order."""

    def columns(
        self,
        rows: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> dict:
        """Result columns of these finished rows."""

    def cancel(self) -> None:
        """Asks the threads to stop after the blocks under way; does not wait."""

    def timeline(self) -> dict:
        """
        Once done: spans of what each thread did, as columns; empty unless setting 'timeline' was given. Kinds count in the order of span_kinds().
        """

    def rounds(self) -> list:
        """
        Likewise: the bags that were run, in turn. Each has begin_s and end_s, and as columns, dearest first, row, items, and cost, predicted, of an item in path-steps.
        """

    def speeds(self) -> dict:
        """
        Blocks until the run is done: what the workers of this image have shown, in path-steps per second, by kind; for setting 'speeds' of another run.
        """

    def summary(self) -> dict:
        """Blocks until the run is done; re-raises what a thread raised."""

class ProcessHold:
    """Keeps the MPI of a launched process running between teams."""

    def __init__(self) -> None: ...
    def finish(self) -> None:
        """Collective: ends MPI. exit_without_finalize() must follow."""

class TaskTeam:
    """Collective: threads of all images of a job, under one dispatcher."""

    def __init__(self, settings: dict) -> None: ...
    @property
    def image(self) -> int: ...
    @property
    def images(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def has_left_threads_behind(self) -> bool:
        """
        Once a run is over: threads may still be in the function, and use the run.
        """

    def share(self, message: bytes) -> None:
        """On image 0, after its run: sends it to the workers of the others."""

    def shut_down(self, failure: str) -> None:
        """On image 0: the others' runs end with this failure."""

    def finish(self) -> None:
        """Collective: the end of the team."""

class TaskRun:
    """A bag of calls on its way."""

    def __init__(
        self,
        team: TaskTeam,
        worker: object,
        items: int,
        costs: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None,
        left: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None = None,
    ) -> None:
        """
        Of `items`, on image 0: those that are left to do, in rising order; all by default.
        """

    def wait(self, seconds: float) -> bool:
        """
        Blocks, without the GIL, until it is over or the time [s] has passed; whether it is.
        """

    def cancel(self) -> None:
        """Asks for its end; does not wait."""

    def report(self) -> dict:
        """Once over; raises what it failed with, once."""

    def lost_elsewhere(self) -> list:
        """
        On image 0, once over: items at which threads of other images were lost, one of each.
        """
