// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/detail/principal_components.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace makespan::asian {

namespace {

constexpr int sweeps_max = 60;
// Of a variance that rounding makes of none, for each underlying.
constexpr double rounding = 1e-12;
// Correlations that are written with few digits may be off by so much.
constexpr double negative_max = 1e-9;

class Jacobi {
 public:
  Jacobi(std::span<double const> matrix, std::size_t size)
      : size_{size}, matrix_(matrix.begin(), matrix.end()), vectors_(size * size) {
    for (std::size_t i = 0; i < size; ++i) vectors_[i * size + i] = 1;
  }

  void run() {
    for (int sweep = 0; sweep < sweeps_max; ++sweep) {
      bool has_turned = false;
      for (std::size_t p = 0; p + 1 < size_; ++p) {
        for (std::size_t q = p + 1; q < size_; ++q) has_turned |= turn(p, q);
      }
      if (!has_turned) return;
    }
  }

  [[nodiscard]] double value(std::size_t i) const { return matrix_[i * size_ + i]; }
  [[nodiscard]] double vector(std::size_t row, std::size_t i) const {
    return vectors_[row * size_ + i];
  }

 private:
  double& at(std::size_t i, std::size_t k) { return matrix_[i * size_ + k]; }

  // Makes entry (p, q) 0; false if it is, to rounding.
  bool turn(std::size_t p, std::size_t q) {
    double const off = at(p, q);
    if (std::fabs(off) < 1e-17 * static_cast<double>(size_)) return false;
    // t is the smaller root of t^2 + 2 theta t - 1, the tangent of a turn by 45 degrees at most
    // (Golub and Van Loan, 8.5.2).
    double const theta = (at(q, q) - at(p, p)) / (2 * off);
    double const t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
    double const c = 1 / std::sqrt(t * t + 1);
    double const s = t * c;
    auto const rotate = [&](double& x, double& y) {
      double const before = x;
      x = c * before - s * y;
      y = s * before + c * y;
    };
    for (std::size_t i = 0; i < size_; ++i) rotate(at(i, p), at(i, q));
    for (std::size_t i = 0; i < size_; ++i) rotate(at(p, i), at(q, i));
    // It is, to rounding; exactly 0, it lets the sweeps come to an end.
    at(p, q) = at(q, p) = 0;
    for (std::size_t i = 0; i < size_; ++i)
      rotate(vectors_[i * size_ + p], vectors_[i * size_ + q]);
    return true;
  }

  std::size_t size_;
  std::vector<double> matrix_;
  std::vector<double> vectors_;  // as columns
};

}  // namespace

PrincipalComponents principal_components(std::span<double const> matrix, std::size_t size) {
  Jacobi jacobi{matrix, size};
  jacobi.run();
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return jacobi.value(a) > jacobi.value(b); });
  double const least = rounding * static_cast<double>(size);
  std::size_t factors = 0;
  while (factors < size && jacobi.value(order[factors]) > least) ++factors;
  PrincipalComponents out{.loading = std::vector<double>(size * factors),
                          .factors = static_cast<int>(factors),
                          .root = std::vector<double>(size * size),
                          .is_positive = jacobi.value(order.back()) >= -negative_max};
  for (std::size_t f = 0; f < factors; ++f) {
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      double const entry = jacobi.vector(i, order[f]);
      // Of entries of one size the first counts: rounding must not choose the sign.
      if (std::fabs(entry) > std::fabs(largest) * (1 + 1e-9)) largest = entry;
    }
    double const scale = (largest < 0 ? -1 : 1) * std::sqrt(jacobi.value(order[f]));
    for (std::size_t i = 0; i < size; ++i) {
      double const entry = jacobi.vector(i, order[f]);
      out.loading[i * factors + f] = scale * entry;
      for (std::size_t k = 0; k < size; ++k) {
        out.root[i * size + k] += std::fabs(scale) * entry * jacobi.vector(k, order[f]);
      }
    }
  }
  return out;
}

}  // namespace makespan::asian
