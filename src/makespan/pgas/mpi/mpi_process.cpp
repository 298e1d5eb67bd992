// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/mpi_process.hpp"

#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/mpi/detail/finalize_watch.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"
#include "makespan/pgas/mpi/mpi_library.hpp"

namespace makespan::pgas {

namespace {

// Facts about the process, as MPI itself is one. Only its end asks for the first two.
std::atomic<bool> left_running{false};
std::atomic<bool> given_up{false};
// A job that could not begin leaves MPI running; the next one owns it.
std::atomic<bool> begun_here{false};
// Jobs that are open; the last one ends MPI.
std::atomic<int> jobs_open{0};

// Of all jobs of this process. Callable from any thread.
class FirstLoss {
 public:
  void note(ImageFailed const& failure) {
    std::scoped_lock const lock(mutex_);
    if (!failure_) failure_ = failure;
  }
  [[nodiscard]] std::optional<ImageFailed> get() const {
    std::scoped_lock const lock(mutex_);
    return failure_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<ImageFailed> failure_;
};

FirstLoss first_loss;

ImageId image_of(Launch const& launch) {
  return launch.image ? ImageId{*launch.image} : ImageId{};
}

std::string level_name(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "level " + std::to_string(level);
  }
}

#if defined(__GLIBC__)
// A process that was forked from it has the handler too, and nothing to say.
std::atomic<pid_t> process_left{0};

void tell_at_exit(int status, void* /*none*/) {
  if (status != EXIT_SUCCESS || process_left != ::getpid()) return;
  try {
    // Where the program has ended MPI itself, that has told the launcher, and its descriptor may be
    // another's by now.
    if (MpiProcess::is_running()) tell_launcher_of_end();
    // NOLINTNEXTLINE(bugprone-empty-catch)
  } catch (...) {
    // The process ends: what MPI does not answer now changes nothing.
  }
}
#endif

// MPICH looks for addresses at which a window can lie in all images, and asks the system about each
// page of each place that it tries: 25,000 calls of each image for 32 MiB. No address of ours need
// be the same. Read by MPI_Init_thread; other MPIs have no such variable.
void leave_addresses_to_system() {
  constexpr int without_overwriting = 0;
  static_cast<void>(::setenv("MPIR_CVAR_SHM_SYMHEAP_RETRY", "0", without_overwriting));
}

bool flag_of(int (*ask)(int*), char const* call, ImageId image) {
  int flag = 0;
  check_mpi(ask(&flag), call, image);
  return flag != 0;
}

// Under the mpiexec of another MPI, each process is a job of its own, and thinks all is well.
void expect_own_launcher(Launch const& launch, ImageId image) {
  int size = 0;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size", image);
  if (!launch.size || *launch.size == size) return;
  // Without --mpi srun takes what its configuration says, which is often none.
  bool const is_srun = launch.launcher.starts_with("srun");
  std::string const own =
      is_srun ? "use srun --mpi=pmi2 with MPICH, srun --mpi=pmix with Open MPI, or the mpiexec of "
              : "use the mpiexec of ";
  throw InputError(
      "launched as one of " + std::to_string(*launch.size) + " processes by " + launch.launcher,
      mpi_library_name() + " sees a job of " + std::to_string(size),
      own + mpi_library_name() +
          ", or name the launcher's libmpi in "
          "MAKESPAN_MPI_LIBRARY (Python) or build with it (other programs)");
}

}  // namespace

MpiProcess::MpiProcess(Launch const& launch) {
  ImageId const image = image_of(launch);
  if (auto const failure = first_loss.get()) throw ImageFailed(*failure);
  if (flag_of(MPI_Finalized, "MPI_Finalized", image)) {
    throw InputError(
        "a second job in one process", "MPI has ended, and cannot begin again",
        "keep one job open for as long as the program needs any, or begin MPI yourself, with "
        "MPI_THREAD_MULTIPLE, and end it yourself");
  }
  int level = MPI_THREAD_SINGLE;
  if (flag_of(MPI_Initialized, "MPI_Initialized", image)) {
    check_mpi(MPI_Query_thread(&level), "MPI_Query_thread", image);
  } else {
    leave_addresses_to_system();
    check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread",
              image);
    begun_here = true;
    // What fails without a communicator of ours is reported on one of these two.
    for (MPI_Comm const communicator : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
      check_mpi(MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler",
                image);
    }
  }
  if (level < MPI_THREAD_MULTIPLE) {
    throw InputError("MPI was begun with " + level_name(level),
                     "several threads of an image call it at the same time",
                     "begin it with MPI_THREAD_MULTIPLE, or let makespan begin it");
  }
  expect_own_launcher(launch, image);
  if (!begun_here) return;
  // Last: for a constructor that throws there is no destructor.
  owner_ = Owner::us;
  ++jobs_open;
}

MpiProcess::~MpiProcess() {
  if (owner_ == Owner::us) --jobs_open;
}

bool MpiProcess::is_running() {
  return flag_of(MPI_Initialized, "MPI_Initialized", ImageId{}) &&
         !flag_of(MPI_Finalized, "MPI_Finalized", ImageId{});
}

void MpiProcess::await_others_all() {
  if (owner_ == Owner::others || jobs_open > 1) return;
  check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier", ImageId{});
}

void MpiProcess::finish_all(bool can_finalize, Seconds limit) {
  if (owner_ == Owner::others) return;
  // The job is counted off here, so not once more by the destructor.
  owner_ = Owner::others;
  if (--jobs_open > 0) return;
  if (!can_finalize) {
    leave_running();
    return;
  }
  std::optional<FinalizeWatch> watch;
  if (std::isfinite(limit.value())) watch.emplace(limit);
  check_mpi(MPI_Finalize(), "MPI_Finalize", ImageId{});
}

void MpiProcess::leave_running() {
  if (left_running.exchange(true)) return;
#if defined(__GLIBC__)
  // Programs in C and Fortran are not written around run_job(). Their own exit goes on, since
  // libraries (that of Fortran) write what they hold later; other C libraries do not tell the
  // status.
  process_left = ::getpid();
  ::on_exit(tell_at_exit, nullptr);
#endif
}

bool MpiProcess::was_left_running() {
  return left_running;
}

void MpiProcess::note_loss(ImageId image, std::string const& why) {
  first_loss.note(ImageFailed(image, why, "another job of this process"));
}

std::string MpiProcess::loss() {
  auto const failure = first_loss.get();
  return failure ? failure->what() : "";
}

void MpiProcess::note_given_up() {
  given_up = true;
}

bool MpiProcess::was_given_up() {
  return given_up;
}

}  // namespace makespan::pgas
