// SPDX-License-Identifier: Apache-2.0
#pragma once

// The mailboxes of an image's places, and the way to those of others.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "makespan/base/image_errors.hpp"
#include "makespan/graph/object/detail/place_messenger.hpp"
#include "makespan/graph/object/message/envelope.hpp"
#include "makespan/graph/object/message/mailbox.hpp"
#include "makespan/pgas/call/names.hpp"
#include "makespan/pgas/message/fragment.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {

// Of one image. Places are threads of images, numbered image by image. Tested by
// tests/graph/object/message_router_test.cpp.
class MessageRouter {
 public:
  // Collective over the job; for `threads` places on each image, as the runtime has threads.
  MessageRouter(pgas::Runtime& runtime, int threads);
  MessageRouter(MessageRouter const&) = delete;
  MessageRouter& operator=(MessageRouter const&) = delete;
  ~MessageRouter();

  [[nodiscard]] pgas::Runtime& runtime() { return runtime_; }
  [[nodiscard]] std::uint64_t name() const { return named_.name(); }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] int places() const { return threads_ * runtime_.images(); }
  [[nodiscard]] int first_place() const {
    return static_cast<int>(runtime_.image().value()) * threads_;
  }
  [[nodiscard]] int image_of(int place) const { return place / threads_; }
  // Whether it is a thread of this image.
  [[nodiscard]] bool is_near(int place) const {
    return place >= first_place() && place < first_place() + threads_;
  }

  // Of a near place. put() may be called from any thread.
  [[nodiscard]] Mailbox& mailbox(int place) {
    return *mailboxes_[static_cast<std::size_t>(place - first_place())];
  }

  [[nodiscard]] IdlePlaces& idle_places() { return idle_places_; }

  // Part of a batch of envelopes for a near place. Callable from any thread. What cannot be read is
  // the place's to know: its sender does not wait for an answer.
  void take_part(int place, pgas::Fragment const& part, std::span<std::byte const> data);

  // Waits do not end by this loss any more, and what came of its unfinished batches is forgotten.
  // Callable from any thread.
  void accept_loss(ImageId image);

  // The number of the first batch that a thread sends in its next run: other than all before, of
  // which some may have been left unfinished. For the thread's own messenger.
  [[nodiscard]] std::uint64_t begin_batches(int thread) {
    return ++runs_[static_cast<std::size_t>(thread)] * pgas::fragment_run;
  }

 private:
  using Batch = std::vector<std::byte>;
  [[nodiscard]] std::optional<Batch> add(pgas::Fragment const& part,
                                         std::span<std::byte const> data);
  void read(int place, Batch const& batch);

  pgas::Runtime& runtime_;
  int threads_;
  std::vector<std::unique_ptr<Mailbox>> mailboxes_;  // by thread
  IdlePlaces idle_places_;
  std::mutex reassembly_mutex_;
  pgas::ReassemblyBuffer reassembly_;
  std::vector<std::uint64_t> runs_;   // by thread
  pgas::Named<MessageRouter> named_;  // last: goes first
};

// What one place sends, gathered by receiver until flush(). It does not wait for an image that has
// no room, or is stopped: what cannot go yet is queued, and the place goes on with its work. For
// the place's own thread.
class RuntimeMessenger final : public PlaceMessenger {
 public:
  RuntimeMessenger(MessageRouter& router, int thread);

  [[nodiscard]] Mailbox& mailbox() override { return router_.mailbox(numbers().place); }
  [[nodiscard]] IdlePlaces& idle_places() override { return router_.idle_places(); }
  void send(int place, Envelope&& envelope) override;

  // Both wait only if more than `line_bytes_max` are queued, until it is half of that, and run
  // remote calls meanwhile.
  void flush() override;
  void flush_full() override;
  [[nodiscard]] int receivers() const override {
    return static_cast<int>(waiting_.size()) + (has_line() ? 1 : 0);
  }

  // Sends as much of what is queued as there is room for. Never waits.
  void push();
  // As push(), every few calls: to try costs some microseconds.
  void push_now_and_then() override;
  [[nodiscard]] bool has_line() const { return line_bytes_ > 0; }
  // Runs remote calls meanwhile.
  void drain() override { drain_to(0); }
  void drop_unsent() override;

  bool help() override;
  void wait_for_message() override;
  void accept_loss(ImageId image) override { router_.accept_loss(image); }

 private:
  // What one call brings.
  struct Part {
    int place{};
    pgas::Fragment part{};
    std::vector<std::uint8_t> data{};
  };
  using Line = std::deque<Part>;

  // A place that sends faster than others can receive must not fill the memory.
  static constexpr std::size_t line_bytes_max = std::size_t{256} << 20U;

  void flush(int place);
  void drain_to(std::size_t bytes);
  void push(int image);
  [[nodiscard]] bool is_own(ImageFailed const& failure) const;
  void drop(int image);
  void drop_from(Line& line, Line::const_iterator const& begin);
  [[nodiscard]] bool try_send(Part const& part);

  MessageRouter& router_;
  pgas::Endpoint& endpoint_;
  std::size_t part_bytes_;
  std::vector<std::vector<std::byte>> gathered_;  // by place
  std::vector<int> waiting_;                      // places for which something is gathered
  std::vector<Line> lines_;                       // by image
  std::size_t line_bytes_{0};                     // in all lines, with a bit for each part
  int pushes_{0};
  std::uint64_t batches_;
};

}  // namespace makespan::graph
