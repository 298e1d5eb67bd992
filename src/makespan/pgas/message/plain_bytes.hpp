// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plain data into bytes and back, as it lies in memory: what archive.hpp stands on, and what the
// arguments of most remote calls need alone. (An archive of cereal's has tables to make, which
// takes as long as a call.)

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace makespan::pgas {

// Plain data needs no cereal. Views (std::span, std::string_view) look plain and point to what
// stays behind; pointers and bools inside other classes cannot be seen from here: a class that
// travels has enumerations of a byte in place of bools, since any byte may come.
template <class T>
concept PlainData =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::ranges::view<T>;

// Appends to a vector of bytes.
class PlainWriter {
 public:
  explicit PlainWriter(std::vector<std::byte>& bytes) : bytes_{bytes} {}

  void write(void const* data, std::size_t size) {
    std::size_t const at = bytes_.size();
    bytes_.resize(at + size);
    if (size > 0) std::memcpy(bytes_.data() + at, data, size);
  }

 private:
  std::vector<std::byte>& bytes_;
};

// Reads from bytes; throws std::out_of_range when they end too early, or have what cannot be.
class PlainReader {
 public:
  explicit PlainReader(std::span<std::byte const> bytes) : rest_{bytes} {}

  void read(void* data, std::size_t size) {
    if (size > rest_.size()) throw std::out_of_range("a message ends before its last argument");
    std::ranges::copy(rest_.first(size), static_cast<std::byte*>(data));
    rest_ = rest_.subspan(size);
  }

  // A byte that is neither 0 nor 1 is refused: as a bool it must not even be looked at.
  [[nodiscard]] bool read_bool() {
    std::uint8_t byte = 0;
    read(&byte, sizeof byte);
    if (byte > 1) throw std::out_of_range("a message has a flag that is neither true nor false");
    return byte == 1;
  }

  // Throws unless so many values of that size are left: before room is made for them.
  void expect(std::uint64_t count, std::size_t size) const {
    if (count > rest_.size() / size) throw std::out_of_range("a message ends before its last row");
  }

  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

 private:
  std::span<std::byte const> rest_;
};

}  // namespace makespan::pgas
