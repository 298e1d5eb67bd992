// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/stream.hpp"

#include "makespan/cuda/runtime_api.hpp"

#include "makespan/cuda/error.hpp"

namespace makespan::cuda {

Stream::Stream(Rank rank) {
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  cudaStream_t stream = nullptr;
  int const priority = rank == Rank::urgent ? greatest : least;
  // Non-blocking: the default stream, which others in the process may use, is not waited for.
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority), "cudaStreamCreate");
  stream_.reset(stream);
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync | cudaEventDisableTiming),
        "cudaEventCreate");
  done_.reset(event);
}

// What a destructor is told cannot be thrown, and was told before.
void Stream::DestroyStream::operator()(StreamObject* stream) const {
  static_cast<void>(cudaStreamDestroy(stream));
}

void Stream::DestroyEvent::operator()(EventObject* event) const {
  static_cast<void>(cudaEventDestroy(event));
}

void Stream::upload(void* gpu, void const* host, std::size_t bytes) const {
  check(cudaMemcpyAsync(gpu, host, bytes, cudaMemcpyHostToDevice, get()), "copy to the GPU");
}

void Stream::download(void* host, void const* gpu, std::size_t bytes) const {
  check(cudaMemcpyAsync(host, gpu, bytes, cudaMemcpyDeviceToHost, get()), "copy from the GPU");
}

void Stream::copy(void* to, void const* from, std::size_t bytes) const {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, get()), "copy on the GPU");
}

void Stream::clear(void* gpu, std::size_t bytes) const {
  check(cudaMemsetAsync(gpu, 0, bytes, get()), "clearing memory of the GPU");
}

void Stream::wait() const {
  // An event of its own says that threads sleep; how cudaStreamSynchronize() waits is a setting of
  // the whole process.
  check(cudaEventRecord(done_.get(), get()), "cudaEventRecord");
  check(cudaEventSynchronize(done_.get()), "wait for the GPU");
}

bool Stream::is_done() const {
  cudaError_t const status = cudaStreamQuery(get());
  if (status == cudaErrorNotReady) return false;
  check(status, "look at the GPU");
  return true;
}

}  // namespace makespan::cuda
