// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/task/task.hpp"

#include <bit>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

std::span<std::byte> Task::prepare(Function function, std::size_t bytes) {
  MAKESPAN_EXPECT(function != nullptr);
  if (bytes > inline_bytes && bytes > buffer_bytes_) {
    // Allocated before anything is changed: where there is no memory the task is as before.
    std::size_t const buffer_bytes = std::bit_ceil(bytes);
    buffer_ = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
    buffer_bytes_ = buffer_bytes;
  }
  function_ = function;
  bytes_ = bytes;
  return arguments();
}

}  // namespace makespan::pgas
