// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/run_job.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "makespan/pgas/job/detail/pmi_finalize.hpp"
#include "makespan/pgas/job/host_name.hpp"
#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/job/mpi_provider.hpp"

namespace makespan::pgas {

namespace {

Launch launch_of_this_process() {
  return detect_launch([](char const* name) { return std::getenv(name); });
}

// The launcher's word for it, since MPI may be what failed.
std::string speaker() {
  Launch const launch = launch_of_this_process();
  std::string const image = launch.image ? std::to_string(*launch.image) : "?";
  return launch.is_launched() ? "image " + image + " on host " + host_name() : "image 0";
}

void print(char const* text) {
  std::fprintf(stderr, "%s: %s\n", speaker().c_str(), text);
  std::fflush(nullptr);  // what the program has printed so far is not lost either
  // A launcher that ends a job does not read on what the processes have written: now it can.
  if (launch_of_this_process().is_launched()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

// A launcher ends a job in which a process dies by a signal; one that leaves before MPI has begun
// is waited for by the others, in MPI_Init, without end.
void end_by_signal() {
  if (!launch_of_this_process().is_launched()) return;
  static_cast<void>(std::signal(SIGTERM, SIG_DFL));
  static_cast<void>(std::raise(SIGTERM));
  ::_exit(EXIT_FAILURE);  // if the signal is blocked
}

constexpr std::chrono::seconds pmi_finalize_limit{2};

}  // namespace

void end_job() {
  // Comes back where MPI has not begun, or the others have given this image up.
  if (MpiBackend* const mpi = mpi_in_use()) mpi->abort_job();
  end_by_signal();
}

void tell_launcher_of_end() {
  pmi_finalize(std::getenv("PMI_FD"), pmi_finalize_limit);
}

void exit_without_finalize(int status) {
  MpiBackend const* const mpi = mpi_in_use();
  if (mpi == nullptr || !mpi->was_left_running()) return;
  std::fflush(nullptr);
  if (status == EXIT_SUCCESS) tell_launcher_of_end();
  ::_exit(status);
}

void exit_without_finalize_now(int status) {
  std::fflush(nullptr);
  ::_exit(status);
}

void end_process(std::string const& why) {
  print(why.c_str());
  exit_without_finalize_now(EXIT_FAILURE);
}

int run_job(std::function<int()> const& body) {
  int status = EXIT_FAILURE;
  try {
    status = body();
  } catch (std::exception const& error) {
    print(error.what());
    end_job();
  } catch (...) {
    print("an exception that is no std::exception");
    end_job();
  }
  exit_without_finalize(status);
  return status;
}

}  // namespace makespan::pgas
