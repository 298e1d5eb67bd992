// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/kronecker.hpp"

#include <algorithm>
#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/simd/philox.hpp"

namespace makespan::graph500 {

namespace {

// The specification's: of a quarter of the matrix, A = 0.57, B = C = 0.19. As parts of 2^32, added
// up.
constexpr auto part_of = [](double probability) {
  return static_cast<std::uint32_t>(probability * 4294967296.0);
};
constexpr std::uint32_t until_a = part_of(0.57);
constexpr std::uint32_t until_b = part_of(0.57 + 0.19);
constexpr std::uint32_t until_c = part_of(0.57 + 0.19 + 0.19);

// Streams of the generator that have nothing to do with each other.
constexpr std::uint32_t edge_stream = 0;
constexpr std::uint32_t permutation_stream = 1;

KroneckerSettings checked_settings(KroneckerSettings const& settings) {
  if (settings.scale < 1 || settings.scale > 31) {
    throw InputError("a Kronecker graph of scale " + std::to_string(settings.scale),
                     "it has 2^scale vertices", "give 1 to 31");
  }
  if (settings.edge_factor < 1 || settings.edge_factor > 1024) {
    throw InputError("a Kronecker graph of edge factor " + std::to_string(settings.edge_factor),
                     "it has so many edges per vertex", "give 1 to 1024; Graph500 takes 16");
  }
  return settings;
}

}  // namespace

VertexPermutation::VertexPermutation(int bits, std::uint64_t seed)
    : mask_{(1U << static_cast<std::uint32_t>(bits)) - 1U},
      shift_{std::max(1U, static_cast<std::uint32_t>(bits + 1) / 2U)} {
  MAKESPAN_EXPECT(bits >= 1 && bits <= 31);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    simd::PhiloxCounter const drawn = simd::philox({round, permutation_stream, 0, 0}, seed);
    factors_[round] = drawn[0] | 1U;
    addends_[round] = drawn[1];
  }
}

Vertex VertexPermutation::operator()(Vertex vertex) const {
  std::uint32_t bits = vertex;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    bits = (bits * factors_[round] + addends_[round]) & mask_;
    bits ^= bits >> shift_;
  }
  return bits;
}

KroneckerGraph::KroneckerGraph(KroneckerSettings const& settings)
    : settings_{checked_settings(settings)}, permutation_{settings.scale, settings.seed} {
}

Edge KroneckerGraph::edge(std::int64_t number) const {
  auto const low = static_cast<std::uint32_t>(number);
  auto const high = static_cast<std::uint32_t>(number >> 32);
  auto const levels = static_cast<std::uint32_t>(settings_.scale);
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  simd::PhiloxCounter drawn{};
  for (std::uint32_t level = 0; level < levels; ++level) {
    // Each level halves the matrix both ways, and takes one word; a draw has four.
    if (level % 4 == 0) drawn = simd::philox({low, edge_stream, high, level}, settings_.seed);
    std::uint32_t const draw = drawn[level % 4];
    std::uint32_t const is_lower = draw >= until_b ? 1U : 0U;
    std::uint32_t const is_right = (draw >= until_a && draw < until_b) || draw >= until_c ? 1U : 0U;
    from = (from << 1U) | is_lower;
    to = (to << 1U) | is_right;
  }
  return {.from = permutation_(from), .to = permutation_(to)};
}

}  // namespace makespan::graph500
