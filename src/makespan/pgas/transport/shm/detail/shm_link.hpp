// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages between the images of one node, through rings in memory that all have mapped; also from
// an image to itself.
//
// What can be lost: nothing, while both images live. Of an image that dies, the message that it was
// writing is never seen; what it had sent before is delivered, until abandon() drops the rest. If
// it dies between its last message and ringing for it, a sleeping receiver is not woken by it: a
// thread that waits for an event must look again after a while.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/node_memory.hpp"
#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/shm/detail/doorbell.hpp"
#include "makespan/pgas/transport/shm/detail/record_ring.hpp"
#include "makespan/pgas/transport/shm/detail/shm_layout.hpp"

namespace makespan::pgas {

// Where the links of one image find the rings.
struct ShmPlace {
  ImageId image{};                       // this one
  std::span<ImageId const> node_images;  // ascending, this one among them
  NodeMemory const* memory{};
  std::int64_t area_offset{0};  // of the ring area in each segment [bytes]
  ShmLayout layout;
};

// This image's doorbell on one channel, and where those of the node's images are, in their order.
struct Doorbells {
  Doorbell own;
  std::vector<DoorbellAddress> others;
};

class ShmLink final : public Link {
 public:
  // The link of `channel`; the memory at `place` outlives it and was used by no other link of this
  // channel. Without doorbells it has no events, and sending is a little faster.
  ShmLink(ShmPlace const& place, int channel, LinkThreading threading,
          std::optional<Doorbells> doorbells);

  // `to` is an image of this node. `busy` while the ring to it is full: it has to poll first.
  SendOutcome send(ImageId to, WireHeader const& header,
                   std::span<std::byte const> payload) override;

  // Up to 16 messages from each image. In `concurrent` mode one thread at a time delivers; others
  // return 0 at once.
  int poll(MessageSink& sink) override;

  std::int64_t payload_bytes_max() const override { return payload_bytes_max_; }

  // True: what was sent lies in the receiver's memory.
  bool is_drained() const override { return true; }

  int event_descriptor() const override;
  bool arm() override;

  // Messages to `image` are dropped from now on. A poll() of another thread may just be delivering
  // one from it.
  void abandon(ImageId image) override;

 private:
  // On lines of their own, since they are used by different threads.
  struct alignas(128) Outgoing {
    SpinLock lock;
    RingProducer ring;
    std::uint32_t* sleep_flag{};  // of the receiver
    std::atomic<bool> is_abandoned{false};
  };
  struct Incoming {
    RingConsumer ring;
    std::atomic<bool> is_abandoned{false};
  };

  [[nodiscard]] std::size_t index_of(ImageId image) const;
  [[nodiscard]] static int deliver_from(Incoming& incoming, MessageSink& sink);
  void wake(Doorbells const& doorbells, std::size_t index) const;

  LinkThreading threading_;
  std::int64_t payload_bytes_max_;
  std::vector<std::int32_t> index_of_image_;  // by image number; -1: not on this node
  std::uint32_t* own_sleep_flag_{};
  std::optional<Doorbells> doorbells_;
  std::vector<Outgoing> outgoing_;   // by the node's order of images
  alignas(128) SpinLock receiving_;  // protects what follows, in `concurrent` mode
  std::vector<Incoming> incoming_;   // as outgoing_
  std::size_t first_{0};             // where the next poll begins, so that no image is always last
};

}  // namespace makespan::pgas
