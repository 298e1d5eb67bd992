// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the places of a virtual world reach each other: as RuntimeMessenger does it over the runtime.
// Envelopes within an image are there at once; others are gathered, and travel together.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "makespan/graph/object/detail/idle_places.hpp"
#include "makespan/graph/object/detail/place_messenger.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"
#include "swarm/faults.hpp"
#include "swarm/virtual_world.hpp"

namespace makespan::swarm {

class SwarmMessenger;

// What the posts of all places have in common.
struct PostNet {
  VirtualWorld& world;
  Fault fault;
  std::vector<SwarmMessenger*> posts{};                           // by place
  std::vector<std::set<int>> accepted{};                          // by image: losses
  std::vector<std::unique_ptr<graph::IdlePlaces>> idle_places{};  // by image
  // Hears of each envelope before it goes.
  std::function<void(int from, graph::Envelope const& envelope)> heard{};
  // Envelopes of one generation between images that have to do with objects.
  std::vector<std::int64_t> under_way{};

  void count(std::uint32_t generation, std::int64_t more);
  [[nodiscard]] std::int64_t open(std::uint32_t generation) const;
};

class SwarmMessenger final : public graph::PlaceMessenger {
 public:
  SwarmMessenger(PostNet& net, graph::PlaceNumbers const& numbers);

  [[nodiscard]] graph::Mailbox& mailbox() override { return mailbox_; }
  [[nodiscard]] graph::IdlePlaces& idle_places() override {
    return *net_.idle_places[static_cast<std::size_t>(numbers().image())];
  }
  void send(int place, graph::Envelope&& envelope) override;
  void flush() override;
  void flush_full() override;
  [[nodiscard]] int receivers() const override;
  void push_now_and_then() override {}
  void drain() override { flush(); }
  void drop_unsent() override {}
  bool help() override;
  void wait_for_message() override;
  void accept_loss(ImageId image) override;
  [[nodiscard]] graph::ThreadClocks clocks() const override {
    return {.simulated_ns = net_.world.clock()};
  }

  // Its image has heard of a loss.
  void notice() { wake(); }

 private:
  void spoil(int place, graph::Envelope& envelope);
  void tell_what_was_before(graph::Envelope& envelope);
  void put(graph::Envelope envelope);
  void wake();
  void flush(int place);

  PostNet& net_;
  graph::Mailbox mailbox_{};
  std::vector<std::vector<graph::Envelope>> gathered_;  // by place
  std::optional<VirtualWorld::FiberId> waits_{};
  std::optional<graph::ImageState> reported_{};
  std::optional<std::vector<std::byte>> last_bytes_{};
};

}  // namespace makespan::swarm
