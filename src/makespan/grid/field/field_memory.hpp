// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory of a field: large, on large pages where the system has them, and not touched yet.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace makespan::grid {

// Tested by tests/grid/field/slab_fields_test.cpp.
class FieldMemory {
 public:
  FieldMemory() = default;
  // `count` doubles, at the beginning of a page. Throws InputError naming the bytes, if the system
  // does not have them.
  explicit FieldMemory(std::int64_t count);

  [[nodiscard]] double* data() const { return memory_.get(); }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  struct Release {
    void operator()(double* memory) const;
  };
  std::unique_ptr<double[], Release> memory_{};
  std::int64_t count_{0};
};

}  // namespace makespan::grid
