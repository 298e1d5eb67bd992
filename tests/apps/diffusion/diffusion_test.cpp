// SPDX-License-Identifier: Apache-2.0
// Goal: a step is what the formula says, to the last bit, for every instruction set, size, face and
// number of steps at once. Method: the plainest program there is, and modes whose decay is known
// exactly: u = cos(π m (i + 1/2) / N) along each axis without flux, and sin(π m i / (N + 1))
// between values of 0, are multiplied by g = 1 - 2 Σ λ (1 - cos θ) in each step.
#include "makespan/apps/diffusion/diffusion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/grid/field/slab_fields.hpp"
#include "plain_field.hpp"

namespace makespan::diffusion {
namespace {

using grid::Beyond;
using grid::Box;
using grid::FaceKind;
using grid::Point;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string_view> all_isas() {
  std::vector<std::string_view> names;
  for (Kernels const* const table : Kernels::available()) names.push_back(table->isa);
  return names;
}

constexpr grid::FaceValues face_values{0.25, -1, 2, 0.5, 3, -0.125};

// One slab that is the whole grid.
class Whole {
 public:
  Whole(Point size, FaceKind kind, std::int64_t width = 1)
      : fields_(grid::SlabPlan{.box = {{}, size},
                               .sides = sides_of(kind),
                               .halo_width = width,
                               .roles = {grid::FieldRole::spreads},
                               .values = {face_values}}) {
    fields_.clear(fields_.first_plane(), fields_.last_plane());
  }

  template <class Value>
  void fill(Value&& value) {
    Point const size = fields_.box().extent();
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        for (std::int64_t x = 0; x < size.x; ++x) {
          fields_.now()[0].at(y, z)[x] = value(Point{x, y, z});
        }
      }
    }
  }

  void step(Diffusion const& diffusion, int steps = 1) {
    sweep(diffusion, fields_.box(), steps);
    fields_.advance();
  }
  void sweep(Diffusion const& diffusion, Box const& box, int steps = 1) {
    diffusion.sweep({.box = box, .steps = steps, .now = fields_.now(), .next = fields_.next()});
  }
  void advance() { fields_.advance(); }

  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> values;
    Point const size = fields_.box().extent();
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        double const* const row = fields_.now()[0].at(y, z);
        values.insert(values.end(), row, row + size.x);
      }
    }
    return values;
  }

 private:
  static grid::Sides sides_of(FaceKind kind) {
    grid::Sides sides;
    sides.fill(kind == FaceKind::value ? Beyond::value : Beyond::mirror);
    return sides;
  }

  grid::SlabFields fields_;
};

constexpr Lambdas uneven{0.15, 0.05, 0.2};

std::vector<double> plain(Point size, FaceKind kind, int steps) {
  PlainField field(size, grid::faces_all(kind), face_values);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t y = 0; y < size.y; ++y) {
      for (std::int64_t x = 0; x < size.x; ++x) field.values()[i++] = drawn_at({x, y, z});
    }
  }
  for (int step = 0; step < steps; ++step) field.step(factors_of(uneven));
  return field.values();
}

// Long rows and short ones, one of each, fewer planes than are computed at once, whole groups and
// one more.
constexpr std::array<Point, 12> sizes{{{1, 1, 1},
                                       {1, 1, 9},
                                       {1, 9, 1},
                                       {9, 1, 1},
                                       {7, 5, 3},
                                       {8, 8, 8},
                                       {16, 3, 4},
                                       {17, 4, 5},
                                       {23, 11, 13},
                                       {40, 40, 6},
                                       {15, 2, 21},
                                       {64, 5, 12}}};

class DiffusionTest : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Isa, DiffusionTest, testing::ValuesIn(all_isas()),
                         [](auto const& of) { return std::string(of.param); });

