// SPDX-License-Identifier: Apache-2.0
// Goal: memory of an image that is alone is zeroed, aligned, its own, and refused if there is none.
#include "makespan/pgas/job/detail/anonymous_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::pgas {
namespace {

TEST(AnonymousMemory, Memory_is_zeroed_and_begins_with_a_page) {
  AnonymousMemory const memory(ImageId{0}, 10'000);

  auto const segment = memory.segment(ImageId{0});

  ASSERT_EQ(segment.size(), 10'000U);
  EXPECT_TRUE(std::ranges::all_of(segment, [](std::byte b) { return b == std::byte{0}; }));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(segment.data()) %
                static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)),
            0U);
}

TEST(AnonymousMemory, Memory_can_be_written) {
  AnonymousMemory const memory(ImageId{0}, 100);

  std::ranges::fill(memory.segment(ImageId{0}), std::byte{7});

  EXPECT_EQ(memory.segment(ImageId{0}).back(), std::byte{7});
}

TEST(AnonymousMemory, Memory_of_another_image_is_empty) {
  AnonymousMemory const memory(ImageId{0}, 100);

  EXPECT_TRUE(memory.segment(ImageId{1}).empty());
}

TEST(AnonymousMemory, Memory_is_gone_when_closed) {
  AnonymousMemory memory(ImageId{0}, 100);

  memory.close_all();

  EXPECT_TRUE(memory.segment(ImageId{0}).empty());
}

TEST(AnonymousMemory, Memory_beyond_the_machine_is_refused) {
  EXPECT_THROW(AnonymousMemory(ImageId{0}, std::numeric_limits<std::int64_t>::max()), InputError);
}

TEST(AnonymousMemory, Memory_of_no_bytes_breaks_the_contract) {
  EXPECT_THROW(AnonymousMemory(ImageId{0}, 0), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas
