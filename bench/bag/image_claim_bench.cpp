// SPDX-License-Identifier: Apache-2.0
// What a claim costs where several images claim from one bag: items that do nothing, items of 100
// µs, and beside it the usual way to claim with MPI: lock, get, fetch_and_op, unlock.
//
//   mpiexec -n 2 image_claim_bench --items 2000000 --spins 10000 --spin-us 100 --claims 20000
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>
#include <utility>

#include "bench/runtime/arguments.hpp"
#include "makespan/bag/image/image_team.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace {

using namespace makespan;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Spins for a time, or does nothing.
class Spinner final : public bag::DistributedItemRunner, public bag::ImageService {
 public:
  Spinner(std::int64_t items, double seconds) : items_{items}, seconds_{seconds} {}

  void run(int, TaskId, std::int64_t begin, std::int64_t end) override {
    for (std::int64_t item = begin; item < end && seconds_ > 0; ++item) {
      auto const start = Clock::now();
      while (seconds_since(start) < seconds_) continue;
    }
  }
  void pack(int, std::vector<std::byte>&) override {}
  void unpack(std::span<std::byte const>) override {}
  void receive(std::span<std::byte const>) override {}
  bag::Bag begin(std::span<std::byte const>) override {
    return bag::Bag({{TaskId{0}, items_, Work{1.0}}});
  }
  bag::DistributedItemRunner& runner() override { return *this; }

 private:
  std::int64_t items_;
  double seconds_;
};

// One thread for each image; image 0 prints. The ideal of items that spin is what they spin.
void measure(char const* contestant, std::string const& policy, std::int64_t items,
             double item_seconds) {
  bag::ImageTeam team({.devices = {{.threads = 1}}, .policy = policy});
  Spinner spinner(items, item_seconds);
  if (team.image() == 0) {
    bag::Bag const bag = spinner.begin({});
    for (int round = 0; round < 3; ++round) {
      auto const begin = Clock::now();
      bag::JobReport const report = team.run(bag, spinner, {}, {});
      double const taken = seconds_since(begin);
      double const ideal = item_seconds * static_cast<double>(items) / team.images();
      std::printf(
          "{\"contestant\": \"%s\", \"round\": %d, \"items_per_s\": %.6g, \"share\": %.5f, "
          "\"claims\": %lld}\n",
          contestant, round, static_cast<double>(items) / taken, ideal / taken,
          static_cast<long long>(report.together.claims));
    }
  } else {
    team.serve(spinner);
  }
  team.finish_all();
}

// The same items divided beforehand, in a plain loop: what this machine achieves without a
// dispatcher.
void measure_plain(std::int64_t items, double item_seconds) {
  int rank = 0;
  int images = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &images);
  Spinner spinner(items, item_seconds);
  for (int round = 0; round < 3; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    auto const begin = Clock::now();
    spinner.run(0, TaskId{0}, 0, items / images);
    MPI_Barrier(MPI_COMM_WORLD);
    double const taken = seconds_since(begin);
    double const ideal = item_seconds * static_cast<double>(items / images);
    if (rank == 0) {
      std::printf(
          "{\"contestant\": \"items of 100 us, plain loops\", \"round\": %d, \"share\": %.5f}\n",
          round, ideal / taken);
    }
  }
}

// V. Cardellini and others lock a coarray; SLB4MPI locks a window for each claim of its guided
// schedule: exclusive lock, get of what is left, fetch_and_op, unlock.
void measure_locks(int claims) {
  int rank = 0;
  int images = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &images);
  std::int64_t* words = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(2 * sizeof *words, sizeof *words, MPI_INFO_NULL, MPI_COMM_WORLD, &words,
                   &window);
  for (int round = 0; round < 3; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    auto const begin = Clock::now();
    for (int claim = 0; claim < claims; ++claim) {
      std::int64_t left = 0;
      std::int64_t const one = 1;
      std::int64_t before = 0;
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
      MPI_Get(&left, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, window);
      MPI_Win_flush(0, window);
      MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, 0, MPI_SUM, window);
      MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      std::printf(
          "{\"contestant\": \"lock, get, fetch_and_op, unlock\", \"round\": %d, "
          "\"items_per_s\": %.6g}\n",
          round, claims * static_cast<double>(images) / seconds_since(begin));
    }
  }
  MPI_Win_free(&window);
}

int measure_all(bench::Arguments const& arguments) {
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
  auto const spin_s = arguments.number("spin-us") * 1e-6;
  measure("empty items, one for each claim", "self", arguments.integer("items"), 0.0);
  measure("empty items, equal_time", "equal_time", arguments.integer("items"), 0.0);
  measure("items of 100 us, one for each claim", "self", arguments.integer("spins"), spin_s);
  measure("items of 100 us, equal_time", "equal_time", arguments.integer("spins"), spin_s);
  measure_plain(arguments.integer("spins"), spin_s);
  measure_locks(arguments.integer("claims"));
  MPI_Finalize();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return makespan::pgas::run_job(
      [&] { return measure_all(makespan::bench::Arguments(argc, argv)); });
}
