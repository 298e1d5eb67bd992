// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bodies of src/makespan/simd as functions over arrays, one table per instruction set.
//
// Every array of a call has the same number of values, a multiple of `lanes_max`; no alignment.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/simd/philox.hpp"

namespace makespan::simd {

inline constexpr std::size_t lanes_max = 16;

template <class To, class From>
using MapAll = void (*)(std::span<From const> from, To* to);

struct Pair32 {
  std::span<std::uint32_t const> first;
  std::span<std::uint32_t const> second;
};
struct Pair64 {
  std::span<std::uint64_t const> first;
  std::span<std::uint64_t const> second;
};

// The four words of `count` paths from `path_first`, each word's paths side by side: shape (4,
// count).
struct PhiloxRequest {
  PhiloxStream stream;
  int rounds;  // 7 or 10
  std::uint32_t step;
  std::uint64_t path_first;
  std::size_t count;
};

struct Bodies {
  std::string_view isa;

  MapAll<float, float> exp_f32;
  MapAll<double, double> exp_f64;
  MapAll<double, double> log;
  MapAll<double, double> sin_pi;
  MapAll<double, double> cos_pi;
  MapAll<double, double> normal_cdf;
  MapAll<double, double> inverse_normal;

  MapAll<float, std::uint32_t> inverse_normal_32;
  void (*box_muller_f32)(Pair32 const& words, float* sine, float* cosine);
  void (*box_muller_f64)(Pair64 const& words, double* sine, double* cosine);

  MapAll<float, float> mantissa;
  MapAll<float, float> exponent_of_twice;
  MapAll<std::uint32_t, std::uint32_t> reverse_bits;
  // A sum for each eight.
  MapAll<double, double> sums_of_eight;
  void (*lookup_32)(float const* table, std::span<std::int32_t const> index, float* to);
  // Shape of `to`: (4, indices), of which there is a multiple of 8.
  void (*gather_quads)(double const* table, std::span<std::uint64_t const> index, double* to);

  void (*philox_words)(PhiloxRequest const& request, std::uint32_t* to);
  void (*philox_words_64)(PhiloxRequest const& request, std::uint32_t* to);

  // Each operation of the list that the others do not show; shape (operations, count).
  void (*float_operations)(std::span<float const> a, std::span<float const> b, float* to);
  void (*double_operations)(std::span<double const> a, std::span<double const> b, double* to);
  void (*word_operations)(Pair32 const& words, std::uint32_t* to);
  void (*word_operations_64)(Pair64 const& words, std::uint64_t* to);
};

inline constexpr std::size_t float_operation_count = 14;
inline constexpr std::size_t word_operation_count = 9;
inline constexpr std::size_t word_operation_64_count = 8;

// Those that this program and this machine have, fastest first; the one lane last. In the program
// simd_gpu the GPU's are the first.
std::vector<Bodies> const& all_bodies();

// For bodies.cpp and gpu_bodies.cpp alone.
Bodies gpu_bodies();
std::vector<Bodies> vector_bodies();
Bodies one_lane_bodies();

}  // namespace makespan::simd
