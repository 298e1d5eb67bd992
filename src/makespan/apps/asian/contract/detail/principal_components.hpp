// SPDX-License-Identifier: Apache-2.0
// Principal components of a correlation matrix.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace makespan::asian {

struct PrincipalComponents {
  std::vector<double> loading;  // (size, factors), row-major; of the largest variance first
  int factors;                  // those without variance are left out
  std::vector<double> root;     // (size, size): symmetric, and its square is the matrix
  bool is_positive;             // whether no variance is below 0, to rounding
};

// Of a symmetric matrix (size, size) with a unit diagonal. By Jacobi's rotations: additions,
// products, quotients and roots in a fixed order, so that all machines have the same bits. Each
// component's largest entry is positive. Source: G. Golub, C. Van Loan, Matrix Computations (2013),
// 8.5.
[[nodiscard]] PrincipalComponents principal_components(std::span<double const> matrix,
                                                       std::size_t size);

}  // namespace makespan::asian
