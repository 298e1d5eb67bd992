// SPDX-License-Identifier: Apache-2.0
#pragma once

// Places that are fibers, the time that they share, and what is on its way between them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <span>
#include <vector>

#include "makespan/graph/model/places.hpp"
#include "makespan/graph/object/detail/place_messenger.hpp"
#include "makespan/graph/object/message/envelope.hpp"
#include "makespan/graph/object/thread/fiber.hpp"
#include "makespan/graph/object/virtual_options.hpp"

namespace makespan::graph {

class VirtualMessenger;

// Events in virtual time, those of the same time in the order in which they were asked for.
class VirtualPlaces {
 public:
  // `threads` places of the machine are an image.
  VirtualPlaces(Places const& machine, int threads, VirtualOptions const& options);
  ~VirtualPlaces();
  VirtualPlaces(VirtualPlaces const&) = delete;
  VirtualPlaces& operator=(VirtualPlaces const&) = delete;

  [[nodiscard]] VirtualMessenger& messenger(int place) {
    return *messengers_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] IdlePlaces& idle_places(int image) {
    return *idle_places_[static_cast<std::size_t>(image)];
  }
  [[nodiscard]] Places const& machine() const { return machine_; }
  [[nodiscard]] std::int64_t const* clock() const { return &now_ns_; }
  [[nodiscard]] std::int64_t now_ns() const { return now_ns_; }
  [[nodiscard]] std::int64_t cpu_ns() const { return options_.cpu_ns(); }
  [[nodiscard]] VirtualOptions const& options() const { return options_; }
  // What reading it takes of itself.
  [[nodiscard]] std::int64_t reading_ns() const { return reading_ns_; }

  // Runs `body(place)` of all places until each has ended, or nothing is left to happen: whether
  // all have. Throws what one has thrown.
  [[nodiscard]] bool run(std::function<void(int place)> const& body);

  // Of the place that runs.
  void sleep(std::int64_t ns);
  // Until it is woken.
  void wait();
  void wake(int place);
  // Until no other place of the image changes the word that they share.
  void await_shared_word(int image);
  // Envelopes of one place for another, which leave after `delay_ns` and get there together.
  void send(int from, int to, std::vector<Envelope> envelopes, double bytes, std::int64_t delay_ns);

 private:
  struct Event {
    std::int64_t time_ns;
    std::uint64_t number;
    int place;
    std::ptrdiff_t batch;  // that arrives there; -1: the place goes on
  };
  struct Later {
    bool operator()(Event const& a, Event const& b) const {
      return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : a.number > b.number;
    }
  };
  struct Batch {
    std::vector<Envelope> envelopes{};
    int from{};
    double bytes{};
  };

  void push(std::int64_t time_ns, int place, std::ptrdiff_t batch);
  [[nodiscard]] std::int64_t arrival_ns(int from, int to, double bytes, std::int64_t leaves_ns);

  Places const& machine_;
  VirtualOptions options_;
  std::int64_t reading_ns_{0};
  std::int64_t now_ns_{0};
  std::uint64_t numbers_{0};
  std::priority_queue<Event, std::vector<Event>, Later> events_{};
  std::vector<Batch> batches_{};
  std::vector<std::ptrdiff_t> free_batches_{};
  std::vector<std::unique_ptr<IdlePlaces>> idle_places_{};  // by image
  std::vector<std::unique_ptr<VirtualMessenger>> messengers_{};
  std::vector<std::unique_ptr<Fiber>> fibers_{};
  int running_{-1};
  struct SharedWord {
    std::int64_t change_ns{0};
    std::int64_t free_ns{0};  // until when it is being changed
  };
  std::vector<SharedWord> shared_words_{};  // by image
  // By node, until when its link is busy.
  std::vector<std::int64_t> out_free_ns_;
  std::vector<std::int64_t> in_free_ns_;
};

// Of one place.
class VirtualMessenger final : public PlaceMessenger, private PlaceWork {
 public:
  VirtualMessenger(VirtualPlaces& places, PlaceNumbers const& numbers);

  [[nodiscard]] Mailbox& mailbox() override { return mailbox_; }
  [[nodiscard]] IdlePlaces& idle_places() override {
    return places_.idle_places(numbers().image());
  }
  void send(int place, Envelope&& envelope) override;
  void flush() override;
  void flush_full() override;
  [[nodiscard]] int receivers() const override { return receivers_; }
  void push_now_and_then() override {}
  void drain() override { flush(); }
  void drop_unsent() override;
  bool help() override { return false; }
  void wait_for_message() override;
  void accept_loss(ImageId) override {}
  [[nodiscard]] ThreadClocks clocks() const override { return {.simulated_ns = places_.clock()}; }
  [[nodiscard]] PlaceWork* work() override { return this; }

  // Puts them into the mailbox; what they take of the place is owed.
  void arrive(std::vector<Envelope> envelopes, int from, double bytes);

 private:
  struct Gathered {
    std::vector<Envelope> envelopes{};
    double bytes{0.0};
  };

  void begin(Worker worker, int object) override;
  void end() override;
  void begin_send() override;
  void end_send() override;
  [[nodiscard]] std::int64_t so_far_ns() override;
  void receive() override;
  void pause(int looks) override;
  void await_shared_word() override;
  void flush(int place);
  [[nodiscard]] double since_begin_s();
  [[nodiscard]] std::int64_t taken_ns() const;

  VirtualPlaces& places_;
  Place here_;
  Mailbox mailbox_{};
  std::vector<Gathered> gathered_;  // by place
  int receivers_{0};                // for which something is gathered
  double owed_s_{0.0};
  bool works_{false};
  bool sends_{false};     // between begin_send() and end_send()
  double times_{1.0};     // so many count as once what begin() began
  double worked_s_{0.0};  // since begin(), up to the last send
  double sent_s_{0.0};    // of that, sending
  std::int64_t begin_ns_{0};
  bool waits_{false};
};

}  // namespace makespan::graph
