// SPDX-License-Identifier: Apache-2.0
#pragma once

// A pointer into the symmetric heap of some image.

#include <compare>
#include <cstddef>
#include <cstdint>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/pgas/memory/wire_type.hpp"

namespace makespan::pgas {

// A value of 16 bytes that means the same on every image, so it may be sent. Arithmetic counts
// elements, stays on one image, and knows nothing of where an allocation ends. Null unless it was
// given an image.
template <WireType T>
class GlobalPtr {
 public:
  constexpr GlobalPtr() = default;

  // `offset` bytes from the beginning of the heap of `image`, a multiple of alignof(T).
  constexpr GlobalPtr(ImageId image, std::uint64_t offset)
      : image_{checked_cast<std::int32_t>(image.value())}, offset_{offset} {
    MAKESPAN_EXPECT(image.value() >= 0);
    MAKESPAN_EXPECT(offset % alignof(T) == 0);
  }

  [[nodiscard]] constexpr bool is_null() const { return image_ < 0; }
  [[nodiscard]] constexpr explicit operator bool() const { return !is_null(); }

  // Names nothing if this is null.
  [[nodiscard]] constexpr ImageId image() const { return ImageId{image_}; }
  // In bytes.
  [[nodiscard]] constexpr std::uint64_t offset() const { return offset_; }

  // The same place, seen as elements of another type, for which it must be aligned.
  template <WireType U>
  [[nodiscard]] constexpr GlobalPtr<U> reinterpret() const {
    return is_null() ? GlobalPtr<U>{} : GlobalPtr<U>{image(), offset_};
  }
  [[nodiscard]] constexpr GlobalPtr<std::byte> as_bytes() const { return reinterpret<std::byte>(); }

  constexpr GlobalPtr& operator+=(std::int64_t elements) {
    MAKESPAN_EXPECT(!is_null());
    // Modulo 2^64, as the difference of two offsets: right for negative counts, too.
    offset_ += static_cast<std::uint64_t>(elements) * sizeof(T);
    return *this;
  }
  constexpr GlobalPtr& operator-=(std::int64_t elements) {
    MAKESPAN_EXPECT(!is_null());
    offset_ -= static_cast<std::uint64_t>(elements) * sizeof(T);
    return *this;
  }
  constexpr GlobalPtr& operator++() { return *this += 1; }
  constexpr GlobalPtr& operator--() { return *this -= 1; }
  constexpr GlobalPtr operator++(int) {
    GlobalPtr const before = *this;
    ++*this;
    return before;
  }
  constexpr GlobalPtr operator--(int) {
    GlobalPtr const before = *this;
    --*this;
    return before;
  }

  [[nodiscard]] friend constexpr GlobalPtr operator+(GlobalPtr pointer, std::int64_t elements) {
    return pointer += elements;
  }
  [[nodiscard]] friend constexpr GlobalPtr operator+(std::int64_t elements, GlobalPtr pointer) {
    return pointer += elements;
  }
  [[nodiscard]] friend constexpr GlobalPtr operator-(GlobalPtr pointer, std::int64_t elements) {
    return pointer -= elements;
  }

  // Elements from `from` to `to`, which are on one image and a whole number of elements apart.
  [[nodiscard]] friend constexpr std::int64_t operator-(GlobalPtr to, GlobalPtr from) {
    MAKESPAN_EXPECT(to.image_ == from.image_);
    auto const bytes = static_cast<std::int64_t>(to.offset_ - from.offset_);
    MAKESPAN_EXPECT(bytes % static_cast<std::int64_t>(sizeof(T)) == 0);
    return bytes / static_cast<std::int64_t>(sizeof(T));
  }

  // By image, then by offset; null comes first.
  friend constexpr auto operator<=>(GlobalPtr const&, GlobalPtr const&) = default;

 private:
  std::int32_t image_{-1};  // -1: null
  std::uint64_t offset_{0};
};

static_assert(WireType<GlobalPtr<double>>);
static_assert(sizeof(GlobalPtr<double>) == 16);

}  // namespace makespan::pgas
