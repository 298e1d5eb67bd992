// SPDX-License-Identifier: Apache-2.0
#pragma once

// The devices of all images of a job as one team that works on bags.
//
// Image 0 gives the orders, and gets the results. The others serve: they make the same bag
// of what image 0 sends, and their devices claim from it. Only the beginning and the end are
// collective, so an image that dies in between loses only its devices and the results that it had
// not yet reported (completion_tracker.hpp). If image 0 dies, the others end with
// ImageFailed.

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "makespan/bag/device_team.hpp"
#include "makespan/bag/image/completion_proxy.hpp"
#include "makespan/bag/image/completion_server.hpp"
#include "makespan/bag/image/distributed_item_runner.hpp"
#include "makespan/bag/dispatch/image_dispatcher.hpp"
#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/image/job_report.hpp"
#include "makespan/bag/image/node_pool.hpp"
#include "makespan/bag/image/pgas_bag_state.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/pgas/runtime.hpp"
#include "makespan/trace/trace.hpp"

namespace makespan::bag {

// What an application does on the images that serve.
class ImageService {
 public:
  virtual ~ImageService() = default;

  // What image 0 gave to send(). Throws if the message is invalid: image 0 gets the text.
  virtual void receive(std::span<std::byte const> message) = 0;
  // The bag of image 0's next run, from what it gave to run().
  virtual Bag begin(std::span<std::byte const> order) = 0;
  virtual DistributedItemRunner& runner() = 0;
};

// Tested by tests/bag/image/image_team_test.cpp under several numbers of images, with images that
// die too.
class ImageTeam {
 public:
  // Collective. This image's devices, and the dispatcher and policy of all: those are to be the
  // same on all images. Numbers of devices in injections count through all images. Throws
  // InputError, on the images where it applies.
  explicit ImageTeam(TeamOptions const& options);
  ImageTeam(ImageTeam const&) = delete;
  ImageTeam& operator=(ImageTeam const&) = delete;
  // After finish_all() nothing is left to do.
  ~ImageTeam();

  [[nodiscard]] int image() const { return image_; }
  [[nodiscard]] int images() const { return roster_.images(); }
  [[nodiscard]] ImageRoster const& roster() const { return roster_; }
  [[nodiscard]] pgas::RuntimeDescription describe() const { return runtime_->describe(); }
  // This image's.
  [[nodiscard]] DeviceTeam& devices() { return *devices_; }

  // Collective: what each image gives, by image.
  [[nodiscard]] std::vector<std::string> exchange_all(std::string const& text);

  // --- on image 0, from the thread that made the team

  // To all others.
  void send(std::span<std::byte const> message);

  // Every item runs, here or there, and its result is in the runner when this returns: see
  // DeviceTeam::run(), which it is like. `order` tells the others which bag it is. An image that
  // dies is named in the report; what fails elsewhere comes out as RemoteError. A trace is of
  // the threads of all images, by image 0's clock.
  JobReport run(Bag const& bag, DistributedItemRunner& runner, std::span<std::byte const> order,
                std::stop_token const& stop, trace::Trace* trace = nullptr);

  // Lets the others return from serve(). With a failure they throw it.
  void shut_down(std::string const& failure = {});

  // --- on the others, from the thread that made the team

  // Blocks until image 0 has called shut_down() or finish_all(). Throws ImageFailed when
  // image 0 is lost, and RemoteError with the text that it shut down them with. Once `leave`
  // is asked, this image's devices claim no more items, which the others do.
  void serve(ImageService& service, std::stop_token const& leave = {});

  // Collective, on all images: image 0 does its part, whose result, as bytes, the others receive();
  // they serve meanwhile. What it throws there, they throw too, as RemoteError.
  template <std::invocable Produce>
  void share(ImageService& service, Produce&& produce);

  // Collective: the end. Image 0 calls it when there is no more to do, also when it has failed; the
  // others when serve() has returned. If an image is lost, it does not wait for the others.
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
  void notice_losses();
  [[nodiscard]] ImageContext context(CompletionService& tracker);
  void send_outcome(ImageOutcome const& outcome);
  void add_spans_of_others(trace::Trace& trace,
                           std::span<std::optional<ImageOutcome> const> outcomes) const;
  void expect_success(JobReport const& report, bool was_stopped) const;

  ImageTeam(TeamOptions const& options, TeamLayout const& layout);

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
  std::vector<std::uint64_t> control_messages_sent_;  // by image

  std::mutex mutex_;  // of what follows
  pgas::ReassemblyBuffer reassembly_;
  std::map<std::uint64_t, ControlMessage>
      control_messages_;  // by number: read in the order in which they were sent
  std::uint64_t control_messages_read_{0};
  std::stop_source order_stop_;   // of the order that is served
  std::uint64_t stopped_bag_{0};  // the last one that was to stop
};

template <std::invocable Produce>
void ImageTeam::share(ImageService& service, Produce&& produce) {
  if (image_ != 0) {
    serve(service);
    return;
  }
  try {
    std::vector<std::byte> const result = produce();
    send(result);
  } catch (std::exception const& error) {
    shut_down(error.what());
    throw;
  }
  shut_down();
}

}  // namespace makespan::bag
