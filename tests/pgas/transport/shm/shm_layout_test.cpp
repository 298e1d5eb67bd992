// SPDX-License-Identifier: Apache-2.0
// Goal: rings and flags have their own bytes, aligned, and every message fits. Method: values, over
// many shapes of a job.
#include "makespan/pgas/transport/shm/detail/shm_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/shm/detail/record_ring.hpp"

namespace makespan::pgas {
namespace {

TEST(ShmLayout, gives_every_ring_and_flag_bytes_of_its_own) {
  for (int const images : {1, 2, 3, 5, 64}) {
    for (int const channels : {1, 4}) {
      ShmLayout const layout(images, channels, 1000);
      std::vector<std::pair<std::int64_t, std::int64_t>> parts;  // begin, end
      for (int channel = 0; channel < channels; ++channel) {
        std::int64_t const flag = layout.sleep_flag_offset(channel);
        parts.emplace_back(flag, flag + ShmLayout::alignment);
        for (int source = 0; source < images; ++source) {
          std::int64_t const ring = layout.ring_offset(channel, source);
          parts.emplace_back(ring, ring + layout.ring_memory_bytes());
        }
      }
      std::ranges::sort(parts);

      EXPECT_EQ(parts.front().first, 0);
      EXPECT_EQ(parts.back().second, layout.bytes_per_image());
      for (std::size_t at = 0; at + 1 < parts.size(); ++at) {
        EXPECT_EQ(parts[at].second, parts[at + 1].first);
        EXPECT_EQ(parts[at].first % ShmLayout::alignment, 0);
      }
    }
  }
}

TEST(ShmLayout, has_rings_that_every_message_fits_in) {
  for (int const images : {1, 2, 17, 200}) {
    for (std::int64_t const payload : {0, 1, 4096, 65536, 1 << 20, (1 << 24) + 1}) {
      ShmLayout const layout(images, 1, payload);

      EXPECT_EQ(layout.ring_memory_bytes(), RecordRing::memory_bytes(layout.ring_slots()));
      EXPECT_GE(RecordRing::payload_bytes_max(layout.ring_slots()), payload);
    }
  }
}

TEST(ShmLayout, shrinks_rings_when_there_are_many) {
  auto const payload_kib = [](int images, std::int64_t longest) {
    return ShmLayout(images, 1, longest).ring_slots() * RecordRing::payload_bytes_per_slot / 1024;
  };

  EXPECT_EQ(payload_kib(2, 4 << 10), 256);
  EXPECT_EQ(payload_kib(16, 4 << 10), 256);
  EXPECT_EQ(payload_kib(32, 4 << 10), 128);
  EXPECT_EQ(payload_kib(1000, 4 << 10), 64);
  // Four of the longest, and two of them.
  EXPECT_EQ(payload_kib(2, 64 << 10), 256);
  EXPECT_EQ(payload_kib(1000, 64 << 10), 128);
  EXPECT_EQ(payload_kib(1, 1 << 20), 4 << 10);
}

TEST(ShmLayout, refuses_what_is_not_there) {
  ShmLayout const layout(3, 2, 100);

  EXPECT_THROW(ShmLayout(0, 1, 100), ContractViolated);
  EXPECT_THROW(ShmLayout(1, 0, 100), ContractViolated);
  EXPECT_THROW(static_cast<void>(layout.ring_offset(2, 0)), ContractViolated);
  EXPECT_THROW(static_cast<void>(layout.ring_offset(0, 3)), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas
