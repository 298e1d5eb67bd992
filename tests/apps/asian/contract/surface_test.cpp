// SPDX-License-Identifier: Apache-2.0
// Goal: a surface goes through its points, is smooth between them, and flat outside. Method:
// functions that bicubic interpolation has exactly, and differences.
#include "makespan/apps/asian/contract/detail/surface.hpp"

#include <gtest/gtest.h>

#include "apps/asian/surface_contracts.hpp"
#include "makespan/apps/asian/contract/basket_law.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

TEST(Surface, goes_through_its_points) {
  SurfaceOf const surface = skewed();
  for (std::size_t i = 0; i < surface.time.size(); ++i) {
    SurfaceSlice const slice{surface.view(), surface.time[i]};
    for (std::size_t k = 0; k < surface.log_moneyness.size(); ++k) {
      EXPECT_NEAR(slice.at(surface.log_moneyness[k]),
                  surface.volatility[i * surface.log_moneyness.size() + k], 1e-15);
    }
  }
}

TEST(Surface, has_parabolas_of_moneyness_and_time_on_any_grid) {
  SurfaceOf surface{{0, 0.3, 0.5, 1.1, 1.4, 2}, {-0.9, -0.5, -0.2, 0.1, 0.6, 0.7, 1}, {}};
  auto const value = [](double t, double x) {
    return 0.3 + 0.05 * t - 0.01 * t * t - 0.08 * x + 0.06 * x * x + 0.02 * t * x;
  };
  for (double const t : surface.time) {
    for (double const x : surface.log_moneyness) surface.volatility.push_back(value(t, x));
  }
  // Cells at a border know one neighbour less.
  for (double const t : {0.35, 0.6, 1.2}) {
    SurfaceSlice const slice{surface.view(), t};
    for (double const x : {-0.4, -0.1, 0.0, 0.3, 0.65}) {
      EXPECT_NEAR(slice.at(x), value(t, x), 1e-14) << t << ' ' << x;
      double const h = 1e-6;
      EXPECT_NEAR(slice.slope_at(x), (slice.at(x + h) - slice.at(x - h)) / (2 * h), 1e-8);
    }
  }
}

TEST(Surface, is_flat_outside_its_grid) {
  SurfaceOf const surface = skewed();
  SurfaceSlice const early{surface.view(), -1};
  SurfaceSlice const first{surface.view(), 0};
  SurfaceSlice const late{surface.view(), 5};
  SurfaceSlice const last{surface.view(), 2};
  for (double const x : {-3.0, -0.33, 0.0, 0.7, 4.0}) {
    EXPECT_EQ(early.at(x), first.at(x));
    EXPECT_EQ(late.at(x), last.at(x));
  }
  EXPECT_EQ(first.at(-3), first.at(-1));
  EXPECT_EQ(first.at(4), first.at(1));
  EXPECT_EQ(first.slope_at(4), 0);
  SurfaceOf const level = flat(0.3);
  SurfaceSlice const one{level.view(), 0.1};
  EXPECT_EQ(one.at(-1), 0.3);
  EXPECT_EQ(one.slope_at(0), 0);
}

TEST(Surface, is_never_less_than_a_quarter_of_its_least_point) {
  SurfaceOf const surface{{1}, {-0.2, -0.1, 0, 0.1, 0.2}, {1, 1, 0.01, 0.01, 1}};
  SurfaceSlice const slice{surface.view(), 1};
  for (double x = -0.3; x < 0.3; x += 0.001) EXPECT_GE(slice.at(x), 0.0025);
}

TEST(Surface, has_slices_for_kernels_that_are_the_same_function) {
  SurfaceOf const surface = skewed();
  Contract contract = monthly_call();
  contract.volatility = 0;
  Surface const view = surface.view();
  Basket const basket = basket_of_one(contract, &view);
  contract.basket = &basket;
  contract.drift = 0;
  BasketSchedule schedule;
  static_cast<void>(make_basket_law(contract, schedule));
  ASSERT_EQ(schedule.steps.size(), 12 * 6);  // 1/12 in steps of at most 1/64
  SliceGrid const grid = schedule.grids[0];
  for (std::size_t i = 0; i < schedule.steps.size(); i += 7) {
    BasketStep const& step = schedule.steps[i];
    SurfaceSlice const slice{view, step.time - 0.5 * step.dt};
    for (double x = grid.low; x <= 1; x += 0.0137) {
      double const place = (x - grid.low) * grid.inverse_width;
      double const cell = std::nearbyint(place);
      double const f = place - cell;
      double const* const c =
          schedule.slices.data() + schedule.terms[i].slice + 4 * static_cast<std::size_t>(cell);
      EXPECT_NEAR(c[0] + f * (c[1] + f * (c[2] + f * c[3])), slice.at(x), 2e-6) << x;
    }
  }
}

TEST(Surface, refuses_what_is_none) {
  auto const refuses = [](SurfaceOf const& surface) {
    BookColumns columns;
    add_surface_row(columns, monthly_call(), add_surface(columns, surface));
    EXPECT_THROW(ContractReader{columns.book()}, InputError);
  };
  refuses({{0.5, 0.5}, {0}, {0.2, 0.2}});
  refuses({{-0.5}, {0}, {0.2}});
  refuses({{0.5}, {0, 0}, {0.2, 0.2}});
  refuses({{0.5}, {0}, {0}});
  refuses({{0.5}, {0}, {std::nan("")}});
  refuses({{0.5}, {0, 1}, {0.2}});
}

}  // namespace
}  // namespace makespan::asian
