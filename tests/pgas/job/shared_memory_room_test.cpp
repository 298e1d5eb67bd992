// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/shared_memory_room.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::pgas {
namespace {

std::array<std::string, 3> const hosts{"a", "b", "c"};

TEST(SharedMemoryRoom, Room_that_is_enough_is_fine) {
  std::array const rooms{SharedMemoryRoom{10, 20}, SharedMemoryRoom{20, 20},
                         SharedMemoryRoom{0, 0}};

  EXPECT_NO_THROW(expect_shared_memory_room(rooms, hosts));
}

TEST(SharedMemoryRoom, Room_that_lacks_names_the_host_that_lacks_most) {
  std::array const rooms{SharedMemoryRoom{21, 20}, SharedMemoryRoom{10, 20},
                         SharedMemoryRoom{50, 8}};

  try {
    expect_shared_memory_room(rooms, hosts);
    FAIL() << "there is no room";
  } catch (InputError const& error) {
    std::string const text = error.what();
    EXPECT_NE(text.find("50 bytes on host c"), std::string::npos) << text;
    EXPECT_NE(text.find("8 bytes left"), std::string::npos) << text;
  }
}

TEST(SharedMemoryRoom, Room_of_this_machine_can_be_told) {
  EXPECT_GE(shared_memory_free_bytes(), 0);
}

}  // namespace
}  // namespace makespan::pgas
