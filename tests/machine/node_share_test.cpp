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
                          std::vector<int> const& cores = eight) {
  NodePlace const place{.rank = rank, .size = size};
  auto const share =
      share_of_node(devices_from(devices), place, {.numbers = cores, .place = place});
  EXPECT_EQ(share.size(), 1U);
  return share.front().cores;
}

TEST(NodeShare, of_an_image_alone_is_all) {
  auto const share =
      share_of_node(devices_from("cpu[cores=1] cpu[cores=2]"), {}, {.numbers = eight});

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
  auto const share = share_of_node(devices_from("cpu"), {.rank = 1, .size = 4},
                                   {.numbers = {2, 3}, .place = {.rank = 0, .size = 1}});

  EXPECT_TRUE(share.front().cores.empty());
}

// As in a container that has some of a machine's cores: all images may use these, and no others.
TEST(NodeShare, of_a_part_of_the_node_that_all_may_use_is_a_row_of_it) {
  std::vector<std::vector<int>> const masks(3, {2, 3, 5, 7});
  for (std::size_t image = 0; image < masks.size(); ++image) {
    NodePlace const place = place_among_equals(masks, image);
    EXPECT_EQ(place.rank, static_cast<int>(image));
    EXPECT_EQ(place.size, 3);
  }
  EXPECT_THAT(cores_of("cpu", 0, 3, masks[0]), ElementsAre(2));
  EXPECT_THAT(cores_of("cpu", 1, 3, masks[1]), ElementsAre(3));
  EXPECT_THAT(cores_of("cpu", 2, 3, masks[2]), ElementsAre(5, 7));
}

TEST(NodeShare, is_among_those_that_may_use_the_same_cores) {
  std::vector<std::vector<int>> const masks{{0, 1}, {2, 3}, {0, 1}, {4}};

  NodePlace const second_of_two = place_among_equals(masks, 2);
  EXPECT_EQ(second_of_two.rank, 1);
  EXPECT_EQ(second_of_two.size, 2);
  for (std::size_t const alone : {1U, 3U}) {
    EXPECT_EQ(place_among_equals(masks, alone).rank, 0);
    EXPECT_EQ(place_among_equals(masks, alone).size, 1);
  }
}

TEST(NodeShare, has_the_GPUs_of_those_that_may_use_the_same_cores) {
  std::vector<std::vector<int>> const masks{{0, 1}, {2, 3}, {0, 1}, {4}};
  std::vector<int> const gpus{0, 1, 2, 4};

  EXPECT_EQ(gpus_among_equals(masks, gpus, 0), 2);
  EXPECT_EQ(gpus_among_equals(masks, gpus, 1), 1);
  EXPECT_EQ(gpus_among_equals(masks, gpus, 2), 2);
  EXPECT_EQ(gpus_among_equals(masks, gpus, 3), 4);
}

TEST(NodeShare, of_many_devices_is_a_row_of_them) {
  auto const devices = devices_from("cpu[cores=0] cpu[cores=1] cuda:0");

  auto const first = share_of_node(devices, {.rank = 0, .size = 2}, {.numbers = eight});
  auto const second = share_of_node(devices, {.rank = 1, .size = 2}, {.numbers = eight});

  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].text, "cpu[cores=0]");
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second[1].text, "cuda:0");
}

TEST(NodeShare, of_too_few_devices_is_refused) {
  for (std::string_view const devices : {"cpu[cores=0] cpu[cores=1]", "cuda:0"}) {
    try {
      static_cast<void>(share_of_node(devices_from(devices), {.rank = 2, .size = 3},
                                      {.numbers = eight, .place = {.rank = 2, .size = 3}}));
      ADD_FAILURE();
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), HasSubstr("3 images of a node"));
    }
  }
}

}  // namespace
}  // namespace makespan::machine
