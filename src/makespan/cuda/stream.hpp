// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a GPU does one after the other.

#include <cstddef>
#include <memory>

#include "makespan/cuda/detail/handles.hpp"

namespace makespan::cuda {

// Of the GPU that is the thread's when it is made. Calls throw CudaFailed, also for what went wrong
// in earlier ones: the runtime tells when it knows.
class Stream {
 public:
  // Of two streams that have something to do the urgent one goes first.
  enum class Rank { usual, urgent };
  explicit Stream(Rank rank = Rank::usual);

  // Both return at once where the memory of the host is pinned; it must stay until wait().
  void upload(void* gpu, void const* host, std::size_t bytes) const;
  void download(void* host, void const* gpu, std::size_t bytes) const;
  // From one place that the GPU reaches to another.
  void copy(void* to, void const* from, std::size_t bytes) const;
  // Sets memory of the GPU to 0.
  void clear(void* gpu, std::size_t bytes) const;

  // Blocks until all that was asked for is done. Sleeps meanwhile.
  void wait() const;

  // Whether all of that is done; for callers that poll.
  [[nodiscard]] bool is_done() const;

  [[nodiscard]] StreamObject* get() const { return stream_.get(); }

 private:
  struct DestroyStream {
    void operator()(StreamObject* stream) const;
  };
  struct DestroyEvent {
    void operator()(EventObject* event) const;
  };
  std::unique_ptr<StreamObject, DestroyStream> stream_;
  std::unique_ptr<EventObject, DestroyEvent> done_;
};

}  // namespace makespan::cuda
