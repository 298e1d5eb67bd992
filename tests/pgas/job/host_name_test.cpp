// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/host_name.hpp"

#include <gtest/gtest.h>
#include <sys/utsname.h>

namespace makespan::pgas {
namespace {

TEST(HostName, Host_name_is_that_of_the_kernel) {
  utsname names{};
  ASSERT_EQ(::uname(&names), 0);

  EXPECT_EQ(host_name(), names.nodename);
}

}  // namespace
}  // namespace makespan::pgas