TEST_P(DiffusionTest, is_the_plain_formula_to_the_last_bit) {
  for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value}) {
    for (Point const& size : sizes) {
      for (std::int64_t const shared_cache : {std::int64_t{1}, std::int64_t{1} << 40}) {
        // Small tiles, and one tile.
        for (std::int64_t const core_cache : {std::int64_t{1}, std::int64_t{1} << 40}) {
          Diffusion const diffusion(
              uneven, {.isa = GetParam(), .core_cache = core_cache, .shared_cache = shared_cache});
          Whole whole(size, kind);
          whole.fill(drawn_at);
          for (int step = 0; step < 3; ++step) whole.step(diffusion);

          ASSERT_EQ(whole.values(), plain(size, kind, 3))
              << size.x << " x " << size.y << " x " << size.z << ", face " << static_cast<int>(kind)
              << ", cache " << core_cache;
        }
      }
    }
  }
}

TEST_P(DiffusionTest, makes_several_steps_at_once_with_the_same_bits) {
  for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value}) {
    for (Point const& size : sizes) {
      for (int steps = 2; steps <= 8; ++steps) {
        for (std::int64_t const cache : {std::int64_t{1}, std::int64_t{1} << 40}) {
          Diffusion const diffusion(
              uneven,
              {.isa = GetParam(), .steps_max = 8, .core_cache = cache, .shared_cache = cache});
          Whole whole(size, kind, steps);
          whole.fill(drawn_at);
          whole.step(diffusion, steps);

          ASSERT_EQ(whole.values(), plain(size, kind, steps))
              << size.x << " x " << size.y << " x " << size.z << ", " << steps << " steps";
        }
      }
    }
  }
}

TEST_P(DiffusionTest, gives_each_part_of_a_grid_as_it_gives_the_whole) {
  Point const size{23, 11, 13};
  Diffusion const diffusion(uneven, {.isa = GetParam(), .steps_max = 3});
  for (int const steps : {1, 3}) {
    Whole whole(size, FaceKind::no_flux, 3);
    whole.fill(drawn_at);
    for (Box const& box : {Box{{0, 0, 0}, {23, 11, 2}}, Box{{0, 0, 2}, {23, 4, 13}},
                           Box{{0, 4, 2}, {8, 11, 13}}, Box{{8, 4, 2}, {16, 11, 13}},
                           Box{{16, 4, 2}, {23, 11, 9}}, Box{{16, 4, 9}, {23, 11, 13}}}) {
      whole.sweep(diffusion, box, steps);
    }
    whole.advance();

    EXPECT_EQ(whole.values(), plain(size, FaceKind::no_flux, steps)) << steps;
  }
}

// u = Π cos(π m (i + 1/2) / N).
double cosine_mode(Point at, std::array<int, 3> const& m, double n) {
  auto const along = [&](std::int64_t i, int mode) {
    return std::cos(std::numbers::pi * mode * (static_cast<double>(i) + 0.5) / n);
  };
  return along(at.x, m[0]) * along(at.y, m[1]) * along(at.z, m[2]);
}

struct Mode {
  double lambda;
  std::array<int, 3> m;
  double decay;  // in 1000 steps
};

TEST_P(DiffusionTest, decays_modes_without_flux_as_the_discrete_formula_says) {
  constexpr int n = 64;
  for (Mode const& mode :
       {Mode{0.1, {1, 1, 1}, 0.48530021990689626}, Mode{0.1, {3, 2, 1}, 0.034240430794963389},
        Mode{1.0 / 6, {1, 0, 0}, 0.66925158594797052}}) {
    Diffusion const diffusion({mode.lambda, mode.lambda, mode.lambda},
                              {.isa = GetParam(), .steps_max = 4});
    int const steps = GetParam() == "one_lane" ? 200 : 1000;
    double const decay = std::pow(mode.decay, steps / 1000.0);
    Whole whole({n, n, n}, FaceKind::no_flux, 4);
    whole.fill([&](Point at) { return cosine_mode(at, mode.m, n); });
    for (int step = 0; step < steps; step += 4) whole.step(diffusion, 4);

    std::vector<double> const values = whole.values();
    double worst = 0;
    std::size_t i = 0;
    for (std::int64_t z = 0; z < n; ++z) {
      for (std::int64_t y = 0; y < n; ++y) {
        for (std::int64_t x = 0; x < n; ++x) {
          double const exact = decay * cosine_mode({x, y, z}, mode.m, n);
          worst = std::max(worst, std::abs(values[i++] - exact));
        }
      }
    }
    EXPECT_LT(worst, 1e-12) << mode.lambda << " " << mode.m[0] << mode.m[1] << mode.m[2];
  }
}

