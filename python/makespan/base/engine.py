# SPDX-License-Identifier: Apache-2.0
"""What the Python layer needs of the compiled engine, and the one place that loads it.

The protocol lets tests hand in an engine of their own; `makespan._core` is the real one. Bags are
simulated by `makespan._simulator`, which needs SimGrid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, cast

from makespan.base.errors import NotConfiguredError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int64s = NDArray[np.int64]
    Columns = Mapping[str, NDArray[Any]]


class RunState(TypedDict):
    """How far a run is; work in path-steps, `work_total` is the present prediction."""

    done: bool
    work_done: float
    work_total: float
    rows_finished: int
    path_steps: int
    elapsed_s: float


class PolicyOption(TypedDict):
    """One number that a chunk policy, or a balancer, understands."""

    name: str
    default: float
    help: str


class BalancerInfo(TypedDict):
    """A balancer of the engine's registry."""

    name: str
    summary: str
    options: list[PolicyOption]


class PolicyInfo(BalancerInfo):
    """A chunk policy of the engine's registry."""

    form: str
    """What a chunk depends on: "closed" (the number of the claim), "memoryless" (what is left),
    "history" (also the claims before it)."""


class NamedInfo(TypedDict):
    """An entry of one of the engine's registries: an estimator, a mode, a dispatcher."""

    name: str
    summary: str


class Run(Protocol):
    """A pricing run in progress; the engine's threads work while Python waits."""

    def wait(self, seconds: float) -> RunState:
        """Blocks until the run ends or `seconds` have passed, without the GIL."""

    def take_finished(self) -> Int64s:
        """Rows finished since the last call, in any order."""

    def take_overdue(self) -> Sequence[Mapping[str, Any]]:
        """Pieces found overdue since the last call."""

    @property
    def has_left_threads_behind(self) -> bool:
        """Once over: whether threads may still use the run."""

    def columns(self, rows: Int64s) -> Columns:
        """Output columns of these finished rows, each of length `len(rows)`."""

    def cancel(self) -> None:
        """Asks the run to end; blocks in progress finish first (milliseconds)."""

    def timeline(self) -> Columns:
        """Once done: spans of what each thread did; empty unless setting `timeline` was given."""

    def rounds(self) -> Sequence[Mapping[str, Any]]:
        """Likewise, the bags that it ran: begin_s, end_s, columns row, items, cost."""

    def speeds(self) -> Mapping[str, float]:
        """Once done: path-steps per second of this image's workers, by kind."""

    def summary(self) -> Mapping[str, Any]:
        """What the run did; raises what the engine failed with."""


class Team(Protocol):
    """The devices of all images of a job."""

    @property
    def image(self) -> int:
        """Which image this is, from 0."""

    @property
    def images(self) -> int:
        """How many there are."""

    def serve(self) -> None:
        """On images other than 0: works until image 0 has finished."""

    def speeds(self) -> Mapping[str, float]:
        """Not during a run: path-steps per second of this image's workers, by kind."""

    def finish(self) -> None:
        """Collective: the end of the job."""


