// SPDX-License-Identifier: Apache-2.0
#pragma once

// A fuzzer's bytes as values, for readers that are handed columns and numbers instead of bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "fuzz/fuzz_target.hpp"

namespace makespan::fuzz {

// Takes values off the front; zeros once the bytes have ended.
class FuzzInput {
 public:
  explicit FuzzInput(std::span<std::byte const> bytes) : rest_{bytes} {}

  // Any that it can be: also NaN, and values that no enumerator has.
  template <class T>
    requires(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>)
  [[nodiscard]] T value() {
    T value{};
    std::size_t const bytes = std::min(sizeof value, rest_.size());
    if (bytes > 0) std::memcpy(&value, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
    return value;
  }
  // 0 to `most`, by one byte.
  [[nodiscard]] int small(int most) { return value<std::uint8_t>() % (most + 1); }
  [[nodiscard]] bool flag() { return small(1) == 1; }

  template <class T>
  [[nodiscard]] std::vector<T> column(int count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& each : values) each = value<T>();
    return values;
  }
  // One that a byte says the length of.
  template <class T>
  [[nodiscard]] std::vector<T> column() {
    return column<T>(small(255));
  }
  [[nodiscard]] std::span<std::byte const> part() {
    std::size_t const said = value<std::uint16_t>();  // arguments of one call come in any order
    std::size_t const bytes = std::min(said, rest_.size());
    auto const front = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return front;
  }
  [[nodiscard]] std::string text() { return std::string(text_of(part())); }

  [[nodiscard]] std::span<std::byte const> rest() const { return rest_; }
  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

 private:
  std::span<std::byte const> rest_;
};

// Writes what FuzzInput takes.
class FuzzOutput {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  FuzzOutput& value(T const& value) {
    auto const* const begin = reinterpret_cast<std::byte const*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof value);
    return *this;
  }
  FuzzOutput& small(int number) { return value(static_cast<std::uint8_t>(number)); }
  template <class T>
  FuzzOutput& column(std::vector<T> const& values) {
    for (T const& each : values) value(each);
    return *this;
  }
  // With its length before it.
  template <class T>
  FuzzOutput& counted(std::vector<T> const& values) {
    return small(static_cast<int>(values.size())).column(values);
  }
  FuzzOutput& part(std::span<std::byte const> bytes) {
    value(static_cast<std::uint16_t>(bytes.size()));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  FuzzOutput& text(std::string_view text) { return part(std::as_bytes(std::span(text))); }

  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace makespan::fuzz