TEST(Diffusion, keeps_the_mass_without_flux) {
  constexpr int steps = 10'000;
  Diffusion const diffusion({1.0 / 6, 1.0 / 6, 1.0 / 6}, {.steps_max = 8});
  Whole whole({19, 17, 13}, FaceKind::no_flux, 8);
  whole.fill(drawn_at);
  auto const mass = [&] {
    long double sum = 0;
    for (double const value : whole.values()) sum += value;
    return sum;
  };
  long double const before = mass();
  for (int step = 0; step < steps; step += 8) whole.step(diffusion, 8);

  EXPECT_LT(std::abs(static_cast<double>(mass() / before - 1)), 1e-13 * std::sqrt(steps));
}

// In free space each step adds exactly 2 λ to the second moment along each axis.
TEST(Diffusion, widens_a_bell_as_it_should) {
  constexpr int n = 96;
  constexpr double lambda = 0.125;
  constexpr double width = 4;  // points
  constexpr int steps = 60;
  Diffusion const diffusion({lambda, lambda, lambda}, {.steps_max = 4});
  Whole whole({n, n, n}, FaceKind::no_flux, 4);
  auto const from_centre = [](std::int64_t i) { return static_cast<double>(i) - (n - 1) / 2.0; };
  whole.fill([&](Point at) {
    double const r2 = from_centre(at.x) * from_centre(at.x) +
                      from_centre(at.y) * from_centre(at.y) + from_centre(at.z) * from_centre(at.z);
    return std::exp(-r2 / (2 * width * width));
  });
  auto const moment = [&] {
    std::vector<double> const values = whole.values();
    long double sum = 0;
    long double second = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      double const x = from_centre(static_cast<std::int64_t>(i) % n);
      sum += values[i];
      second += values[i] * x * x;
    }
    return static_cast<double>(second / sum);
  };
  double const before = moment();
  for (int step = 0; step < steps; step += 4) whole.step(diffusion, 4);

  EXPECT_NEAR(moment() - before, 2 * lambda * steps, 1e-10);
  double const peak = whole.values()[static_cast<std::size_t>((n / 2 * n + n / 2) * n + n / 2)];
  double const wide = width * width + 2 * lambda * steps;
  EXPECT_NEAR(peak, std::pow(width * width / wide, 1.5), 0.01);
}

TEST(Diffusion, refuses_a_time_step_that_is_not_stable) {
  EXPECT_THAT([] { Diffusion({0.2, 0.2, 0.17}); },
              ThrowsMessage<InputError>(testing::AllOf(HasSubstr("= 0.57"), HasSubstr("up to 0.5"),
                                                       HasSubstr("by less than 0.877193"))));
  EXPECT_THAT([] { Diffusion({-0.1, 0.2, 0.1}); },
              ThrowsMessage<InputError>(HasSubstr("lambda = -0.1")));
  EXPECT_THAT([] { Diffusion({std::nan(""), 0.2, 0.1}); },
              ThrowsMessage<InputError>(HasSubstr("lambda = nan")));
  EXPECT_NO_THROW(Diffusion({1.0 / 6, 1.0 / 6, 1.0 / 6}));
}

TEST(Diffusion, refuses_steps_and_instruction_sets_that_it_has_not) {
  EXPECT_THAT([] { Diffusion({0.1, 0.1, 0.1}, {.steps_max = 9}); },
              ThrowsMessage<InputError>(HasSubstr("take 1 to 8")));
  EXPECT_THAT([] { Diffusion({0.1, 0.1, 0.1}, {.isa = "mmx"}); },
              ThrowsMessage<InputError>(HasSubstr("one_lane")));
}

}  // namespace
}  // namespace makespan::diffusion
