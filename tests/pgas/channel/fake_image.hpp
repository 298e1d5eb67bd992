// SPDX-License-Identifier: Apache-2.0
#pragma once

// An image of a fake network: a heap, and one channel in front of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fake_network.hpp"
#include "makespan/pgas/channel/call_intake.hpp"
#include "makespan/pgas/channel/channel.hpp"

namespace makespan::pgas::fake {

class FakeImage final : private CallIntake {
 public:
  static constexpr int calls_each = 4;

  FakeImage(FakeNetwork& network, ImageId here, Events events = Events::none, int operations = 8)
      : job{here, network.images(), images_up_to(network.images())},
        heap(1024),
        credits{1, network.images(), calls_each} {
    pending.push_back(std::make_unique<PendingTable>(0, operations));
    channel = std::make_unique<Channel>(
        0, EndpointDesign::per_thread,
        ChannelContext{job, std::as_writable_bytes(std::span(heap)), *this, credits, pending},
        ChannelLinks{.on_node = std::make_unique<FakeLink>(network, here, events)});
  }

  struct Call {
    WireHeader header;
    std::vector<std::byte> arguments;
  };

  FakeJob job;
  std::vector<std::uint64_t> heap;  // in words
  CallCredits credits;
  std::vector<std::unique_ptr<PendingTable>> pending;
  std::unique_ptr<Channel> channel;
  std::vector<Call> calls;  // that have arrived

 private:
  void accept(WireHeader const& header, std::span<std::byte const> arguments) override {
    calls.push_back({header, {arguments.begin(), arguments.end()}});
  }
};

}  // namespace makespan::pgas::fake
