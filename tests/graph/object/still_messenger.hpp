// SPDX-License-Identifier: Apache-2.0
#pragma once

// A messenger that delivers nothing: it keeps what its place sends, and has the messages that a
// test puts into its mailbox.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "makespan/graph/object/detail/place_messenger.hpp"

namespace makespan::graph {

class StillMessenger final : public PlaceMessenger {
 public:
  using PlaceMessenger::PlaceMessenger;

  struct Sent {
    int place;
    Envelope envelope;
  };
  std::vector<Sent> sent{};
  std::int64_t const* now_ns{nullptr};  // a clock that the test turns; null: the machine's

  [[nodiscard]] Mailbox& mailbox() override { return mailbox_; }
  [[nodiscard]] IdlePlaces& idle_places() override { return idle_places_; }
  void send(int place, Envelope&& envelope) override {
    sent.push_back({place, std::move(envelope)});
  }
  void flush() override {}
  void flush_full() override {}
  [[nodiscard]] int receivers() const override { return 0; }
  void push_now_and_then() override {}
  void drain() override {}
  void drop_unsent() override {}
  bool help() override { return false; }
  // A place that waits for a message would wait for ever.
  std::function<void()> wait{
      [] { throw std::logic_error("waits for a message that does not come"); }};
  void wait_for_message() override { wait(); }
  void accept_loss(ImageId /*image*/) override {}
  [[nodiscard]] ThreadClocks clocks() const override { return {.simulated_ns = now_ns}; }

 private:
  Mailbox mailbox_;
  IdlePlaces idle_places_{numbers().threads};
};

}  // namespace makespan::graph
