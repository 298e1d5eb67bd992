// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether what images tell each other of a grid can be: all of them decide by it, and it may come
// from another build.

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "makespan/base/ids.hpp"
#include "makespan/grid/cut/box.hpp"

namespace makespan::grid {

// The first bad value of an image: field, z, y, x, and the value, so that the first is the least;
// one that has none gives `none` for the field. Doubles hold places exactly up to 2^53, and one
// array travels.
using FoundValue = std::array<double, 5>;
inline constexpr double found_none = std::numeric_limits<double>::infinity();

// What a device has done since the last look at all of them.
struct Measured {
  double planes;  // in all steps together, by their weights
  double busy;    // [s]
  std::int64_t steps;
  double besides;  // [s]
};

// Throws BadMessage, which names the image, unless it has found none, or one of so many fields in
// the domain. Tested by tests/grid/gathered_numbers_test.cpp, as the function below.
void expect_found(ImageId image, std::span<double const> found, std::size_t fields,
                  Box const& domain);

// Throws BadMessage unless a device can have done this: no number is below 0 or none, and in no
// step it had more than `planes`, the weight of all.
void expect_measured(ImageId image, Measured const& measured, double planes);

}  // namespace makespan::grid
