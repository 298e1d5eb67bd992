// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrix products of given sizes, each on one thread: work whose amount is known.

#include <cblas.h>

#include <cstdint>
#include <vector>

namespace makespan::bench {

// Additions and multiplications of a product of two square matrices.
inline double dgemm_flops(int size) {
  double const n = size;
  return 2.0 * n * n * n;
}

// Room for products up to a size. One for each thread.
class Matrices {
 public:
  explicit Matrices(int size_max)
      : left_(elements(size_max), 1.0),
        right_(elements(size_max), 0.5),
        product_(elements(size_max)) {}

  void multiply(int size) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0, left_.data(),
                size, right_.data(), size, 0.0, product_.data(), size);
  }

 private:
  static std::size_t elements(int size) {
    auto const n = static_cast<std::size_t>(size);
    return n * n;
  }

  std::vector<double> left_;
  std::vector<double> right_;
  std::vector<double> product_;
};

// Products on the threads that ask for them, and on no others.
inline void use_calling_threads_only() {
  openblas_set_num_threads(1);
}

// The size of the requests to each thread: three of eight threads get centre - x, the next three of
// eight centre + x, the others the centre; with fewer threads the nearest to that.
inline std::vector<int> request_sizes(int threads, int centre, int range) {
  std::vector<int> sizes(static_cast<std::size_t>(threads), centre);
  auto const share = static_cast<std::size_t>((3 * threads + 4) / 8);
  for (std::size_t thread = 0; thread < share; ++thread) {
    sizes[thread] = centre - range;
    sizes[share + thread] = centre + range;
  }
  return sizes;
}

}  // namespace makespan::bench
