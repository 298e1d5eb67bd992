// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work, Speed and Seconds, with only the arithmetic that means something.
//
// A second on one device is not a second on another: only work, and work divided by a speed, can be
// compared between devices. So these three are types of their own. Sums, differences, comparisons
// and scaling stay inside one kind; the ratio of two of a kind is a plain number; the only ways
// from one kind to another are the four operators at the end.
//
//   Seconds const alone = Work{3e9} / Speed{1e9};   // 3 s
//   Seconds const wrong = Work{3e9} + alone;        // does not compile
//
// Tested by tests/base/quantity_test.cpp and tests/base/must_not_compile/.

#include <compare>

namespace makespan {

// A real amount of one kind, in that kind's unit. NaN and infinity behave as in double.
template <class Kind>
class Quantity {
 public:
  constexpr Quantity() = default;  // zero
  constexpr explicit Quantity(double value) : value_{value} {}

  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }

  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity{a.value_ + b.value_};
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity{a.value_ - b.value_};
  }
  friend constexpr Quantity operator-(Quantity a) { return Quantity{-a.value_}; }
  friend constexpr Quantity operator*(Quantity a, double factor) {
    return Quantity{a.value_ * factor};
  }
  friend constexpr Quantity operator*(double factor, Quantity a) {
    return Quantity{factor * a.value_};
  }
  friend constexpr Quantity operator/(Quantity a, double divisor) {
    return Quantity{a.value_ / divisor};
  }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;

 private:
  double value_ = 0.0;
};

// How much there is to do, in a unit that the application chooses and keeps; for pricing,
// path-steps.
using Work = Quantity<struct WorkKind>;
// How fast one device does it: that unit per second.
using Speed = Quantity<struct SpeedKind>;
// Time on one device [s].
using Seconds = Quantity<struct SecondsKind>;

[[nodiscard]] constexpr Seconds operator/(Work work, Speed speed) {
  return Seconds{work.value() / speed.value()};
}
[[nodiscard]] constexpr Speed operator/(Work work, Seconds time) {
  return Speed{work.value() / time.value()};
}
[[nodiscard]] constexpr Work operator*(Speed speed, Seconds time) {
  return Work{speed.value() * time.value()};
}
[[nodiscard]] constexpr Work operator*(Seconds time, Speed speed) {
  return speed * time;
}

}  // namespace makespan
