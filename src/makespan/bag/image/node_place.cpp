// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/node_place.hpp"

#include <cstdlib>

#include "makespan/pgas/job/launch.hpp"

namespace makespan::bag {

namespace {

pgas::Launch launch() {
  return pgas::detect_launch([](char const* name) { return std::getenv(name); });
}

}  // namespace

machine::NodePlace node_place() {
  pgas::Launch const here = launch();
  int const size = here.node_size.value_or(1);
  int const rank = here.node_rank.value_or(0);
  // A launcher that tells the rank alone has told nothing.
  return rank < size ? machine::NodePlace{.rank = rank, .size = size} : machine::NodePlace{};
}

int images_launched() {
  return launch().size.value_or(1);
}

}  // namespace makespan::bag