class Engine(Protocol):
    """The compiled module."""

    def version(self) -> str:
        """Version of makespan."""

    def build_info(self) -> Mapping[str, Any]:
        """Commit, compiler, build type, instruction sets; `with`: libraries it was built with."""

    def gpus(self) -> Mapping[str, Any]:
        """`names` of the GPUs that it can use; if none, `why_none`."""

    def compilers(self) -> Mapping[str, Mapping[str, str]]:
        """Of updates, for `cpu` and `gpu`: a `path`, empty where there is none, or `trouble`."""

    def available_isas(self) -> list[str]:
        """Instruction sets that this machine can run, best first."""

    def first_bag(self, columns: Columns, settings: Mapping[str, Any]) -> Columns:
        """What a run of this book begins with: row, items, and cost of an item in path-steps."""

    def policies(self) -> list[PolicyInfo]:
        """Chunk policies."""

    def methods(self) -> list[NamedInfo]:
        """Estimators."""

    def modes(self) -> list[NamedInfo]:
        """How options are laid on the threads of a device."""

    def dispatchers(self) -> list[NamedInfo]:
        """How items come to devices."""

    def span_kinds(self) -> list[str]:
        """What a span of a timeline can be; the numbers in its column `kind` count in these."""

    def option_keys(self, text: NDArray[np.uint8], offsets: Int64s) -> NDArray[np.uint64]:
        """Stable 64-bit hash of each id; text end to end in UTF-8, offsets of shape (n + 1)."""

    def PricingRun(  # noqa: N802
        self, book: Columns, settings: Mapping[str, Any], team: Team | None = None
    ) -> Run:
        """Validates (`ValueError`), starts the threads and returns at once."""

    def PricingTeam(self, settings: Mapping[str, Any]) -> Team:  # noqa: N802
        """Collective: joins the job; validates devices (`ValueError`)."""

    def TaskTeam(self, settings: Mapping[str, Any]) -> Any:  # noqa: N802
        """Collective: threads of all images, for bags of Python calls."""

    def TaskRun(  # noqa: N802
        self,
        team: Any,
        worker: object,
        items: int,
        costs: NDArray[np.float64] | None,
        left: NDArray[np.int64] | None = None,
    ) -> Any:
        """A bag of calls on its way; `left`: the items to do, in rising order, if not all."""

    @property
    def Machine(self) -> Any:  # noqa: N802
        """Class of machines: `this_one()`, `synthetic(description)`, `from_xml(text, source)`."""

    def MachineMeasurement(self, machine: Any, seconds: float, *, messages: bool) -> Any:  # noqa: N802
        """Measures this machine in the background."""

    def ImageMeter(self) -> Any:  # noqa: N802
        """Collective: the images of a job, for measurements between them."""

    def ImageMeasurement(self, meter: Any, seconds: float) -> Any:  # noqa: N802
        """On image 0: measures what lies between images, in the background."""

    def balancers(self) -> list[BalancerInfo]:
        """Balancers of graphs, the default first."""

    def Places(self, columns: Mapping[str, Any]) -> Any:  # noqa: N802
        """What runs objects, and what lies between (`ValueError`)."""

    def Graph(self, columns: Mapping[str, Any]) -> Any:  # noqa: N802
        """Objects and their messages (`ValueError`)."""

    @property
    def PlaceTable(self) -> Any:  # noqa: N802
        """Class of places with names: `of_machine(machine, grain, gpus)`, `equal(count)`."""

    def balance(
        self, graph: Any, places: Any, balancer: str, options: Mapping[str, float]
    ) -> tuple[NDArray[np.int32], float]:
        """The place of each object, and how long the decision took [s] (`ValueError`)."""

    def mapping_quality(
        self, graph: Any, places: Any, mapping: NDArray[np.int32]
    ) -> Mapping[str, Any]:
        """What is predicted of a mapping."""

    def phase_times(
        self, graph: Any, places: Any, mapping: NDArray[np.int32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """By place [s]: computing, and getting messages."""

    def phase_lower_bound(self, graph: Any, places: Any) -> float:
        """What no mapping can be better than [s]."""

    def simulate_phases(self, graph: Any, places: Any, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """Phases in virtual time: total_s, mapping, and columns by phase. Raises ValueError."""

    def melt_system(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Atoms, box, cells, and the cells of each compute (`ValueError`)."""

    def melt_in_virtual_time(
        self, places: Any, settings: Mapping[str, Any], options: Mapping[str, Any], listener: Any
    ) -> Mapping[str, Any]:
        """As MeltTeam.run, in one thread; times are those of the machine. Raises ValueError."""

    def own_cores(self) -> list[int]:
        """Collective, before a team is made: numbers of this process's cores.

        Under mpiexec of its share of the node's.
        """

    def MeltTeam(self, threads: int) -> Any:  # noqa: N802
        """Collective: threads of all images of a job, for melts."""

    def simulate_grid(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """Runs a grid in virtual time (`ValueError`)."""

    def calcium_unit(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Checks settings (`ValueError`): limit of the time step, channels' voxels, rest."""

    def calcium_regions(
        self, settings: Mapping[str, Any], begin: Sequence[int], end: Sequence[int]
    ) -> NDArray[np.uint8]:
        """The region of each voxel of a box, (z, y, x); see `calcium_unit`'s `regions`."""

    def calcium_network_gain(
        self,
        settings: Mapping[str, Any],
        network_sr_ca: float,
        begin: Sequence[int],
        ca: NDArray[np.float64],
    ) -> tuple[float, int]:
        """What the network SR gains from a box [uM/ms over voxels], and voxels of cytosol in it."""

    def GridTeam(self, cores: Sequence[int]) -> Any:  # noqa: N802
        """Collective: cores of all images of a job, for grids."""

    def ProcessHold(self) -> Any:  # noqa: N802
        """Keeps the MPI of a launched process running between teams."""

    def images_launched(self) -> int:
        """Processes of the job that this one was launched as a part of; 1 if it was not."""

    def mpi_library(self) -> Mapping[str, str] | None:
        """The MPI library in use: abi (mpich, openmpi), library (name and version), path."""

    def find_mpi(self, launcher: str = "") -> Sequence[Mapping[str, Any]]:
        """What processes started by `launcher` would load: abi, path, plugin, has_plugin."""

    def end_job(self) -> None:
        """After a failure: ends the job's other processes, and this one; nothing without a job."""

    def loss_in_earlier_job(self) -> str:
        """An image that a job of this process has lost, so that no other can be had; or empty."""

    def exit_without_finalize(self, status: int) -> None:
        """Ends the process at once if MPI cannot be ended; else returns."""

    def leave_threads_at_exit(self) -> None:
        """Ends the process when the interpreter has ended, whatever its threads do."""

    def exit_without_finalize_at_exit(self) -> None:
        """The same when the interpreter has ended, with the status that it ends with."""


class BagSimulator(Protocol):
    """The compiled module that simulates bags, for a process of its own."""

    def simulate_bag(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """Runs a bag in virtual time; once in a process. ValueError for an invalid job."""

    def platform_hosts(self, path: str) -> Sequence[tuple[str, float, int]]:
        """Name, speed of a core and cores of each host of a SimGrid platform; once likewise."""


def load_engine() -> Engine:
    """The compiled engine; raises `NotConfiguredError` when it was not built."""
    try:
        import numpy as np  # noqa: F401 - by the engine, where Ctrl-C would become another error

        from makespan import _core
    except ImportError as error:
        raise NotConfiguredError(
            f"the engine makespan._core is not installed ({error}); "
            "run `make setup` in the repository, or `pip install .`"
        ) from error
    return cast("Engine", _core)


def load_simulator() -> BagSimulator:
    """The simulator of bags; raises `NotConfiguredError` where there is none."""
    try:
        import makespan._simulator as simulator
    except ModuleNotFoundError as error:
        raise NotConfiguredError("SimGrid is not in this build of makespan") from error
    except ImportError as error:
        raise NotConfiguredError(
            f"the simulator makespan._simulator does not load ({error}): install SimGrid, or build "
            "makespan again with the one that is here"
        ) from error
    return cast("BagSimulator", simulator)
