// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/shm/detail/shm_layout.hpp"

#include <algorithm>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/shm/detail/record_ring.hpp"

namespace makespan::pgas {

namespace {

static_assert(ShmLayout::alignment == RecordRing::alignment);

// The flag has lines of its own: senders read it after every message.
constexpr std::int64_t sleep_flag_bytes = ShmLayout::alignment;

// Payloads of all rings into one image on one channel, as long as each ring can be as large as is
// useful.
constexpr std::int64_t payload_bytes_wanted = std::int64_t{4} << 20;

// 256 messages can be under way before a sender waits, and 4 times as many where memory is no
// matter. Larger rings fall out of the second-level cache.
constexpr std::int64_t payload_bytes_small = std::int64_t{64} << 10;
constexpr std::int64_t payload_bytes_large = std::int64_t{256} << 10;

std::int64_t choose_slots(int node_images, std::int64_t payload_bytes_max) {
  auto const slots_of = [](std::int64_t bytes) {
    return bytes / RecordRing::payload_bytes_per_slot / 2 * 2;
  };
  std::int64_t const least =
      std::max(slots_of(payload_bytes_small), RecordRing::slots_for(payload_bytes_max, 1));
  std::int64_t const most =
      std::max(slots_of(payload_bytes_large), RecordRing::slots_for(payload_bytes_max, 3));
  // With many images the rings into one share what is wanted for all; none gets so few that a
  // message of full length does not fit.
  return std::clamp(slots_of(payload_bytes_wanted / node_images), least, most);
}

}  // namespace

ShmLayout::ShmLayout(int node_images, int channels, std::int64_t payload_bytes_max)
    : node_images_{node_images}, channels_{channels}, payload_bytes_max_{payload_bytes_max} {
  MAKESPAN_EXPECT(node_images >= 1);
  MAKESPAN_EXPECT(channels >= 1);
  MAKESPAN_EXPECT(payload_bytes_max >= 0);
  ring_slots_ = choose_slots(node_images, payload_bytes_max);
  MAKESPAN_ENSURE(RecordRing::payload_bytes_max(ring_slots_) >= payload_bytes_max);
}

std::int64_t ShmLayout::bytes_per_image() const {
  return channels_ * channel_bytes();
}

std::int64_t ShmLayout::ring_offset(int channel, int source) const {
  MAKESPAN_EXPECT(0 <= source && source < node_images_);
  return sleep_flag_offset(channel) + sleep_flag_bytes + source * ring_memory_bytes();
}

std::int64_t ShmLayout::ring_memory_bytes() const {
  return RecordRing::memory_bytes(ring_slots_);
}

std::int64_t ShmLayout::sleep_flag_offset(int channel) const {
  MAKESPAN_EXPECT(0 <= channel && channel < channels_);
  return channel * channel_bytes();
}

std::int64_t ShmLayout::channel_bytes() const {
  return sleep_flag_bytes + node_images_ * ring_memory_bytes();
}

}  // namespace makespan::pgas
