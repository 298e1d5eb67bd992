// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory of a field: large, on large pages where the system has them, and not touched yet.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace makespan::grid {

// Of this host [bytes], in use or not; without end where the system does not say.
[[nodiscard]] std::int64_t host_memory();

// Tested by tests/grid/field/slab_fields_test.cpp.
class FieldMemory {
 public:
  FieldMemory() = default;
  // `count` doubles, at the beginning of a page. Throws InputError naming the bytes, if the system
  // does not have them.
  explicit FieldMemory(std::int64_t count);
  // `count` doubles from elsewhere, at the beginning of a cache line, and how they are given back.
  using Release = std::function<void(double* memory)>;
  FieldMemory(double* memory, std::int64_t count, Release release)
      : memory_{memory, std::move(release)}, count_{count} {}

  [[nodiscard]] double* data() const { return memory_.get(); }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::unique_ptr<double[], Release> memory_{};
  std::int64_t count_{0};
};

// Where fields get theirs: as many doubles as asked for. Throws InputError naming the bytes.
using FieldSource = std::function<FieldMemory(std::int64_t count)>;

}  // namespace makespan::grid
