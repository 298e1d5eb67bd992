// SPDX-License-Identifier: Apache-2.0
#pragma once

// The connections of one UCX worker: one endpoint to each other image, made when it is first used,
// so that a job of many images does not begin with as many connections from each.
//
// An endpoint to an image that may be elsewhere handles the loss of its peer: UCX tells us, and we
// tell the job. UCX's shared memory cannot do that; on a node it is used all the same, since the
// alternative would be TCP to the same machine, and the job notices by itself who is gone.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <ucp/api/ucp.h>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_context.hpp"

namespace makespan::pgas {

// The worker and the job outlive it. Under the rules of the link that it belongs to; functions
// marked with * are called only by the thread that drives progress.
class UcxEndpoints {
 private:
  enum class State : std::uint8_t {
    none,     // not used yet
    opening,  // a thread is making it
    open,
    lost,    // by UCX or by a call of lose(): not used any more
    closed,  // lost, and given back
  };

  struct Endpoint {
    UcxEndpoints* all{};  // for UCX's callbacks, who get this
    int image{};
    std::atomic<State> state{State::none};
    std::atomic<int> users{0};  // threads between the two ends of a Turn, if there may be several
    ucp_ep_h handle{};
    ucp_rkey_h key{};
    bool handles_loss{false};
    std::atomic<bool> has_unflushed{false};
    std::atomic<bool> is_flushing{false};
    // Those under way.
    void* flush{};
    void* closing{};
  };

 public:
  // While it lives, the endpoint is not closed.
  class Turn {
   public:
    Turn(UcxEndpoints& all, int image);
    Turn(Turn const&) = delete;
    Turn& operator=(Turn const&) = delete;
    ~Turn();

    [[nodiscard]] bool is_open() const { return state_ == State::open; }
    [[nodiscard]] bool is_lost() const { return state_ >= State::lost; }
    [[nodiscard]] ucp_ep_h endpoint() const { return endpoint_.handle; }
    // Of the memory that attach() was told of; null where that did not go.
    [[nodiscard]] ucp_rkey_h key() const { return endpoint_.key; }
    // Whether the image may be on another node.
    [[nodiscard]] bool is_remote() const { return endpoint_.handles_loss; }
    // Something was sent that UCX may still hold.
    void note_sent() { endpoint_.has_unflushed.store(true, std::memory_order_relaxed); }

   private:
    friend class UcxEndpoints;
    Endpoint& endpoint_;
    bool is_counted_;
    State state_;
  };

  // `addresses` are those of all images' workers, by image. Only what is known to be in
  // `shared_memory` reach gives up noticing losses.
  UcxEndpoints(ucp_worker_h worker, Job& job, std::vector<std::vector<std::byte>> addresses,
               UcxContext const& context, LinkThreading threading);
  UcxEndpoints(UcxEndpoints const&) = delete;
  UcxEndpoints& operator=(UcxEndpoints const&) = delete;
  ~UcxEndpoints() = default;  // after close_all()

  // The memory of an image, as it can be reached from here.
  struct Attached {
    bool has_key{false};      // for UCX's put and get: Turn::key()
    std::uint64_t address{};  // there
    std::byte* here{};        // null where it cannot be mapped
  };
  // Attaches the memory that `packed_key` (UcxHeap::pack_key) describes, until close_all().
  // Once for each image.
  [[nodiscard]] Attached attach(Turn& turn, std::span<std::byte const> packed_key);

  // Whether there are images that the network reaches.
  [[nodiscard]] bool has_far_images() const;

  // Gives up the image, and tells the job why, unless close_all() is near. Callable from UCX's
  // callbacks.
  void lose(int image, std::string_view call, ucs_status_t status) noexcept;
  // As lose(), for an image that the job has told us about.
  void abandon(int image) noexcept;

  // Whose loss ends what was begun to `image`, where UCX ends it: this image's own, once the others
  // have given it up, since they are alive.
  [[nodiscard]] ImageId lost_by(int image) const noexcept;

  // * Gives back an endpoint that was lost and that no thread uses. True if the image is now gone
  //   for good: once for each.
  [[nodiscard]] bool close_lost(int image);
  [[nodiscard]] bool is_lost(int image) const {
    return endpoints_[static_cast<std::size_t>(image)].state.load() >= State::lost;
  }
  // Whether there is one to close.
  [[nodiscard]] bool has_lost() const { return lost_.load(std::memory_order_acquire) > 0; }

  // * Begins to flush what has unflushed messages.
  void start_flushes();
  // Whether nothing that was sent to a living image is held by UCX.
  [[nodiscard]] bool is_flushed() const;

  // Losses are no news from here on: others close their endpoints too.
  void stop_reporting() { reports_.store(false, std::memory_order_relaxed); }
  // Gives back all endpoints. `progress()` drives the worker and says whether to go on waiting.
  // What has not ended then ends with the worker.
  template <class Progress>
  void close_all(Progress&& progress) {
    start_flushes();
    while (!is_flushed() && progress()) {
    }
    close_each();
    while (closing_.load(std::memory_order_relaxed) > 0 && progress()) {
    }
    let_go_of_requests();
  }

 private:
  [[nodiscard]] Endpoint& at(int image) { return endpoints_[static_cast<std::size_t>(image)]; }
  [[nodiscard]] State open(Endpoint& endpoint);
  [[nodiscard]] ucs_status_t create(Endpoint& endpoint, ucp_err_handling_mode_t mode);
  bool mark_lost(Endpoint& endpoint) noexcept;
  void close(Endpoint& endpoint);
  void close_each();
  void let_go_of_requests();

  static void on_error(void* endpoint, ucp_ep_h handle, ucs_status_t status) noexcept;
  static void on_flushed(void* request, ucs_status_t status, void* endpoint) noexcept;
  static void on_closed(void* request, ucs_status_t status, void* endpoint) noexcept;

  ucp_worker_h worker_;
  Job& job_;
  std::vector<std::vector<std::byte>> addresses_;
  bool is_concurrent_;
  std::vector<bool>
      is_near_;  // by image: reached through shared memory, if that is at all possible
  std::vector<Endpoint> endpoints_;
  std::atomic<int> lost_{0};     // in state `lost`
  std::atomic<int> closing_{0};  // requests of close_all() under way
  std::atomic<bool> reports_{true};
};

}  // namespace makespan::pgas
