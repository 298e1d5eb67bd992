// SPDX-License-Identifier: Apache-2.0
#pragma once
// Several threads of one image that use the other image's memory by bare UCX: through one lane with
// a mutex around it, through one lane that UCX locks, or through a lane of each thread's own.

#include <ucp/api/ucp.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "contestant.hpp"
#include "raw_ucx.hpp"
#include "thread_block.hpp"

namespace makespan::bench {

// What each thread does over and over. Each has its own part of the other image's memory.
template <class Mutex>
class UcxThreadWork {
 public:
  static constexpr std::size_t bytes_per_thread = std::size_t{4} << 20;

  UcxThreadWork(UcxLane<Mutex>& lane, int thread)
      : lane_(lane), offset_(static_cast<std::uint64_t>(thread) * bytes_per_thread) {}

  // One eight-byte put, visible there.
  int put_flush() {
    lane_.put(data_.data(), 8, offset_);
    lane_.flush();
    return 1;
  }
  // Eight-byte puts, as many as may be under way at once.
  int put_many() { return put_window<64>(8); }
  // Puts of 64 KiB.
  int put_large() { return put_window<16>(large_put_bytes); }

 private:
  template <std::size_t window>
  int put_window(std::size_t bytes) {
    std::array<ucs_status_ptr_t, window> requests{};
    std::uint64_t offset = offset_;
    for (auto& request : requests) {
      request = lane_.begin_put(data_.data(), bytes, offset);
      offset += bytes;
    }
    for (auto const request : requests) lane_.wait(request);
    lane_.flush();
    return static_cast<int>(window);
  }

  UcxLane<Mutex>& lane_;
  std::uint64_t offset_;
  std::vector<std::byte> data_ = std::vector<std::byte>(large_put_bytes);
};

enum class ThreadOperation { put_flush, put_many, put_large };

template <class Mutex>
int operate(UcxThreadWork<Mutex>& work, ThreadOperation operation) {
  switch (operation) {
    case ThreadOperation::put_flush:
      return work.put_flush();
    case ThreadOperation::put_many:
      return work.put_many();
    default:
      return work.put_large();
  }
}

// One design: lanes, and which thread uses which.
template <class Mutex>
class UcxDesign {
 public:
  // Collective.
  UcxDesign(UcxContext const& context, int lanes, ucs_thread_mode_t mode) {
    for (int lane = 0; lane < lanes; ++lane) {
      lanes_.push_back(std::make_unique<UcxLane<Mutex>>(context, mode));
    }
  }

  Figures block(MpiSession const& session, ThreadBlock const& shape, ThreadOperation operation) {
    if (!session.is_active()) {
      serve(session, shape);
      return {};
    }
    Figures const figures = run_threads(shape, [&](int thread) {
      UcxThreadWork<Mutex> work(lane_of(thread), thread);
      return
          [this, operation, work = std::move(work)]() mutable { return operate(work, operation); };
    });
    session.send_end();
    return figures;
  }

 private:
  UcxLane<Mutex>& lane_of(int thread) {
    return *lanes_[static_cast<std::size_t>(thread) % lanes_.size()];
  }

  // On a node the active image needs no help of the passive one. Over a network each lane has a
  // thread that serves it.
  void serve(MpiSession const& session, ThreadBlock const& shape) {
    if (shape.target == Target::sleeps) {
      session.sleep_until_end();
      return;
    }
    std::atomic<bool> over{false};
    std::vector<std::jthread> threads;
    for (auto const& lane : lanes_) {
      threads.emplace_back([&over, &lane] {
        while (!over.load(std::memory_order_relaxed)) {
          if (!lane->progress()) std::this_thread::yield();
        }
      });
    }
    session.sleep_until_end();
    over = true;
  }

  std::vector<std::unique_ptr<UcxLane<Mutex>>> lanes_;
};

}  // namespace makespan::bench
