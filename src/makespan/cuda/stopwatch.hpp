// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a GPU took for a part of what a stream does.

#include <memory>

#include "makespan/base/quantity.hpp"
#include "makespan/cuda/detail/handles.hpp"
#include "makespan/cuda/stream.hpp"

namespace makespan::cuda {

// Of the GPU that is the thread's when it is made. Calls throw CudaFailed.
class Stopwatch {
 public:
  Stopwatch();

  // When the stream has come so far.
  void start(Stream const& stream) const;
  void stop(Stream const& stream) const;
  // Between the two, both of which have come.
  [[nodiscard]] Seconds time() const;

 private:
  struct DestroyEvent {
    void operator()(EventObject* event) const;
  };
  using Event = std::unique_ptr<EventObject, DestroyEvent>;
  [[nodiscard]] static Event new_event();

  Event start_;
  Event stop_;
};

}  // namespace makespan::cuda
