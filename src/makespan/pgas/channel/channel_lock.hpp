// SPDX-License-Identifier: Apache-2.0
#pragma once

// The lock of a channel, by the design of endpoints.

#include <cstdint>
#include <mutex>

#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::pgas {

// How the threads of an image share the network: the three designs that M. Luo, J. Jose, S. Sur and
// D. K. Panda compare in "Multi-threaded UPC Runtime with Network Endpoints: Design Alternatives
// and Evaluation on Multi-core Architectures" (HiPC 2011).
enum class EndpointDesign : std::uint8_t {
  per_thread,          // each thread has a channel of its own
  shared_global_lock,  // one channel, behind one lock that is held through every call
  shared_fine_lock,    // one channel, whose parts have locks of their own
};

// Lockable. With per_thread it is nearly always free: only a helper or an idle thread looks in.
class ChannelLock {
 public:
  explicit ChannelLock(EndpointDesign design) : design_{design} {}

  void lock() {
    switch (design_) {
      case EndpointDesign::per_thread:
        spin_.lock();
        break;
      case EndpointDesign::shared_global_lock:
        global_.lock();
        break;
      case EndpointDesign::shared_fine_lock:
        break;
    }
  }

  [[nodiscard]] bool try_lock() {
    switch (design_) {
      case EndpointDesign::per_thread:
        return spin_.try_lock();
      case EndpointDesign::shared_global_lock:
        return global_.try_lock();
      case EndpointDesign::shared_fine_lock:
        break;
    }
    return true;
  }

  void unlock() {
    switch (design_) {
      case EndpointDesign::per_thread:
        spin_.unlock();
        break;
      case EndpointDesign::shared_global_lock:
        global_.unlock();
        break;
      case EndpointDesign::shared_fine_lock:
        break;
    }
  }

 private:
  EndpointDesign design_;
  SpinLock spin_;
  std::mutex global_;
};

}  // namespace makespan::pgas
