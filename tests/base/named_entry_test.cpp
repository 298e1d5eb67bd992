// SPDX-License-Identifier: Apache-2.0
// Goal: an entry is found by its name, and the nearest is named otherwise. Method: a list of two.
#include "makespan/base/named_entry.hpp"

#include <gtest/gtest.h>

#include <array>

namespace makespan {
namespace {

struct Color {
  std::string_view name;
  int value;
};

constexpr std::array<Color, 2> colors{{{"red", 1}, {"green", 2}}};

TEST(NamedEntry, is_found) {
  EXPECT_EQ(entry_named("color", std::span<Color const>(colors), "green").value, 2);
}

TEST(NamedEntry, that_there_is_not_names_the_nearest) {
  try {
    static_cast<void>(entry_named("color", std::span<Color const>(colors), "gren"));
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(),
                 "color 'gren' is unknown (known: red, green): did you mean 'green'?");
  }
}

}  // namespace
}  // namespace makespan
