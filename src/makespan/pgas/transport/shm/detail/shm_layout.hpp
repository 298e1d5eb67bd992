// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the rings of a node lie in its shared memory. Pure.

#include <cstdint>

namespace makespan::pgas {

// The ring area is a part of each image's segment: for each channel a line with the doorbell's flag
// and a ring from each image of the node, this one included.
//
// One ring for each pair, and not one for each receiver with many producers: there is nothing to
// reserve, so a message costs one store that others see in place of a contended read-modify-write;
// a producer that dies leaves nothing half reserved for others to stumble over; and one that floods
// its receiver fills its own ring only. The price is memory, images² rings on a node, and a look at
// each ring in a poll: a load of a line that is in the cache unless something came. So rings shrink
// when there are many, and pages that no message touched cost nothing.
class ShmLayout {
 public:
  // For `node_images` images on this node, `channels` channels each, and payloads of up to
  // `payload_bytes_max` bytes.
  ShmLayout(int node_images, int channels, std::int64_t payload_bytes_max);

  [[nodiscard]] int node_images() const { return node_images_; }
  [[nodiscard]] int channels() const { return channels_; }
  [[nodiscard]] std::int64_t payload_bytes_max() const { return payload_bytes_max_; }

  // All sizes and offsets in bytes; offsets count from the beginning of the ring area, which is
  // aligned to `alignment`.
  static constexpr std::int64_t alignment = 128;

  // Of the ring area, in the segment of each image.
  [[nodiscard]] std::int64_t bytes_per_image() const;

  // Of each ring: as many as give payloads 256 KiB, or what 4 payloads need if that is more; with
  // many images on the node 4 MiB divided by them, but at least 64 KiB and what 2 payloads need.
  [[nodiscard]] std::int64_t ring_slots() const { return ring_slots_; }

  // What RingProducer and RingConsumer get: the ring into this segment from the node's image
  // number `source`.
  [[nodiscard]] std::int64_t ring_offset(int channel, int source) const;
  [[nodiscard]] std::int64_t ring_memory_bytes() const;

  // A word of 4 bytes: whether this image sleeps until its doorbell rings.
  [[nodiscard]] std::int64_t sleep_flag_offset(int channel) const;

 private:
  [[nodiscard]] std::int64_t channel_bytes() const;

  int node_images_;
  int channels_;
  std::int64_t payload_bytes_max_;
  std::int64_t ring_slots_;
};

}  // namespace makespan::pgas
