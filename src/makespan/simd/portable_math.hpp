// SPDX-License-Identifier: Apache-2.0
// Elementary functions for the host with the same bits on every machine, compiler and C library:
// math-inl.hpp on one lane.
#pragma once

namespace makespan::simd {

// e^x, x clamped to ±708. Relative error below 2.3e-16.
double portable_exp(double x);
// ln x for positive normal x.
double portable_log(double x);
// The standard normal density, distribution function and its inverse (0 < p < 1). Infinite x is
// allowed.
double normal_density(double x);
double normal_cdf(double x);
double normal_quantile(double p);

// The t with P(|T| <= t) = confidence for Student's distribution; `degrees` >= 1. Relative error
// below 1e-9.
double student_quantile(double confidence, int degrees);

}  // namespace makespan::simd
