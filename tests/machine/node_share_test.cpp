// SPDX-License-Identifier: Apache-2.0
// Goal: the images of a node divide its devices, each of which belongs to an image, and a CPU's
// cores. Method: lists of devices and numbers of images, by hand.
#include "makespan/machine/node_share.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::machine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<int> const eight{0, 1, 2, 3, 4, 5, 6, 7};

std::vector<int> cores_of(std::string_view devices, int rank, int size,
                          std::vector<int> const& cores = eight, int node_cores = 8) {
  auto const share =
      share_of_node(devices_from(devices), {.rank = rank, .size = size}, cores, node_cores);
  EXPECT_EQ(share.size(), 1U);
  return share.front().cores;
}

TEST(NodeShare, of_an_image_alone_is_all) {
  auto const share = share_of_node(devices_from("cpu[cores=1] cpu[cores=2]"), {}, eight, 8);

  EXPECT_EQ(share.size(), 2U);
  EXPECT_TRUE(cores_of("cpu", 0, 1).empty());
}

TEST(NodeShare, of_one_cpu_is_a_row_of_its_cores) {
  EXPECT_THAT(cores_of("cpu", 0, 3), ElementsAre(0, 1));
  EXPECT_THAT(cores_of("cpu", 1, 3), ElementsAre(2, 3, 4));
  EXPECT_THAT(cores_of("cpu", 2, 3), ElementsAre(5, 6, 7));
  EXPECT_THAT(cores_of("cpu[cores=4-7]", 1, 2), ElementsAre(6, 7));
}

TEST(NodeShare, of_fewer_cores_than_images_is_one_that_others_have_too) {
  EXPECT_THAT(cores_of("cpu[cores=4+5]", 0, 3), ElementsAre(4));
  EXPECT_THAT(cores_of("cpu[cores=4+5]", 1, 3), ElementsAre(5));
  EXPECT_THAT(cores_of("cpu[cores=4+5]", 2, 3), ElementsAre(4));
}

TEST(NodeShare, leaves_cores_alone_that_the_launcher_has_given) {
  EXPECT_TRUE(cores_of("cpu", 1, 4, {2, 3}, 8).empty());
}

TEST(NodeShare, of_many_devices_is_a_row_of_them) {
  auto const devices = devices_from("cpu[cores=0] cpu[cores=1] cuda:0");

  auto const first = share_of_node(devices, {.rank = 0, .size = 2}, eight, 8);
  auto const second = share_of_node(devices, {.rank = 1, .size = 2}, eight, 8);

  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].text, "cpu[cores=0]");
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second[1].text, "cuda:0");
}

TEST(NodeShare, of_too_few_devices_is_refused) {
  for (std::string_view const devices : {"cpu[cores=0] cpu[cores=1]", "cuda:0"}) {
    try {
      static_cast<void>(share_of_node(devices_from(devices), {.rank = 2, .size = 3}, eight, 8));
      ADD_FAILURE();
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), HasSubstr("3 images of a node"));
    }
  }
}

}  // namespace
}  // namespace makespan::machine
