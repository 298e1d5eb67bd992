// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/stopwatch.hpp"

#include "makespan/cuda/runtime_api.hpp"

#include "makespan/cuda/error.hpp"

namespace makespan::cuda {

Stopwatch::Event Stopwatch::new_event() {
  cudaEvent_t event = nullptr;
  // With time, unlike the event that a Stream waits by: cudaEventElapsedTime() refuses those.
  check(cudaEventCreate(&event), "cudaEventCreate");
  return Event(event);
}

Stopwatch::Stopwatch() : start_{new_event()}, stop_{new_event()} {
}

void Stopwatch::DestroyEvent::operator()(EventObject* event) const {
  static_cast<void>(cudaEventDestroy(event));
}

void Stopwatch::start(Stream const& stream) const {
  check(cudaEventRecord(start_.get(), stream.get()), "cudaEventRecord");
}

void Stopwatch::stop(Stream const& stream) const {
  check(cudaEventRecord(stop_.get(), stream.get()), "cudaEventRecord");
}

Seconds Stopwatch::time() const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "cudaEventElapsedTime");
  return Seconds{1e-3 * static_cast<double>(milliseconds)};
}

}  // namespace makespan::cuda
