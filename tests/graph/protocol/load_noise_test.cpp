// SPDX-License-Identifier: Apache-2.0
// Goal: what is said of the error of places' loads is their error. Method: loads with an error that
// is drawn, with growth, moves and outliers beside it.
#include "makespan/graph/protocol/load_noise.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace makespan::graph {
namespace {

constexpr int each = 8;  // objects of a place

struct TwoLooks {
  int places{};
  std::vector<double> before_s{};
  std::vector<double> now_s{};
  std::vector<std::int32_t> place_before{};
  std::vector<std::int32_t> place_now{};

  [[nodiscard]] double noise(double otherwise = -1.0) const {
    return load_noise({.before_s = before_s,
                       .now_s = now_s,
                       .place_before = place_before,
                       .place_now = place_now},
                      places, otherwise);
  }
};

// Errors of the objects of a place are alike.
TwoLooks drawn(int places, double deviation, double growth) {
  std::mt19937_64 random{7};
  std::normal_distribution<double> normal;
  auto const error = [&](auto& draws) { return 1.0 + deviation * normal(draws); };
  std::uniform_real_distribution<double> work{1e-3, 1e-2};
  TwoLooks looks{.places = places};
  for (int place = 0; place < places; ++place) {
    double const before = error(random);
    double const now = error(random);
    for (int object = 0; object < each; ++object) {
      double const true_s = work(random);
      looks.before_s.push_back(true_s * before);
      looks.now_s.push_back(growth * true_s * now);
      looks.place_before.push_back(place);
      looks.place_now.push_back(place);
    }
  }
  return looks;
}

TEST(LoadNoise, is_the_deviation_of_one_measurement_of_a_place) {
  EXPECT_NEAR(drawn(4000, 0.08, 1.0).noise(), 0.08, 0.008);
  EXPECT_NEAR(drawn(4000, 0.01, 1.0).noise(), 0.01, 0.001);
}

TEST(LoadNoise, leaves_out_what_all_have_grown_by) {
  EXPECT_NEAR(drawn(4000, 0.05, 3.0).noise(), 0.05, 0.005);
  EXPECT_EQ(drawn(100, 0.0, 2.0).noise(), 0.0);
}

TEST(LoadNoise, is_not_changed_by_a_few_objects_whose_work_changed) {
  TwoLooks looks = drawn(1000, 0.05, 1.0);
  for (std::size_t object = 0; object < std::size_t{50} * each; object += each) {
    looks.now_s[object] *= 20.0;
  }

  EXPECT_NEAR(looks.noise(), 0.05, 0.01);
}

TEST(LoadNoise, is_told_by_objects_that_stayed_and_were_measured) {
  TwoLooks looks = drawn(10, 0.0, 1.0);
  // At each place one has come from elsewhere, and one was not measured before.
  for (std::size_t object = 0; object < looks.now_s.size(); object += each) {
    looks.place_before[object] = 9 - looks.place_now[object];
    looks.now_s[object] *= 2.0 + static_cast<double>(object);
    looks.before_s[object + 1] = -1.0;
  }

  EXPECT_EQ(looks.noise(), 0.0);
}

TEST(LoadNoise, of_three_places_is_not_known) {
  EXPECT_EQ(drawn(3, 0.1, 1.0).noise(0.25), 0.25);
  EXPECT_GE(drawn(4, 0.1, 1.0).noise(), 0.0);
}

}  // namespace
}  // namespace makespan::graph
