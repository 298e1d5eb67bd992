// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the tests of the link have in common: how to open it, and what to send and to receive.

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "fake_node.hpp"
#include "makespan/pgas/transport/shm/detail/shm_layout.hpp"
#include "makespan/pgas/transport/shm/shm_transport.hpp"

namespace makespan::pgas::fake {

constexpr std::int64_t payload_bytes_max = 4096;
constexpr std::int64_t area_offset = 640;

inline ShmLayout layout_for(int images, int channels = 1) {
  return {images, channels, payload_bytes_max};
}

// Room for the rings, and for a word of the test's own in front.
inline std::int64_t segment_bytes(ShmLayout const& layout) {
  return area_offset + layout.bytes_per_image();
}

// A node, and one image's transport in it.
struct Member {
  Member(FakeJob& job, FakeNode const& node, Wakeup wakeup, int channels = 1)
      : memory(node),
        transport(job, memory, layout_for(job.images(), channels),
                  {.area_offset = area_offset, .wakeup = wakeup}) {}

  FakeNodeMemory memory;
  ShmTransport transport;
};

// Keeps what arrived.
struct Inbox final : MessageSink {
  struct Message {
    WireHeader header;
    std::vector<std::byte> payload;
  };
  std::vector<Message> messages;

  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    messages.push_back({header, {payload.begin(), payload.end()}});
  }
};

inline std::vector<std::byte> bytes_of(std::uint64_t message, std::size_t bytes) {
  std::vector<std::byte> payload(bytes);
  for (std::size_t at = 0; at < bytes; ++at) payload[at] = static_cast<std::byte>(message + at);
  return payload;
}

inline WireHeader header_of(std::int64_t source, std::uint64_t message) {
  return {.kind = WireKind::rpc,
          .thread = 7,
          .source = static_cast<std::int32_t>(source),
          .offset = message};
}

// Two images in one thread.
class TwoImages : public ::testing::Test {
 protected:
  static constexpr ImageId image0{0};
  static constexpr ImageId image1{1};

  void open(Wakeup wakeup) {
    std::jthread const other([&] {
      member1.emplace(job1, node, wakeup);
      link1 = member1->transport.open_link_all(0, LinkThreading::serialized);
    });
    member0.emplace(job0, node, wakeup);
    link0 = member0->transport.open_link_all(0, LinkThreading::serialized);
  }

  FakeNode node{2, segment_bytes(layout_for(2))};
  FakeJob job0{node, 0};
  FakeJob job1{node, 1};
  std::optional<Member> member0;
  std::optional<Member> member1;
  std::unique_ptr<Link> link0;
  std::unique_ptr<Link> link1;
  Inbox inbox;
};

// Whether the link has an event, now or within that time.
inline bool is_readable(Link const& link, int milliseconds) {
  pollfd descriptor{.fd = link.event_descriptor(), .events = POLLIN, .revents = 0};
  return ::poll(&descriptor, 1, milliseconds) == 1;
}

// Checks and counts what comes from all images.
class Checker final : public MessageSink {
 public:
  Checker(int images, int threads)
      : threads_{static_cast<std::size_t>(threads)},
        expected_(static_cast<std::size_t>(images) * threads_) {}

  // The size of a message follows from its number.
  static std::size_t size_of(std::uint64_t message) { return message * 2654435761U % 1200; }

  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    // By sending thread: `thread` is its number, `offset` that of the message.
    std::size_t const sender = static_cast<std::size_t>(header.source) * threads_ + header.thread;
    EXPECT_EQ(header.offset, expected_.at(sender));
    expected_[sender] = header.offset + 1;
    EXPECT_EQ(payload.size(), size_of(header.offset));
    EXPECT_TRUE(std::ranges::equal(payload, bytes_of(header.offset, payload.size())));
    received_.fetch_add(1);
  }

  [[nodiscard]] std::uint64_t received() const { return received_; }
  // By the first thread of an image; not while others deliver.
  [[nodiscard]] std::uint64_t received_from(std::int64_t image) const {
    return expected_.at(static_cast<std::size_t>(image) * threads_);
  }

 private:
  std::size_t threads_;
  std::vector<std::uint64_t> expected_;
  std::atomic<std::uint64_t> received_{0};
};

}  // namespace makespan::pgas::fake
