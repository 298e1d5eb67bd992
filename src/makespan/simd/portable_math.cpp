// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/portable_math.hpp"

#include "makespan/simd/one_lane.hpp"
// (before the bodies: it says what they are written in)
#include "makespan/simd/math-inl.hpp"

// One copy for processors with fused multiply-add and one without, chosen by the loader; they
// differ in speed alone, since std::fma rounds correctly in software too. Sanitizers run before the
// loader could choose.
#if defined(__x86_64__) && !defined(MAKESPAN_SANITIZED)
#define MAKESPAN_FMA_CLONES __attribute__((target_clones("fma", "default")))
#else
#define MAKESPAN_FMA_CLONES
#endif

namespace makespan::simd {

MAKESPAN_FMA_CLONES double portable_exp(double x) {
  return one_lane::Exp(one_lane::F64(), x);
}
MAKESPAN_FMA_CLONES double portable_log(double x) {
  return one_lane::Log(one_lane::F64(), x);
}

MAKESPAN_FMA_CLONES double normal_density(double x) {
  double const half_square = 0.5 * x * x;
  // portable_exp() clamps at -708, where a density would stay above 0 for ever.
  return half_square > 700 ? 0.0 : 0.39894228040143268 * portable_exp(-half_square);
}
MAKESPAN_FMA_CLONES double normal_cdf(double x) {
  if (x > 40) return 1;
  if (x < -40) return 0;
  return one_lane::NormalCdf(one_lane::F64(), x);
}
MAKESPAN_FMA_CLONES double normal_quantile(double p) {
  return one_lane::InverseNormal(one_lane::F64(), p);
}

namespace {

// The series in cos(theta) of Student's distribution, with theta = atan(t / sqrt(degrees)).
// Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
struct StudentSeries {
  StudentSeries(double t, int degrees)
      : cosine2{degrees / (degrees + t * t)},
        sine{t / std::sqrt(degrees + t * t)},
        odd{degrees % 2 == 1},
        term{odd ? std::sqrt(cosine2) : 1.0},
        k{odd ? 2.0 : 1.0} {}
  void go_on() {
    term *= cosine2 * k / (k + 1.0);
    k += 2;
  }

  double cosine2;
  double sine;
  bool odd;
  double term;  // the first one
  double k;
};

// P(|T| <= t), by the finite series.
double student_mass(double t, int degrees) {
  StudentSeries series(t, degrees);
  double sum = degrees == 1 ? 0.0 : series.term;
  while (series.k <= degrees - 3) {
    series.go_on();
    sum += series.term;
  }
  double const sine = series.sine;
  if (!series.odd) return sine * sum;
  // Not by the C library's arctangent, whose last bit differs from system to system
  // (docs/decisions/0009).
  double low = 0;  // theta / pi, by bisection on its sine
  double high = 0.5;
  for (int i = 0; i < 60; ++i) {
    double const middle = 0.5 * (low + high);
    (one_lane::SinPi(one_lane::F64(), middle) < sine ? low : high) = middle;
  }
  return 2 * low + 2 / 3.14159265358979324 * sine * sum;
}

// P(|T| > t): what the finite series leaves of the infinite one, which is 1. So it has its digits
// where the mass is next to 1.
double student_tail(double t, int degrees) {
  StudentSeries series(t, degrees);
  // All terms of the finite series, and one more.
  while (series.k <= degrees - 1.0) series.go_on();
  double sum = 0;
  for (; series.term > 1e-17 * sum; series.go_on()) sum += series.term;
  return (series.odd ? 2 / 3.14159265358979324 : 1.0) * series.sine * sum;
}

// From here on by the tail: of the mass the last digits would be all that tells one t from another.
constexpr double confidence_by_tail = 0.999;

}  // namespace

double student_quantile(double confidence, int degrees) {
  double const rest = 1 - confidence;
  auto const is_short = [&](double t) {
    return confidence > confidence_by_tail ? student_tail(t, degrees) > rest
                                           : student_mass(t, degrees) < confidence;
  };
  double low = 0;
  double high = 1;
  while (is_short(high)) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
    double const middle = 0.5 * (low + high);
    (is_short(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace makespan::simd
