// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/message_cost_cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "files_up_to.hpp"
#include "makespan/graph/object/machine_use.hpp"

namespace makespan::graph {
namespace {

namespace fs = std::filesystem;

class MessageCostCacheTest : public testing::Test {
 protected:
  ~MessageCostCacheTest() override { fs::remove_all(folder); }

  // What is read of a file that says this.
  std::optional<std::vector<MessageCost>> read_of(std::string const& text) {
    std::ofstream(cache.path()) << text;
    return cache.read(costs.size());
  }
  std::string text_of_file() const {
    std::ifstream file(cache.path());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder{fs::path(testing::TempDir()) / "message_cost_cache" / "makespan"};
  MessageCostCache cache{folder, 7};
  std::vector<MessageCost> costs{
      {.latency_s = 1.0 / 3e6, .send_s = 1e-7, .receive_s = 2e-7, .byte_s = 1e-10},
      {.latency_s = 5e-5, .send_s = 3e-7, .receive_s = 4e-7, .byte_s = 9e-9}};
};

TEST_F(MessageCostCacheTest, keeps_every_bit) {
  EXPECT_EQ(cache.read(2), std::nullopt);

  cache.write(costs);

  EXPECT_EQ(cache.read(2), costs);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);  // no draft stays
  EXPECT_EQ(MessageCostCache(folder, 8).read(2), std::nullopt);
}

TEST_F(MessageCostCacheTest, believes_nothing_that_is_not_as_written) {
  cache.write(costs);
  std::string const good = text_of_file();
  ASSERT_EQ(read_of(good), costs);

  EXPECT_EQ(cache.read(1), std::nullopt);
  EXPECT_EQ(cache.read(3), std::nullopt);
  EXPECT_EQ(read_of(""), std::nullopt);
  EXPECT_EQ(read_of(good.substr(0, good.size() - 8)), std::nullopt);
  EXPECT_EQ(read_of(good.substr(0, good.size() - 4)), std::nullopt);
  EXPECT_EQ(read_of(good.substr(0, good.size() - 1) + "x"), std::nullopt);
  EXPECT_EQ(read_of("another format" + good.substr(good.find('\n'))), std::nullopt);
  EXPECT_EQ(read_of(good.substr(0, good.find('\n')) + "\n1 1 1 1\n1 1 1 -1\nend\n"), std::nullopt);
  EXPECT_EQ(read_of(good.substr(0, good.find('\n')) + "\n1 1 1 1\n1 1 0 1\nend\n"), std::nullopt);
}

TEST_F(MessageCostCacheTest, forgets_what_is_old) {
  cache.write(costs);
  auto const days = [](int count) { return std::chrono::days(count); };

  fs::last_write_time(cache.path(), fs::file_time_type::clock::now() - days(kept_days - 1));
  EXPECT_EQ(cache.read(2), costs);
  fs::last_write_time(cache.path(), fs::file_time_type::clock::now() - days(kept_days + 1));
  EXPECT_EQ(cache.read(2), std::nullopt);
}

TEST_F(MessageCostCacheTest, keeps_the_older_one_on_a_full_disk) {
  cache.write(costs);
  std::string const older = text_of_file();
  {
    FilesUpTo const limit(100);
    cache.write({costs.back(), costs.front()});
  }
  EXPECT_EQ(text_of_file(), older);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

// Goal: two writers do not mix, though containers have the same process numbers. Method: what
// another writer of this number would have begun, under the name that it once had.
TEST_F(MessageCostCacheTest, writes_into_no_file_of_another_writer) {
  fs::create_directories(folder);
  fs::path const other = cache.path().string() + "." + std::to_string(::getpid());
  std::ofstream(other) << "half";

  cache.write(costs);

  EXPECT_EQ(cache.read(2), costs);
  std::ifstream file(other);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "half");
}

TEST_F(MessageCostCacheTest, may_be_none) {
  MessageCostCache const none({}, 7);

  none.write(costs);

  EXPECT_EQ(none.read(2), std::nullopt);
}

}  // namespace
}  // namespace makespan::graph
