// SPDX-License-Identifier: Apache-2.0
// Complex functions for the host with the same bits on every machine, compiler and C library.
#pragma once

#include <complex>

namespace makespan::simd {

using Complex = std::complex<double>;

// Products and quotients without the checks of std::complex for infinite parts, whose code is the
// compiler's.
[[nodiscard]] inline Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
[[nodiscard]] inline Complex quotient(Complex a, Complex b) {
  double const square = b.real() * b.real() + b.imag() * b.imag();
  Complex const above = product(a, std::conj(b));
  return {above.real() / square, above.imag() / square};
}

// e^z, its real part clamped to ±708. The relative error grows with |Im z|, whose half circles are
// taken off in double: below 4e-15 (1 + |z|).
[[nodiscard]] Complex portable_exp(Complex z);
// The principal values, z not 0. The error of the logarithm is below 1e-15 (1 + |ln z|): near
// |z| = 1 its real part is small, and has fewer digits. The root's relative error is below 1e-15.
[[nodiscard]] Complex portable_log(Complex z);
[[nodiscard]] Complex portable_sqrt(Complex z);

}  // namespace makespan::simd
