// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/shared_memory_room.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"

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

// Of a message: its difference need not be a number.
TEST(SharedMemoryRoom, Room_that_cannot_be_names_its_image) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  for (SharedMemoryRoom const& told : {SharedMemoryRoom{most, -2}, SharedMemoryRoom{-2, most}}) {
    std::array const rooms{SharedMemoryRoom{10, 20}, told, SharedMemoryRoom{0, 0}};

    EXPECT_THAT([&] { expect_shared_memory_room(rooms, hosts); },
                testing::ThrowsMessage<BadMessage>(testing::HasSubstr("from image 1 ")));
  }
}

std::int64_t free_bytes_by_the_system() {
  struct statvfs status{};
  EXPECT_EQ(::statvfs("/dev/shm", &status), 0);
  return static_cast<std::int64_t>(status.f_bavail) * static_cast<std::int64_t>(status.f_frsize);
}

// Other processes take memory and give it back meanwhile: one reading between two that are the same
// is enough.
TEST(SharedMemoryRoom, Room_of_this_machine_can_be_told) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::int64_t const before = free_bytes_by_the_system();
    std::int64_t const told = shared_memory_free_bytes();
    if (before != free_bytes_by_the_system()) continue;
    EXPECT_EQ(told, before);
    return;
  }
  GTEST_SKIP() << "it changes all the time";
}

}  // namespace
}  // namespace makespan::pgas
