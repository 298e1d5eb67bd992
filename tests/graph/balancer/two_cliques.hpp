// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tests of balancers that cut graphs share.

#include "graph/small_graphs.hpp"

namespace makespan::graph {

// The even ones of eight objects all talk to each other, and so do the odd ones; 0 talks to 1.
inline GraphColumns two_cliques() {
  GraphColumns columns = silent(std::vector<double>(8, 1.0));
  for (int a = 0; a < 8; ++a) {
    for (int b = a + 2; b < 8; b += 2) add_edge(columns, a, b, 1, 0);
  }
  add_edge(columns, 0, 1, 1, 0);
  return columns;
}

// Each says something to the next.
inline GraphColumns chain(int objects, double bytes) {
  GraphColumns columns = silent(std::vector<double>(static_cast<std::size_t>(objects), 1.0));
  for (int object = 0; object + 1 < objects; ++object) {
    add_edge(columns, object, object + 1, 1, bytes);
  }
  return columns;
}

}  // namespace makespan::graph
