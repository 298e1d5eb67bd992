// SPDX-License-Identifier: Apache-2.0
#pragma once

// An array that every image has at the same offset of its heap.

#include <cstddef>
#include <cstdint>

#include "makespan/base/contracts.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/pgas/memory/global_ptr.hpp"
#include "makespan/pgas/memory/wire_type.hpp"

namespace makespan::pgas {

// A plain value: says where the array is, and owns nothing. Empty at first.
template <WireType T>
class SymmetricArray {
 public:
  constexpr SymmetricArray() = default;

  // `count` elements, `offset` bytes from the beginning of each heap, a multiple of alignof(T).
  constexpr SymmetricArray(std::uint64_t offset, std::int64_t count)
      : offset_{offset}, count_{count} {
    MAKESPAN_EXPECT(count >= 0);
    MAKESPAN_EXPECT(offset % alignof(T) == 0);
  }

  // In bytes.
  [[nodiscard]] constexpr std::uint64_t offset() const { return offset_; }
  // Of elements, on each image.
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  [[nodiscard]] constexpr std::int64_t bytes() const {
    return count_ * static_cast<std::int64_t>(sizeof(T));
  }

  // Element `index` on `image`; index = count() is the place after the last one, for comparisons.
  [[nodiscard]] constexpr GlobalPtr<T> at(ImageId image, std::int64_t index = 0) const {
    MAKESPAN_EXPECT(0 <= index && index <= count_);
    return GlobalPtr<T>{image, offset_} + index;
  }

  friend constexpr bool operator==(SymmetricArray const&, SymmetricArray const&) = default;

 private:
  std::uint64_t offset_{0};
  std::int64_t count_{0};
};

}  // namespace makespan::pgas
