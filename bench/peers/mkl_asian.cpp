// SPDX-License-Identifier: Apache-2.0
// Arithmetic Asian option with Intel MKL's random numbers, the way its users write it.
//
// The first variant is the inner loop of a published boss-worker program rebuilt: a Mersenne
// twister per thread, Box-Muller from the library, `exp2f` vectorised by the compiler, and vectors
// of 1024 paths. The last is the fastest that we found by changing generator, transform and
// exponential: it stands for what an expert gets out of MKL. Built with the flags that its users
// would take, -O3 -march=native -ffast-math, not with ours.
//
// Request: `run VARIANT FIXINGS PATHS`.

#include <mkl_service.h>
#include <mkl_vsl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>

#include "../worker.hpp"

namespace {
using makespan::bench::Sample;
using makespan::bench::Words;

// The contract of every kernel comparison: an at-the-money arithmetic call, fixings at T i/N.
constexpr double spot = 100.0;
constexpr double strike = 100.0;
constexpr double rate = 0.05;
constexpr double volatility = 0.2;
constexpr double expiry_y = 1.0;

enum class Exponential { exp2f, degree_4 };

struct Variant {
  char const* name;
  int generator;
  int transform;
  int vector_paths;
  Exponential exponential;
};

constexpr std::array variants{
    Variant{.name = "mt2203_boxmuller_exp2f",
            .generator = VSL_BRNG_MT2203,
            .transform = VSL_RNG_METHOD_GAUSSIAN_BOXMULLER,
            .vector_paths = 1024,
            .exponential = Exponential::exp2f},
    Variant{.name = "philox10_icdf_degree4",
            .generator = VSL_BRNG_PHILOX4X32X10,
            .transform = VSL_RNG_METHOD_GAUSSIAN_ICDF,
            .vector_paths = 4096,
            .exponential = Exponential::degree_4},
    Variant{.name = "ars5_icdf_degree4",
            .generator = VSL_BRNG_ARS5,
            .transform = VSL_RNG_METHOD_GAUSSIAN_ICDF,
            .vector_paths = 4096,
            .exponential = Exponential::degree_4},
};

struct StepConstants {
  float drift_log2;       // per step, base-2 logarithm
  float volatility_log2;  // per normal, base-2 logarithm
};

StepConstants step_constants(int fixings) {
  double const dt_y = expiry_y / fixings;
  double const per_ln2 = 1.0 / std::numbers::ln2;
  double const drift = (rate - 0.5 * volatility * volatility) * dt_y;
  return {.drift_log2 = static_cast<float>(drift * per_ln2),
          .volatility_log2 = static_cast<float>(volatility * std::sqrt(dt_y) * per_ln2)};
}

template <Exponential exponential>
inline float power_of_two(float exponent) {
  if constexpr (exponential == Exponential::exp2f) {
    return exp2f(exponent);
  }
  // Taylor coefficients ln(2)^k/k!: enough for the small exponent of one day.
  constexpr auto c1 = std::numbers::ln2_v<float>;
  constexpr float c2 = 0.24022651F;
  constexpr float c3 = 0.05550411F;
  constexpr float c4 = 0.00961813F;
  return 1.0F + exponent * (c1 + exponent * (c2 + exponent * (c3 + exponent * c4)));
}

struct FreeDeleter {
  void operator()(float* memory) const { std::free(memory); }
};
using Floats = std::unique_ptr<float[], FreeDeleter>;

Floats aligned_floats(int count) {
  std::size_t const bytes = static_cast<std::size_t>(count) * sizeof(float);
  return Floats{static_cast<float*>(std::aligned_alloc(64, bytes))};
}

struct Buffers {
  Floats normals;
  Floats prices;
  Floats sums;
};

// Walks one vector of paths through all fixings; sums end as sums of prices over fixings.
template <Exponential exponential>
void walk_paths(VSLStreamStatePtr stream, Variant const& variant, int fixings, Buffers& buffers) {
  StepConstants const step = step_constants(fixings);
  int const count = variant.vector_paths;
  float* const normals = buffers.normals.get();
  float* const prices = buffers.prices.get();
  float* const sums = buffers.sums.get();
  std::fill_n(prices, count, static_cast<float>(spot));
  std::fill_n(sums, count, 0.0F);
  for (int fixing = 0; fixing < fixings; ++fixing) {
    vsRngGaussian(variant.transform, stream, count, normals, 0.0F, 1.0F);
    for (int path = 0; path < count; ++path) {
      prices[path] *=
          power_of_two<exponential>(step.drift_log2 + step.volatility_log2 * normals[path]);
      sums[path] += prices[path];
    }
  }
}

struct Payoffs {
  double call = 0.0;
  double put = 0.0;
};

void add_payoffs(Payoffs& payoffs, float const* sums, int count, int fixings) {
  float const per_fixing = 1.0F / static_cast<float>(fixings);
  for (int path = 0; path < count; ++path) {
    float const gain = sums[path] * per_fixing - static_cast<float>(strike);
    payoffs.call += std::max(gain, 0.0F);
    payoffs.put += std::max(-gain, 0.0F);
  }
}

template <Exponential exponential>
Payoffs simulate(VSLStreamStatePtr stream, Variant const& variant, int fixings, long paths) {
  int const count = variant.vector_paths;
  Buffers buffers{.normals = aligned_floats(count),
                  .prices = aligned_floats(count),
                  .sums = aligned_floats(count)};
  Payoffs payoffs;
  for (long done = 0; done < paths; done += variant.vector_paths) {
    walk_paths<exponential>(stream, variant, fixings, buffers);
    add_payoffs(payoffs, buffers.sums.get(), variant.vector_paths, fixings);
  }
  return payoffs;
}

Variant const& find_variant(std::string const& name) {
  for (Variant const& variant : variants) {
    if (name == variant.name) {
      return variant;
    }
  }
  throw std::invalid_argument{"unknown variant '" + name + "' (see bench/peers/mkl_asian.cpp)"};
}

struct StreamDeleter {
  void operator()(void* stream) const { vslDeleteStream(&stream); }
};

std::unique_ptr<void, StreamDeleter> new_stream(Variant const& variant) {
  static unsigned seed = 0;  // another one each run, so that no run repeats its numbers
  VSLStreamStatePtr stream = nullptr;
  if (vslNewStream(&stream, variant.generator, ++seed) != VSL_STATUS_OK) {
    throw std::runtime_error{std::string{"MKL gave no stream for "} + variant.name};
  }
  return std::unique_ptr<void, StreamDeleter>{stream};
}

Sample run(Words const& request) {
  if (request.size() != 3) {
    throw std::invalid_argument{"a request is 'run VARIANT FIXINGS PATHS'"};
  }
  Variant const& variant = find_variant(request[0]);
  int const fixings = std::stoi(request[1]);
  long const paths = std::stol(request[2]);
  if (paths <= 0 || paths % variant.vector_paths != 0) {
    throw std::invalid_argument{"paths must be a positive multiple of " +
                                std::to_string(variant.vector_paths)};
  }

  auto const stream = new_stream(variant);
  double const start_s = makespan::bench::now_s();
  Payoffs const payoffs =
      variant.exponential == Exponential::exp2f
          ? simulate<Exponential::exp2f>(stream.get(), variant, fixings, paths)
          : simulate<Exponential::degree_4>(stream.get(), variant, fixings, paths);
  double const elapsed_s = makespan::bench::now_s() - start_s;
  double const per_path = std::exp(-rate * expiry_y) / static_cast<double>(paths);
  return {.seconds = elapsed_s, .price = payoffs.call * per_path};
}
}  // namespace

int main() {
  mkl_set_num_threads(1);
  makespan::bench::serve(std::cin, std::cout, run);
  return 0;
}
