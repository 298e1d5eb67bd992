// SPDX-License-Identifier: Apache-2.0
// What is said of a message, or of an object that was read back, that no run of this input makes.
#pragma once

#include <string>

#include "makespan/base/error.hpp"

namespace makespan::melt {

// Throws InputError. Tested by tests/apps/melt/refusal_test.cpp.
[[noreturn]] inline void refuse(std::string const& problem, std::string const& why) {
  throw InputError(problem, why,
                   "start the same executable, with the same input, on all images, and go on from "
                   "checkpoints that it wrote");
}

}  // namespace makespan::melt
