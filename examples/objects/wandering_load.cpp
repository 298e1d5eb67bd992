// SPDX-License-Identifier: Apache-2.0
// A ring of cells with grains in them. A cell computes as long as it has grains, and passes some on
// to the next, so the load wanders around the ring, and cells are moved to places with time left.
//
//   ./wandering_load                                 one image, two places
//   mpiexec -n 2 ./wandering_load                    four places on two images
//   ./wandering_load --checkpoint saved              writes saved/phase-25, saved/phase-50 …
//   ./wandering_load --restart-from saved/phase-50   goes on from there
//   ./wandering_load --virtual 8                     in virtual time, on eight equal places
//
// What to notice: the program says nowhere where a cell is, or that it should move; what the last
// line says of cell 0 is the same for any number of images, and whatever moved.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <makespan/graph.hpp>

using makespan::graph::Collection;
using makespan::graph::ObjectPlace;

namespace {

constexpr int cells = 32;
constexpr std::int64_t phases = 100;

struct Cell {
  Collection<Cell> ring{};
  int index{};
  std::int64_t grains{};
  // By phase, even and odd: a neighbour's grains may come before the cell has been told to begin.
  std::int64_t came_even{};
  std::int64_t came_odd{};
  std::int64_t state{1};

  void work(ObjectPlace& here) {
    bool const is_even = here.phase() % 2 == 0;
    grains += std::exchange(is_even ? came_odd : came_even, 0);  // those of the phase before
    for (std::int64_t step = 0; step < 400 * grains; ++step) state = state * 16807 % 2147483647;
    std::int64_t const passed = grains / 8;
    grains -= passed;
    here.send<&Cell::take>(ring, (index + 1) % cells, passed);
  }

  void take(ObjectPlace& here, std::int64_t some) {
    (here.phase() % 2 == 0 ? came_even : came_odd) += some;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(ring.id, ring.first, ring.count, index, grains, came_even, came_odd, state);
  }
};

// All grains are in the first quarter of the ring.
Cell begun(Collection<Cell> ring, int index) {
  return {.ring = ring, .index = index, .grains = index < cells / 4 ? 1500 : 0};
}

makespan::graph::Next print_phase(makespan::graph::PhaseReport const& phase) {
  if (phase.phase % 10 == 0 || phase.moved > 0) {
    std::printf("phase %2lld: longest place/mean %.2f, %lld cells moved before it\n",
                static_cast<long long>(phase.phase), phase.busy_s_longest / phase.busy_s_mean,
                static_cast<long long>(phase.moved));
  }
  return makespan::graph::Next::go_on;
}

// In a world on this machine, or in virtual time.
void run_in(makespan::graph::ObjectHost& world) {
  auto const ring = world.add<Cell>("ring", cells);
  world.run_all({.create =
                     [&](ObjectPlace& here) {
                       for (int index = 0; index < cells; ++index) {
                         if (here.is_in_block(ring, index)) {
                           here.create(ring, index, begun(ring, index));
                         }
                       }
                     },
                 .begin =
                     [&](ObjectPlace& here, std::int64_t) {
                       here.for_each(ring, [&](int index, Cell const&) {
                         here.send<&Cell::work>(ring, index);
                       });
                     },
                 .after = print_phase,
                 .end =
                     [&](ObjectPlace& here) {
                       if (Cell const* const cell = here.find(ring, 0)) {
                         std::printf("cell 0 ends with %lld grains, state %lld\n",
                                     static_cast<long long>(cell->grains),
                                     static_cast<long long>(cell->state));
                       }
                     },
                 .phases = phases});
}

// So many places of one node, between which a message takes a microsecond.
makespan::graph::Places equal_places(int count) {
  return {std::vector<makespan::graph::Place>(static_cast<std::size_t>(count)),
          {{}},
          {.latency_s = {1e-6}, .bandwidth_bytes_s = {1e10}}};
}

int run(int argc, char** argv) {
  makespan::graph::WorldOptions options{.threads = 2};
  int virtual_places = 0;
  for (int at = 1; at + 1 < argc; at += 2) {
    std::string_view const flag = argv[at];
    if (flag == "--checkpoint") options.checkpoint = {.every = 25, .folder = argv[at + 1]};
    if (flag == "--restart-from") options.checkpoint.from = argv[at + 1];
    if (flag == "--virtual") virtual_places = std::atoi(argv[at + 1]);
  }
  makespan::pgas::Runtime runtime({.threads = 2});
  if (virtual_places > 0) {
    makespan::graph::VirtualObjectWorld world(equal_places(virtual_places), options);
    run_in(world);
  } else {
    makespan::graph::ObjectWorld world(runtime, options);
    run_in(world);
  }
  runtime.finish_all();
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  return makespan::pgas::run_job([&] { return run(argc, argv); });
}
