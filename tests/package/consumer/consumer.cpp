// SPDX-License-Identifier: Apache-2.0
// What a user of the installed library writes; ends with 0 when the library does what it says.
#include <cstdint>
#include <makespan/bag.hpp>
#include <makespan/graph.hpp>
#include <makespan/pgas.hpp>
#include <vector>

int main() {
  auto const squares = makespan::bag::run(9, {}, [](std::int64_t i) { return i * i; });
  if (squares.size() != 9 || squares.back() != 64) return 1;

  if (makespan::graph::balancers().empty()) return 2;

  makespan::pgas::Runtime runtime;
  auto const counter = runtime.allocate_all<int>(1, "counter");
  int const before = fetch_add(runtime.endpoint(0), counter.at(runtime.image()), 1);
  if (before != 0) return 3;
  runtime.finish_all();
  return makespan::configuration().version == FOUND_VERSION ? 0 : 4;
}
