// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tracker of a bag on image 0, for workers of all images: the pure state machine under a mutex,
// and where results that travelled are taken in.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "makespan/bag/dispatch/completion_service.hpp"
#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/image/detail/image_outcome.hpp"
#include "makespan/bag/image/distributed_item_runner.hpp"
#include "makespan/bag/protocol/completion_tracker.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/pgas/message/fragment.hpp"

namespace makespan::bag {

// Every function may be called from any thread; between close() and open() all but those two change
// nothing, and asks are answered with `leave`. Tested by
// tests/bag/image/completion_server_test.cpp, and through tests/bag/image/image_team_test.cpp.
class CompletionServer final : public CompletionService {
 public:
  // Keeps references.
  CompletionServer(ImageRoster const& roster, TeamClock const& clock);

  // Keeps references until close(). Images that are lost take no part.
  void open(Bag const& bag, ChunkPolicy& policy, FirstClaims first_claims,
            std::vector<Mode> const& modes, DistributedItemRunner& runner);
  void close();

  ClaimActions ask(int thread, WorkerFacts const& worker) override;
  bool may_steal(int thread, int worker, int victim) override;
  bool may_use_pool(int thread, int worker) override;
  void retire(int thread, int worker) override;
  void take_back(int worker) override;
  // Of image 0's own.
  void give_up(int /*lost*/, int worker) override { retire(callers_thread, worker); }
  // Of any image. Throws InputError for a thread that it has not.
  void give_up(std::int32_t image, int lost, int worker);
  void end_chunk(int thread, ChunkReport const& report) override;
  // Of image 0's own workers: what the runner's threads have got is kept, or dropped.
  void finish(int thread, int first_thread, int threads, std::span<ItemRange const> items) override;
  void settle(int /*thread*/) override {}

  // Part of what an image has finished: delivery() and then results. Throws InputError or
  // std::out_of_range, as end() does, for what no image of this bag sends; nothing has changed
  // then.
  void deliver(pgas::Fragment const& part, std::span<std::byte const> data);
  // The workers of an image hold nothing and claim no more.
  void end(int image, ImageOutcome outcome);
  // The same in parts, of another image: bytes_of() the outcome.
  void end(pgas::Fragment const& part, std::span<std::byte const> data);

  // An image has died. What it told counts, and nothing that it may tell later.
  void lose(int image);
  [[nodiscard]] bool is_lost(int image) const;

  void stop();

  [[nodiscard]] bool is_stopped() const;
  // A worker was told to wait, and will ask again.
  [[nodiscard]] bool anyone_waits() const;

  // Every item is finished, and its result taken in.
  [[nodiscard]] bool complete() const;
  // By image; nothing where it has not ended its part, or is lost.
  [[nodiscard]] std::vector<std::optional<ImageOutcome>> outcomes() const;
  // All images but this one have ended their part or are lost, and no result is on its way from
  // them into the runner.
  [[nodiscard]] bool others_have_ended() const;
  // What the taking in of results has thrown first, or an image that is lost had failed by.
  [[nodiscard]] std::exception_ptr error() const;

  // How what deliver() takes begins.
  [[nodiscard]] static std::vector<std::byte> delivery(std::span<ItemRange const> items);

 private:
  void take_in(int image, std::span<std::byte const> message);
  // Null: they do not count.
  [[nodiscard]] DistributedItemRunner* begin_unpacking(int image, std::span<ItemRange const> items);
  void end_unpacking(std::exception_ptr const& error);
  void retire_all(int image);  // with the mutex held
  // Throw InputError: a message may come from an image of another program, or damaged.
  void expect_image(std::int32_t image) const;
  void expect_worker(int worker) const;
  [[nodiscard]] bool is_lost(pgas::Fragment const& part) const;  // with the mutex held

  ImageRoster const& roster_;

  mutable std::mutex mutex_;  // of what follows
  std::unique_ptr<TeamCondition> unpacked_;
  std::unique_ptr<CompletionTracker> tracker_;
  LoopFacts loop_{};  // of its bag
  DistributedItemRunner* runner_{};
  pgas::ReassemblyBuffer reassembly_;
  std::vector<bool> lost_;          // by image
  std::vector<bool> lost_threads_;  // of all images: left behind
  std::vector<std::optional<ImageOutcome>> outcomes_;
  bool is_unpacking_{};  // one thread at a time does
  std::exception_ptr error_;
};

// Closes an open server, whatever leaves the scope: others call it as long as the runtime lives,
// and bag and runner are the caller's.
class ClosesServer {
 public:
  explicit ClosesServer(CompletionServer& server) : server_(server) {}
  ClosesServer(ClosesServer const&) = delete;
  ClosesServer& operator=(ClosesServer const&) = delete;
  ~ClosesServer() { server_.close(); }

 private:
  CompletionServer& server_;
};

}  // namespace makespan::bag
