// SPDX-License-Identifier: Apache-2.0
// Goal: sizes of caches as Linux tells them. Method: folders as it has them, whole and broken.
#include "makespan/grid/field/cache_sizes.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <fstream>
#include <string>

namespace makespan::grid {
namespace {

namespace fs = std::filesystem;

class CacheSizesTest : public testing::Test {
 protected:
  CacheSizesTest() { fs::create_directories(folder_); }
  ~CacheSizesTest() override { fs::remove_all(folder_); }

  void add(int index, std::string const& level, std::string const& size) {
    fs::path const cache = folder_ / ("index" + std::to_string(index));
    fs::create_directories(cache);
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "size") << size << '\n';
  }

  fs::path folder_{fs::temp_directory_path() / ("makespan_caches_" + std::to_string(::getpid()))};
};

TEST_F(CacheSizesTest, are_those_of_the_second_level_and_the_last) {
  add(0, "1", "32K");
  add(1, "1", "32K");
  add(2, "2", "1024K");
  add(3, "3", "32768K");

  CacheSizes const sizes = cache_sizes_in(folder_);

  EXPECT_EQ(sizes.core, std::int64_t{1} << 20);
  EXPECT_EQ(sizes.shared, std::int64_t{32} << 20);
  add(4, "4", "128M");
  EXPECT_EQ(cache_sizes_in(folder_).shared, std::int64_t{128} << 20);
}

TEST_F(CacheSizesTest, are_the_usual_ones_where_nothing_or_nonsense_is_told) {
  CacheSizes const usual = cache_sizes_in(folder_ / "nowhere");
  EXPECT_GT(usual.core, 0);
  EXPECT_GT(usual.shared, usual.core);

  add(2, "2", "many");
  add(3, "3", "12Q");
  EXPECT_EQ(cache_sizes_in(folder_).core, usual.core);
  EXPECT_EQ(cache_sizes_in(folder_).shared, usual.shared);
}

TEST_F(CacheSizesTest, this_machine_has_some) {
  EXPECT_GT(cache_sizes().core, 0);
  EXPECT_GT(cache_sizes().shared, 0);
}

}  // namespace
}  // namespace makespan::grid
