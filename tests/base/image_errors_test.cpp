// SPDX-License-Identifier: Apache-2.0
// Goal: an error names who, what and why.
#include "makespan/base/image_errors.hpp"

#include <gtest/gtest.h>

namespace makespan::pgas {
namespace {

TEST(ErrorsTest, Image_failed_names_image_reason_and_call) {
  ImageFailed const error(ImageId{3}, "on host b, killed", "get");
  EXPECT_EQ(error.image(), ImageId{3});
  EXPECT_STREQ(error.what(), "image 3 is lost (on host b, killed): get cannot be carried out");
}

TEST(ErrorsTest, Mpi_error_names_call_code_class_and_text) {
  MpiError const error("MPI_Put", 17, 5, "no such window", ImageId{2});
  EXPECT_EQ(error.call(), "MPI_Put");
  EXPECT_EQ(error.code(), 17);
  EXPECT_EQ(error.error_class(), 5);
  EXPECT_EQ(error.image(), ImageId{2});
  EXPECT_STREQ(error.what(), "image 2: MPI_Put failed (code 17, class 5): no such window");
}

TEST(ErrorsTest, Remote_error_names_image_and_text) {
  RemoteError const error(ImageId{1}, "out of range");
  EXPECT_EQ(error.image(), ImageId{1});
  EXPECT_STREQ(error.what(), "a call on image 1 threw: out of range");
}

}  // namespace
}  // namespace makespan::pgas
