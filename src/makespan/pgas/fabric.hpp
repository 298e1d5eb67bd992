// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the threads of one image share: the job, the heaps, the channels, and the remote calls that
// wait to be run. Runtime is what users see of it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/channel/call_credits.hpp"
#include "makespan/pgas/channel/call_intake.hpp"
#include "makespan/pgas/channel/channel.hpp"
#include "makespan/pgas/channel/pending_table.hpp"
#include "makespan/pgas/detail/transport_plan.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/message/code_address.hpp"
#include "makespan/pgas/options.hpp"
#include "makespan/pgas/progress/progress_thread.hpp"
#include "makespan/pgas/task/task_pool.hpp"
#include "makespan/pgas/task/task_queue.hpp"
#include "makespan/pgas/task/victims.hpp"
#include "makespan/pgas/transport/transport.hpp"

namespace makespan::pgas {

class Fabric final : private CallIntake {
 public:
  // Collective. Reads the environment over `options`. Throws InputError, on all images, on options
  // that are invalid on one of them, that differ between images, or that this job cannot have.
  explicit Fabric(RuntimeOptions const& options);
  Fabric(Fabric const&) = delete;
  Fabric& operator=(Fabric const&) = delete;
  ~Fabric();

  // Collective: ends the job. If an image is lost, or not all came to the end, it does not wait for
  // the others.
  void close_all(bool all_came);
  // No thread and no channel of this image reads or writes memory of operations any more. Not
  // collective; what is under way is given up.
  void stop();
  [[nodiscard]] bool is_open() const { return is_open_; }

  [[nodiscard]] RuntimeOptions const& options() const { return options_; }
  [[nodiscard]] Job& job() { return *job_; }
  [[nodiscard]] std::string transport_name() const { return name_of(plan_); }

  // Where this image sees the heap of each image, by image; null where it does not.
  [[nodiscard]] std::byte* const* mapped_heaps() const { return mapped_.data(); }
  // This image's own heap, also where its words belong to the transport.
  [[nodiscard]] std::span<std::byte> heap() const { return heap_; }

  [[nodiscard]] int channels() const { return static_cast<int>(channels_.size()); }
  [[nodiscard]] int channel_number(int thread) const { return thread % channels(); }
  [[nodiscard]] Channel& channel(int number) {
    return *channels_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] Channel& channel_of(int thread) { return channel(channel_number(thread)); }
  [[nodiscard]] PendingTable& pending(int channel) {
    return *pending_[static_cast<std::size_t>(channel)];
  }
  [[nodiscard]] CallCredits& credits() { return credits_; }
  [[nodiscard]] CodeMap& code() { return code_; }

  // --- remote calls

  void accept(WireHeader const& header, std::span<std::byte const> arguments) override;
  // The answer to a call of this image by this image.
  void take_answer(WireHeader const& reply, std::span<std::byte const> answer);
  // A call that waits for `thread`, or, with stealing, for another thread. Null if there is none,
  // and while calls are held.
  [[nodiscard]] Task* find_call(int thread, Victims& victims);
  void release(Task& task) { tasks_.release(task); }
  // Calls that come wait until release_calls(): for a program that is not ready to run them, by its
  // main thread, before others have endpoints.
  void hold_calls() { are_calls_held_ = true; }
  void release_calls() { are_calls_held_ = false; }

  // --- progress

  // An idle thread drives the channels that no other thread drives at the moment: calls for it may
  // come over each of them, and thieves find those of busy threads that way. Returns how many
  // things happened.
  int look_in(int thread);
  // From now on the main thread drives all channels, and runs all calls and continuations: the
  // others have ended.
  void begin_closing() { is_closing_ = true; }
  // How many of them it has run since then, or since it last asked.
  [[nodiscard]] std::int64_t take_runs() { return std::exchange(runs_, 0); }
  // A call or a continuation, which may begin something, is about to run.
  void note_run() {
    if (is_closing_) ++runs_;
  }
  // What drives progress while threads compute.
  [[nodiscard]] ProgressMode progress() const {
    return helper_ ? helper_->mode() : ProgressMode::manual;
  }
  // Throws, once, what a helper ran into.
  void rethrow_helper_error();

  // --- lost images

  void accept_loss(ImageId image);
  [[nodiscard]] bool is_accepted(ImageId image) const;

 private:
  // The options that an image asks for. If they are invalid, the reason, and valid options in their
  // place.
  struct Request {
    RuntimeOptions options;
    std::string trouble;
  };
  [[nodiscard]] static Request read(RuntimeOptions const& options);
  explicit Fabric(Request const& request);

  [[nodiscard]] Task* find_in_queues(int thread, Victims& victims);
  int agree_on_channels_all();
  void expect_agreement_all(std::string const& trouble);
  void open_memory_all();
  void share_heap_all();
  void open_channels_all();
  ChannelLinks open_links_all(int number, LinkThreading threading);

  RuntimeOptions options_;
  std::unique_ptr<Job> job_;
  TransportPlan plan_;
  std::unique_ptr<NodeMemory> node_memory_;
  std::unique_ptr<Transport> on_node_;
  std::unique_ptr<Transport> network_;
  std::span<std::byte> heap_;
  std::vector<std::byte*> mapped_;  // by image

  int channel_count_;
  int calls_each_;
  CallCredits credits_;
  TaskPool tasks_;
  std::vector<std::unique_ptr<TaskQueue>> queues_;  // by thread
  CodeMap code_;
  std::vector<std::unique_ptr<PendingTable>> pending_;  // by channel
  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<std::atomic<bool>> accepted_losses_;  // by image
  std::unique_ptr<ProgressThread> helper_;
  bool are_calls_held_{false};
  bool is_closing_{false};
  std::int64_t runs_{0};  // while it closes
  bool is_open_{true};
};

}  // namespace makespan::pgas
