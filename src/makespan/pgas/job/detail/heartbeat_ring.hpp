// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state machine that finds out which images are lost.
//
// Images stand in a ring. Each sends beats to the next few of the ring and watches the few before
// it. One that was silent for too long is lost: the image that notices tells all others, and each
// of them tells the next of the ring again, so that all images hear of it even if the witness is
// lost too. The ring closes over the gap. A loss is final: an image that wakes up again is told
// that it is lost, and accepts it.
//
// Several neighbours watch each image, so that as many lost neighbours, side by side, are found at
// the same time; spread_over_nodes() places images that share a node, and its fate, apart.
//
// Pure: no thread, clock or I/O. What is done with actions that cannot be carried out, such as a
// message to one that is dead, makes no difference. Tested by
// tests/pgas/job/heartbeat_ring_test.cpp.

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/pgas/job/detail/heartbeat_message.hpp"

namespace makespan::pgas {

struct HeartbeatTimes {
  Seconds period{0.25};         // between two beats
  Seconds silence_limit{1.25};  // longer than a period
  // Of one that has not been heard yet: it may still be on its way out of the call that made the
  // ring. At least the limit above.
  Seconds first_limit{0.0};
};

// What happens to one image's machine. Time is part of each step; besides that:
// `from` is of the job. What the message says need not be: one that cannot be is dropped, since
// messages are not answered.
struct HeartbeatHeard {
  ImageId from;
  HeartbeatMessage message;
};
// This image has another reason to think that `image` is lost.
struct HeartbeatSuspect {
  ImageId image;
  LossCause cause{};
};
// All images have come to the end of the job.
struct HeartbeatLeave {};
// Nothing but time has passed. At least twice in a period.
struct HeartbeatTick {};
using HeartbeatEvent =
    std::variant<HeartbeatHeard, HeartbeatSuspect, HeartbeatLeave, HeartbeatTick>;

struct HeartbeatSend {
  ImageId to;
  HeartbeatMessage message;
};
struct HeartbeatLoss {
  ImageId image;  // may be this one itself: the others have given it up
  LossCause cause{};
  ImageId witness;
};
struct HeartbeatActions {
  std::vector<HeartbeatSend> sends;
  std::vector<HeartbeatLoss> losses;  // new ones
};

class HeartbeatRing {
 public:
  // How many images watch each.
  static constexpr int watchers = 2;

  // `order`: all images, each once, the same on all of them.
  HeartbeatRing(ImageId self, std::span<ImageId const> order, HeartbeatTimes const& times,
                Seconds now);

  // `now` never runs backwards.
  [[nodiscard]] HeartbeatActions step(HeartbeatEvent const& event, Seconds now);

  [[nodiscard]] ImageId self() const { return members_[self_].image; }

  // This image has said that it leaves, and so have all that it watches: no image waits for its
  // beats any more.
  [[nodiscard]] bool has_left() const;

 private:
  enum class State : std::uint8_t { well, left, lost };
  struct Member {
    ImageId image;
    State state{State::well};
    Seconds heard_at{};  // while it is watched
    bool was_heard{};    // by an image that reports it
    LossCause cause{};   // if it is lost
    ImageId witness{};   // if it is lost
  };

  void on(HeartbeatHeard const& heard, HeartbeatActions& actions);
  void on(HeartbeatSuspect const& suspect, HeartbeatActions& actions);
  void on(HeartbeatLeave const& leave, HeartbeatActions& actions);
  void on(HeartbeatTick const& tick, HeartbeatActions& actions);

  [[nodiscard]] bool can_be(HeartbeatMessage const& message) const;
  void lose(std::size_t place, LossCause cause, ImageId witness, HeartbeatActions& actions);
  void tell(HeartbeatLoss const& loss, HeartbeatActions& actions) const;
  void judge(HeartbeatActions& actions);
  void beat(HeartbeatActions& actions);
  void close_gaps();

  enum class Direction { back, forth };
  [[nodiscard]] std::vector<std::size_t> neighbours(Direction direction) const;
  [[nodiscard]] std::size_t place_of(ImageId image) const;
  [[nodiscard]] bool is_cut_off() const { return members_[self_].state == State::lost; }

  HeartbeatTimes times_;
  std::vector<Member> members_;       // by place in the ring
  std::vector<std::size_t> places_;   // by image
  std::size_t self_;                  // own place
  std::vector<std::size_t> watched_;  // places, nearest first; without lost images
  Seconds now_;
  Seconds next_beat_;
  bool leaving_{false};
};

// An order in which images of one node are as far from each other as can be. `nodes` by image: any
// number that is the same for images of the same node.
[[nodiscard]] std::vector<ImageId> spread_over_nodes(std::span<int const> nodes);

}  // namespace makespan::pgas
