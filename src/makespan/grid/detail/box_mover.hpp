// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boxes of points that go from one image to another outside of the steps: when the grid is cut
// anew, gathered, or filled.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {

struct BoxMove {
  int from_image{};
  int to_image{};
  Box box{};
  int source{};  // for the reader
  int target{};  // for the writer
};

// Parts of a box of at most so many points, in its order: planes, else rows, else parts of rows.
[[nodiscard]] std::vector<Box> chunks_of(Box const& box, std::int64_t points_max);

// Tested by tests/grid/box_mover_test.cpp.
class BoxMover {
 public:
  // Collective. `fields` values for each point.
  BoxMover(pgas::Runtime& runtime, std::int64_t fields);
  // Collective.
  void close_all();

  // Values of a part of a move's box: as many as its points times the fields.
  using Read = std::function<void(BoxMove const& move, Box const& part, std::span<double> to)>;
  using Write =
      std::function<void(BoxMove const& move, Box const& part, std::span<double const> from)>;

  // Collective, with the same moves on all images, from the thread of endpoint 0; blocks until this
  // image's part in them is done. Reads at the one image and writes at the other, part by part.
  // Where one of these throws, all images throw when all parts have gone, as stop_all(); what was
  // moved is of no use then.
  void move_all(std::span<BoxMove const> moves, Read const& read, Write const& write);

 private:
  void move_part(BoxMove const& move, Box const& part, Read const& read, Write const& write);
  void send(BoxMove const& move, Box const& part, Read const& read);
  void receive(BoxMove const& move, Box const& part, Write const& write);

  pgas::Runtime& runtime_;
  std::int64_t fields_;
  std::vector<double> values_{};
  pgas::SymmetricArray<double> destination_{};
  // Parts that have come; and, by image, parts that it allows this one to send.
  pgas::SymmetricArray<std::uint64_t> words_{};
  std::vector<std::uint64_t> sent_{};  // by image
  std::uint64_t come_{0};
};

}  // namespace makespan::grid
