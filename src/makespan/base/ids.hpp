// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names for things that are counted from 0: each a type of its own, so that a device is never taken
// for a task.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace makespan {

// An integer name of one kind of thing. It has an order, so that ties can be broken by it, and no
// arithmetic.
template <class Kind>
class Id {
 public:
  constexpr Id() = default;  // names nothing
  constexpr explicit Id(std::int64_t value) : value_{value} {}

  [[nodiscard]] constexpr std::int64_t value() const { return value_; }

  friend constexpr auto operator<=>(Id a, Id b) = default;

 private:
  std::int64_t value_ = -1;  // -1: names nothing
};

// Something that runs chunks: a set of cores at one instruction set, or a GPU.
using DeviceId = Id<struct DeviceKind>;
// One independent piece of a bag; for pricing, an option.
using TaskId = Id<struct TaskKind>;
// One process of a run.
using ImageId = Id<struct ImageKind>;

}  // namespace makespan

template <class Kind>
struct std::hash<makespan::Id<Kind>> {
  [[nodiscard]] std::size_t operator()(makespan::Id<Kind> id) const noexcept {
    return std::hash<std::int64_t>{}(id.value());
  }
};
