// SPDX-License-Identifier: Apache-2.0
// Goal: what MPI returns becomes an exception that names call, class, text and image.
#include "makespan/pgas/mpi/mpi_error.hpp"

#include <gtest/gtest.h>

#include <string>

#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/mpi/mpi_process.hpp"

namespace makespan::pgas {
namespace {

class MpiErrorTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!MpiProcess::is_running()) GTEST_SKIP() << "MPI is not running";
  }
};

TEST_F(MpiErrorTest, Error_is_none_for_success) {
  EXPECT_NO_THROW(check_mpi(MPI_SUCCESS, "MPI_Put", ImageId{0}));
  EXPECT_FALSE(is_process_failure(MPI_SUCCESS));
}

TEST_F(MpiErrorTest, Error_names_call_class_text_and_image) {
  try {
    check_mpi(MPI_ERR_RANK, "MPI_Put", ImageId{3}, ImageId{5});
    FAIL() << "a bad rank is an error";
  } catch (MpiError const& error) {
    std::string const text = error.what();
    EXPECT_EQ(error.call(), "MPI_Put");
    EXPECT_EQ(error.error_class(), MPI_ERR_RANK);
    EXPECT_EQ(error.image(), ImageId{3});
    EXPECT_NE(text.find("image 3: MPI_Put failed"), std::string::npos) << text;
    EXPECT_NE(text.find("rank"), std::string::npos) << text;
  }
}

TEST_F(MpiErrorTest, Error_of_a_real_call_is_returned_and_not_fatal) {
  MPI_Comm copy = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Comm_dup(MPI_COMM_SELF, &copy), MPI_SUCCESS);
  ASSERT_EQ(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), MPI_SUCCESS);
  int const data = 0;

  EXPECT_THROW(check_mpi(MPI_Send(&data, 1, MPI_INT, 99, 0, copy), "MPI_Send", ImageId{0}),
               MpiError);

  EXPECT_EQ(MPI_Comm_free(&copy), MPI_SUCCESS);
}

TEST_F(MpiErrorTest, No_rank_has_failed) {
  EXPECT_TRUE(failed_ranks(MPI_COMM_WORLD).empty());
}

#if MAKESPAN_MPI_ULFM
TEST_F(MpiErrorTest, Failed_process_is_a_failed_image) {
  EXPECT_TRUE(is_process_failure(MPIX_ERR_PROC_FAILED));
  try {
    check_mpi(MPIX_ERR_PROC_FAILED, "MPI_Put", ImageId{3}, ImageId{5});
    FAIL() << "a failed process is an error";
  } catch (ImageFailed const& failure) {
    EXPECT_EQ(failure.image(), ImageId{5});
  }
}
#endif

}  // namespace
}  // namespace makespan::pgas
