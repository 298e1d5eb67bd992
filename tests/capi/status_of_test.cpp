// SPDX-License-Identifier: Apache-2.0
// Goal: whatever is thrown below the boundary comes out as the status that the header promises,
// with its text, and nothing gets through.
#include "makespan/capi/detail/status_of.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::capi {
namespace {

template <class Error>
int status_after(Error const& error) {
  return status_of([&] { throw error; });
}

TEST(Status, of_a_call_that_returns_is_ok_and_keeps_the_text_before) {
  static_cast<void>(status_after(std::runtime_error("first")));
  EXPECT_EQ(MAKESPAN_OK, status_of([] {}));
  EXPECT_STREQ("first", makespan_last_error());
}

TEST(Status, tells_errors_apart) {
  ImageId const image{3};
  EXPECT_EQ(MAKESPAN_BAD_INPUT, status_after(InputError("a", "b", "c")));
  EXPECT_EQ(MAKESPAN_IMAGE_FAILED, status_after(ImageFailed(image, "died", "get")));
  EXPECT_EQ(MAKESPAN_TIMEOUT, status_after(WaitTimeout("late")));
  EXPECT_EQ(MAKESPAN_MPI_ERROR, status_after(MpiError("MPI_Put", 5, 1, "no", image)));
  EXPECT_EQ(MAKESPAN_NOT_CONFIGURED, status_after(NotConfigured("UCX")));
  EXPECT_EQ(MAKESPAN_REMOTE_ERROR, status_after(RemoteError(image, "it threw")));
  EXPECT_EQ(MAKESPAN_INTERNAL, status_after(ContractViolated("file:1")));
  EXPECT_EQ(MAKESPAN_INTERNAL, status_after(std::bad_alloc()));
  EXPECT_EQ(MAKESPAN_INTERNAL, status_of([] { throw 7; }));
}

TEST(Status, keeps_the_text_of_the_error) {
  static_cast<void>(status_after(InputError("image 9", "there are 3", "use 0 to 2")));
  EXPECT_STREQ("image 9 (there are 3): use 0 to 2", makespan_last_error());
}

TEST(Status, keeps_texts_of_threads_apart) {
  static_cast<void>(status_after(std::runtime_error("mine")));
  std::thread([] {
    EXPECT_STREQ("", makespan_last_error());
    static_cast<void>(status_after(std::runtime_error("yours")));
  }).join();
  EXPECT_STREQ("mine", makespan_last_error());
}

TEST(Status, has_a_name_for_each_value) {
  for (int status = MAKESPAN_OK; status <= MAKESPAN_REMOTE_ERROR; ++status) {
    EXPECT_STRNE("no such status", makespan_status_name(status));
  }
  EXPECT_STREQ("image failed", makespan_status_name(MAKESPAN_IMAGE_FAILED));
  EXPECT_STREQ("no such status", makespan_status_name(MAKESPAN_REMOTE_ERROR + 1));
}

TEST(Given, refuses_a_null_pointer_by_name) {
  int const* const nothing = nullptr;
  EXPECT_EQ(MAKESPAN_BAD_INPUT,
            status_of([&] { static_cast<void>(given(nothing, "makespan_put", "data")); }));
  EXPECT_NE(std::string(makespan_last_error()).find("makespan_put: data"), std::string::npos);
}

}  // namespace
}  // namespace makespan::capi
