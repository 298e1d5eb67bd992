// SPDX-License-Identifier: Apache-2.0
// A rod cut into blocks that tell their neighbours the temperature of their ends, step by step.
// Some blocks compute longer than others, so they are moved to where there is time.
//
//   ./heat_rod                     one image, two places
//   mpiexec -n 2 ./heat_rod        four places on two images
//
// What to notice: a block calls its neighbours by index, wherever they are; a phase is over when no
// message is left; the heat is the same to the last bit for any number of images.
#include <array>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/vector.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include <makespan/graph.hpp>

using makespan::graph::Collection;
using makespan::graph::ObjectPlace;

namespace {

constexpr int blocks = 24;
constexpr std::int64_t steps_each = 60;  // of a phase

struct Block {
  Collection<Block> rod{};
  int index{};
  std::int64_t step{0};
  std::int64_t last{0};                                  // of this phase
  std::vector<double> heat{};                            // by cell
  std::array<std::map<std::int64_t, double>, 2> ends{};  // from the left and the right, by step

  // A phase begins.
  void go_on(ObjectPlace& here, std::int64_t steps) {
    last = step + steps;
    tell_ends(here);
    advance(here);
  }

  // A message says of which step it is: a later one may overtake it where objects have moved.
  void hear(ObjectPlace& here, int side, std::int64_t of_step, double temperature) {
    ends[static_cast<std::size_t>(side)].emplace(of_step, temperature);
    advance(here);
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(rod.id, rod.first, rod.count, index, step, last, heat, ends);
  }

 private:
  // A ring of blocks, so that no heat is lost.
  void tell_ends(ObjectPlace& here) {
    if (step == last) return;
    here.send<&Block::hear>(rod, (index + 1) % blocks, 0, step, heat.back());
    here.send<&Block::hear>(rod, (index + blocks - 1) % blocks, 1, step, heat.front());
  }

  // A neighbour is at most a step ahead, so a side holds what two steps need at most.
  void advance(ObjectPlace& here) {
    while (step < last && ends[0].contains(step) && ends[1].contains(step)) {
      double const from_left = ends[0].at(step);
      double const from_right = ends[1].at(step);
      std::vector<double> const before = heat;
      // The first blocks are finer inside: they take eight times as long for the same step.
      int const work = index < blocks / 4 ? 400 : 50;
      for (int round = 0; round < work; ++round) {
        for (std::size_t cell = 0; cell < heat.size(); ++cell) {
          double const left = cell == 0 ? from_left : before[cell - 1];
          double const right = cell + 1 == heat.size() ? from_right : before[cell + 1];
          heat[cell] = before[cell] + 0.25 * (left - 2.0 * before[cell] + right);
        }
      }
      for (auto& side : ends) side.erase(step);
      ++step;
      tell_ends(here);
    }
  }
};

int run() {
  makespan::pgas::Runtime runtime({.threads = 2});
  makespan::graph::ObjectWorld world(runtime, {.threads = 2});
  auto const rod = world.add<Block>("rod", blocks);
  world.run_all({.create =
                     [&](ObjectPlace& here) {
                       for (int index = 0; index < blocks; ++index) {
                         if (!here.is_in_block(rod, index)) continue;
                         here.create(
                             rod, index,
                             Block{.rod = rod,
                                   .index = index,
                                   .heat = std::vector<double>(64, index == 0 ? 1.0 : 0.0)});
                       }
                     },
                 .begin =
                     [&](ObjectPlace& here, std::int64_t) {
                       here.for_each(rod, [&](int index, Block const&) {
                         here.send<&Block::go_on>(rod, index, steps_each);
                       });
                     },
                 .after =
                     [](makespan::graph::PhaseReport const& phase) {
                       if (phase.moved > 0) {
                         std::printf("before phase %lld %lld blocks moved\n",
                                     static_cast<long long>(phase.phase),
                                     static_cast<long long>(phase.moved));
                       }
                       return makespan::graph::Next::go_on;
                     },
                 .end =
                     [&](ObjectPlace& here) {
                       here.for_each(rod, [](int index, Block const& block) {
                         if (index == 1)
                           std::printf("block 1 begins with %.17g\n", block.heat.front());
                       });
                     },
                 .phases = 30});
  runtime.finish_all();
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  return makespan::pgas::run_job(run);
}
