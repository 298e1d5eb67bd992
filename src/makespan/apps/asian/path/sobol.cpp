// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/path/sobol.hpp"

#include <array>
#include <cstddef>
#include <vector>

#include "makespan/apps/asian/path/detail/joe_kuo.hpp"

namespace makespan::asian {

namespace {

constexpr int bits = 32;

std::uint32_t reversed(std::uint32_t x) {
  std::uint32_t out = 0;
  for (int bit = 0; bit < bits; ++bit) out |= ((x >> bit) & 1U) << (bits - 1 - bit);
  return out;
}

using Column = std::array<std::uint32_t, bits>;

// Numbers of one dimension, most significant bit first, by the recurrence of its polynomial.
Column numbers_of(JoeKuoRow const& row) {
  Column v{};
  // The first dimension has no polynomial: van der Corput's sequence.
  if (row.degree == 0) {
    for (int i = 0; i < bits; ++i) v[static_cast<std::size_t>(i)] = 1U << (bits - 1 - i);
    return v;
  }
  auto const s = static_cast<int>(row.degree);
  for (int i = 0; i < bits; ++i) {
    auto const at = static_cast<std::size_t>(i);
    if (i < s) {
      v[at] = row.initial[i] << (bits - 1 - i);
      continue;
    }
    // v_i = v_(i-s) ^ (v_(i-s) >> s) ^ the v_(i-k) whose coefficient a_k is 1.
    std::uint32_t const oldest = v[static_cast<std::size_t>(i - s)];
    v[at] = oldest ^ (oldest >> static_cast<unsigned>(s));
    for (int k = 1; k < s; ++k) {
      auto const place = static_cast<unsigned>(s - 1 - k);
      if (((row.coefficients >> place) & 1U) != 0) v[at] ^= v[static_cast<std::size_t>(i - k)];
    }
  }
  return v;
}

class Directions {
 public:
  Directions() : numbers_(static_cast<std::size_t>(bits) * sobol_dimensions) {
    for (std::int32_t k = 0; k < sobol_dimensions; ++k) {
      Column const v = numbers_of(joe_kuo_row(k));
      for (std::size_t bit = 0; bit < bits; ++bit) {
        numbers_[bit * sobol_dimensions + static_cast<std::size_t>(k)] = reversed(v[bit]);
      }
    }
    for (std::size_t bit = 0; bit < bits; ++bit) rows_[bit] = &numbers_[bit * sobol_dimensions];
  }
  [[nodiscard]] std::span<std::uint32_t const* const> rows() const { return rows_; }

 private:
  std::vector<std::uint32_t> numbers_;
  std::array<std::uint32_t const*, bits> rows_{};
};

}  // namespace

std::span<std::uint32_t const* const> sobol_directions() {
  // 512 KiB, made when first asked for: only low-discrepancy points need them.
  static Directions const directions;
  return directions.rows();
}

}  // namespace makespan::asian
