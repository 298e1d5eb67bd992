// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace makespan::graph {

// A run was ended by what another place threw; says which, and its text.
class ObjectRunFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace makespan::graph
