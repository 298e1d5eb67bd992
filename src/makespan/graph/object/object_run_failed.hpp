// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace makespan::graph {

// A run was ended by what another place threw: says which, and its text. (An InputError elsewhere
// is an InputError here: also that those are lost as well that had the copies of a lost image, or
// that a checkpoint cannot be read.) Or by what the coordinator found: an image was lost without
// copies, or messages wait for an object that no place has made.
class ObjectRunFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace makespan::graph
