// SPDX-License-Identifier: Apache-2.0
// Goal: images divide the cores that all of them may use, also where these are not all of the
// node's, and leave alone what each has for itself. Method: images that are tied to the same core,
// or each to its own; of what they get, all are told.
#include "makespan/bag/image/own_devices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "makespan/base/image_errors.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/process_hold.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::bag {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

std::vector<int> own_cores_all() {
  auto const mine = own_devices_all(machine::devices_from("cpu"));
  EXPECT_EQ(mine.size(), 1U);
  return mine.front().cores;
}

// The cores of all images, one list behind the other.
std::vector<int> joined_all(std::vector<int> const& mine) {
  auto const job = pgas::open_job_all();
  std::vector<int> joined;
  for (auto const& bytes : job->exchange_all(std::as_bytes(std::span(mine)))) {
    std::vector<int> cores(bytes.size() / sizeof(int));
    std::memcpy(cores.data(), bytes.data(), bytes.size());
    joined.insert(joined.end(), cores.begin(), cores.end());
  }
  job->finish_all();
  return joined;
}

class OwnDevices : public testing::Test {
 protected:
  // This image, and how many there are.
  void SetUp() override {
    pgas::Runtime runtime;
    image_ = static_cast<int>(runtime.image().value());
    images_ = runtime.images();
    runtime.finish_all();
  }

  int image_{};
  int images_{};
  std::vector<int> allowed_{machine::allowed_cores()};
};

TEST_F(OwnDevices, are_a_row_of_the_cores_that_all_may_use) {
  std::vector<int> const mine = own_cores_all();

  if (images_ == 1) {
    EXPECT_TRUE(mine.empty()) << "all, without being tied to them";
    return;
  }
  auto const at_most = std::max<std::ptrdiff_t>(1, (std::ssize(allowed_) + images_ - 1) / images_);
  EXPECT_GE(std::ssize(mine), 1);
  EXPECT_LE(std::ssize(mine), at_most);
}

TEST_F(OwnDevices, are_other_cores_on_each_image) {
  if (images_ == 1) GTEST_SKIP() << "an image alone is tied to none";
  if (std::ssize(allowed_) < images_) GTEST_SKIP() << "there are more images than cores";

  EXPECT_THAT(joined_all(own_cores_all()), UnorderedElementsAreArray(allowed_));
}

TEST_F(OwnDevices, are_a_part_of_what_a_job_may_use_of_its_node) {
  machine::PinScope const pin(allowed_.front());
  ASSERT_THAT(machine::allowed_cores(), ElementsAre(allowed_.front()));

  std::vector<int> const mine = own_cores_all();

  if (images_ > 1) {
    EXPECT_THAT(mine, ElementsAre(allowed_.front()));
  } else {
    EXPECT_TRUE(mine.empty());
  }
}

TEST_F(OwnDevices, are_left_alone_where_each_image_has_its_cores) {
  if (std::ssize(allowed_) < images_) GTEST_SKIP() << "there are more images than cores";
  machine::PinScope const pin(allowed_[static_cast<std::size_t>(image_)]);

  EXPECT_TRUE(own_cores_all().empty());
}

// A GPU is fed from the cores of the image that has it: where images have their own, no other one
// leaves it any.
TEST_F(OwnDevices, are_beside_GPUs_that_are_fed_from_the_same_cores) {
  auto const mine = machine::devices_from(image_ == 0 ? "cpu" : "cuda:0 cuda:1");
  {
    machine::PinScope const pin(allowed_.front());
    EXPECT_EQ(gpus_on_own_cores_all(mine), 2 * (images_ - 1));
  }
  if (std::ssize(allowed_) < images_) GTEST_SKIP() << "there are more images than cores";
  machine::PinScope const pin(allowed_[static_cast<std::size_t>(image_)]);
  EXPECT_EQ(gpus_on_own_cores_all(mine), image_ == 0 ? 0 : 2);
}

// The numbers of images that share a node may differ, and so what is listed for each.
TEST_F(OwnDevices, are_asked_for_by_all_whatever_each_lists) {
  auto const mine = own_devices_all(machine::devices_from(
      image_ == 0 ? "cpu" : "cpu[cores=" + std::to_string(allowed_.front()) + "]"));

  EXPECT_EQ(mine.size(), 1U);
}

// The last image tells what no build of ours does, in the exchange that the others are in.
TEST_F(OwnDevices, are_not_divided_by_numbers_that_are_none) {
  if (images_ == 1) GTEST_SKIP() << "an image believes itself";
  for (std::size_t const bytes : {0U, 5U}) {
    if (image_ == images_ - 1) {
      pgas::ProcessHold const hold;
      static_cast<void>(pgas::open_job_all()->exchange_all(std::vector<std::byte>(bytes)));
      continue;
    }
    EXPECT_THAT([] { static_cast<void>(own_cores_all()); },
                testing::ThrowsMessage<BadMessage>(testing::HasSubstr(
                    "from image " + std::to_string(images_ - 1) +
                    " that cannot be (numbers of cores, of " + std::to_string(bytes) + " bytes)")));
  }
}

}  // namespace
}  // namespace makespan::bag
