// SPDX-License-Identifier: Apache-2.0
// A job that loses image 1: loss_program killed|stopped|woken|computing. Each survivor prints what
// it knows of image 1, and how it got on; check_loss.cmake reads it. `computing` loses no image.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace {

using namespace makespan;
using namespace makespan::pgas;
using Clock = std::chrono::steady_clock;

constexpr ImageId victim{1};

// Generous: this shows that no image hangs, on a machine with more images than cores.
constexpr std::chrono::seconds limit{5};

template <class Condition>
bool comes_true(Condition condition) {
  auto const end = Clock::now() + limit;
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

pid_t process_of(Job& job, ImageId image) {
  pid_t const mine = ::getpid();
  auto const all = job.exchange_all(std::as_bytes(std::span(&mine, 1)));
  pid_t theirs = 0;
  std::memcpy(&theirs, all[static_cast<std::size_t>(image.value())].data(), sizeof(theirs));
  return theirs;
}

void wait_for_own_loss(Job& job) {
  bool const knows = comes_true([&] { return !job.loss_of(job.image()).empty(); });
  std::printf("image %d was %s\n", 1, knows ? "told that it is lost" : "not told");
}

// A process that is stopped until another lets it go on: then it must hear that it was given up.
int be_stopped(Job& job) {
  ::raise(SIGSTOP);
  wait_for_own_loss(job);
  job.finish_all();
  return EXIT_SUCCESS;
}

// The same, and goes on as if nothing had happened.
int be_woken(Job& job) {
  ::raise(SIGSTOP);
  wait_for_own_loss(job);
  static_cast<void>(job.exchange_all({}));  // throws: its end must not be that of the others
  return EXIT_SUCCESS;
}

// A collective that image 1 will never come to, and the team of the others.
void print_collectives(Job& job, Collectives& team) {
  try {
    static_cast<void>(job.exchange_all({}));
    std::printf("image %d: an exchange without image 1 has ended\n", int(job.image().value()));
  } catch (ImageFailed const& failure) {
    std::printf("image %d: exchange says: %s\n", int(job.image().value()), failure.what());
  }
  try {
    auto const rest = team.shrink_all();
    auto const barrier = rest->barrier();
    bool const is_done = comes_true([&] { return barrier->test(); });
    std::printf("image %d: %zu images %s\n", int(job.image().value()), rest->members().size(),
                is_done ? "go on" : "hang");
  } catch (std::runtime_error const& error) {
    std::printf("image %d: shrink says: %s\n", int(job.image().value()), error.what());
  }
}

int survive(Job& job, Collectives& team, pid_t victims_process, bool is_stopped) {
  auto const begin = Clock::now();
  bool const knows = comes_true([&] { return job.lost_images() > 0; });
  std::chrono::duration<double> const after = Clock::now() - begin;
  std::printf("image %d knows after %.2f s: %s\n", int(job.image().value()), after.count(),
              job.loss_of(victim).c_str());
  if (!knows) return EXIT_FAILURE;
  print_collectives(job, team);
  if (is_stopped) {
    if (job.image() == ImageId{0}) ::kill(victims_process, SIGCONT);
    // Stays in the ring until the other has been told, and has ended.
    comes_true([&] { return ::kill(victims_process, 0) != 0; });
  }
  job.finish_all();
  std::printf("image %d has finished\n", int(job.image().value()));
  return EXIT_SUCCESS;
}

// An image that computes without calling the runtime is not lost.
int compute(Job& job) {
  if (job.image() == victim) {
    auto const end = Clock::now() + std::chrono::seconds(3);
    while (Clock::now() < end) {
    }
  }
  static_cast<void>(job.exchange_all({}));
  std::printf("image %d has lost %d\n", int(job.image().value()), job.lost_images());
  job.finish_all();
  return EXIT_SUCCESS;
}

int run(std::string const& way) {
  auto const job = open_job_all();
  auto const team = job->world_collectives_all();
  pid_t const victims_process = process_of(*job, victim);
  // At once: what an image has not handed on may be gone when the launcher ends the job.
  std::printf("image %d has begun\n", int(job->image().value()));
  std::fflush(stdout);
  if (way == "computing") return compute(*job);
  if (job->image() == victim) {
    // Others allow one that they have never heard of its whole start (HeartbeatTimes::first_limit);
    // and MPICH's launcher breaks down if it still has something to tell a dead one from MPI_Init.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    if (way == "stopped") return be_stopped(*job);
    if (way == "woken") return be_woken(*job);
    ::raise(SIGKILL);
  }
  return survive(*job, *team, victims_process, way != "killed");
}

}  // namespace

int main(int argc, char** argv) {
  return run_job([&] { return run(argc > 1 ? argv[1] : ""); });
}
