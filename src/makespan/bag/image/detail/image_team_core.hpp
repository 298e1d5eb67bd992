// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of an ImageTeam, and what they say to the other images.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "makespan/bag/dispatch/image_dispatcher.hpp"
#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/image/detail/completion_proxy.hpp"
#include "makespan/bag/image/detail/completion_server.hpp"
#include "makespan/bag/image/detail/node_pool.hpp"
#include "makespan/bag/image/detail/pgas_bag_state.hpp"
#include "makespan/bag/image/image_team.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/pgas/call/names.hpp"
#include "makespan/pgas/runtime.hpp"
#include "makespan/trace/trace.hpp"

namespace makespan::bag {

// What ImageTeam does; its functions are described there.
class ImageTeamCore {
 public:
  explicit ImageTeamCore(TeamOptions const& options);
  ImageTeamCore(ImageTeamCore const&) = delete;
  ImageTeamCore& operator=(ImageTeamCore const&) = delete;
  ~ImageTeamCore();

  [[nodiscard]] int image() const { return image_; }
  [[nodiscard]] int images() const { return roster_.images(); }
  [[nodiscard]] ImageRoster const& roster() const { return roster_; }
  [[nodiscard]] pgas::RuntimeDescription describe() const { return runtime_->describe(); }
  [[nodiscard]] DeviceTeam& devices() { return *devices_; }

  [[nodiscard]] std::vector<std::string> exchange_all(std::string const& text);

  void send(std::span<std::byte const> message);

  JobReport run(Bag const& bag, DistributedItemRunner& runner, std::span<std::byte const> order,
                std::stop_token const& stop, trace::Trace* trace = nullptr);
  [[nodiscard]] JobReport const& last_report() const { return last_; }

  void shut_down(std::string const& failure = {});

  void serve(ImageService& service, std::stop_token const& leave = {});

  void finish_all();

  // --- for messages from other images (image_messages.hpp)

  enum class ControlTag : std::uint8_t { message, job, traced_job, stop, shutdown, end };
  [[nodiscard]] CompletionServer& server() { return server_; }
  void receive_control(ControlTag kind, std::uint64_t bag, pgas::Fragment const& part,
                       std::span<std::byte const> data);

 private:
  struct ControlMessage {
    ControlTag kind;
    std::uint64_t bag;  // its number, of orders and stops
    std::vector<std::byte> content;
  };

  void post(int image, ControlTag kind, std::span<std::byte const> content);
  [[nodiscard]] std::optional<ControlMessage> next_control();
  void serve_job(ImageService& service, ControlMessage const& order, std::string const& trouble,
                 std::stop_token const& leave);
  // One look at what others ask; how long the next one need not be.
  std::chrono::microseconds poll(std::chrono::steady_clock::time_point since);
  // Throws ImageFailed if it is this image that is lost.
  void notice_losses();
  [[nodiscard]] ImageContext context(CompletionService& tracker);
  void send_outcome(ImageOutcome const& outcome);
  void add_spans_of_others(trace::Trace& trace,
                           std::span<std::optional<ImageOutcome> const> outcomes) const;

  ImageTeamCore(TeamOptions const& options, TeamLayout const& layout);

  std::unique_ptr<pgas::Runtime> runtime_;
  int image_;
  Dispatcher dispatcher_;
  ImageRoster roster_;
  std::unique_ptr<DeviceTeam> devices_;
  std::unique_ptr<ChunkPolicy> policy_;  // of the tracker
  PolicyForm form_;
  std::optional<PgasBagState> bag_state_;
  std::optional<NodePool> pool_;  // of the dispatcher `hierarchical`
  SystemClock clock_{};
  CompletionServer server_;
  std::uint64_t name_;                                // what others call it by
  CompletionProxy completion_proxy_;                  // on the others
  std::uint64_t bags_{0};                             // begun so far
  JobReport last_;                                    // on image 0
  std::vector<std::uint64_t> control_messages_sent_;  // by image

  std::mutex mutex_;  // of what follows
  pgas::ReassemblyBuffer reassembly_;
  std::map<std::uint64_t, ControlMessage>
      control_messages_;  // by number: read in the order in which they were sent
  std::uint64_t control_messages_read_{0};
  std::stop_source order_stop_;       // of the order that is served
  std::uint64_t stopped_bag_{0};      // the last one that was to stop
  pgas::Named<ImageTeamCore> named_;  // last: goes first
};

}  // namespace makespan::bag
