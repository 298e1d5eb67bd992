// SPDX-License-Identifier: Apache-2.0
#pragma once

// Images that share a heap: what main() makes first and ends last.
//
//   int main() {
//     return makespan::pgas::run_job([] {
//       Runtime runtime;
//       auto const counter = runtime.allocate_all<std::int64_t>(1, "counter");
//       Endpoint& here = runtime.endpoint(0);
//       auto const mine = fetch_add(here, counter.at(ImageId{0}), 1);
//       runtime.team().barrier_all();
//       runtime.finish_all();
//       return 0;
//     });
//   }
//
// A process that mpiexec did not launch is a job of one image, and never calls MPI.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/options.hpp"
#include "makespan/pgas/runtime_description.hpp"
#include "makespan/pgas/team.hpp"

namespace makespan::pgas {

class Fabric;
class SymmetricHeap;

class Runtime {
 public:
  // Collective over the job. Blocks until all images are here. Options are overridden by MAKESPAN_…
  // variables (options.hpp). Throws InputError, on all images, on options that are invalid, differ
  // between images (`threads`, `wait_limit`, `progress_core` may), or cannot be had here; also what
  // open_job_all() throws.
  explicit Runtime(RuntimeOptions const& options = {});
  Runtime(Runtime const&) = delete;
  Runtime& operator=(Runtime const&) = delete;
  // After finish_all() nothing is left to do. Without it an exception is under way, or something
  // was forgotten: what this image holds alone is given back, and others that wait see it as lost.
  ~Runtime();

  // Collective: waits for all images and all calls under way, and ends the job's communication.
  // From the thread of endpoint 0; no other uses an endpoint, or asks for losses, any more. Throws
  // WaitTimeout where the images do not leave within 10 s of the last one's coming. Where MPI's own
  // last calls do not come back for 60 s, it prints so and ends the process with status 1.
  // Calls to threads that ran none are run here, and so are continuations (Future::then). If an
  // image is lost, it does not wait for the others. Endpoints, teams and pointers mean nothing
  // afterwards; nor when it has thrown, if it has begun to close.
  void finish_all();
  // Until finish_all() begins to close.
  [[nodiscard]] bool is_open() const;

  [[nodiscard]] ImageId image() const { return image_; }
  [[nodiscard]] int images() const { return images_; }
  [[nodiscard]] RuntimeDescription describe() const;
  // Of arguments, or of the result, of one remote call.
  [[nodiscard]] std::int64_t message_bytes_max() const;

  // That of thread `thread`, 0 … options.threads-1. Throws InputError on others. Callable from any
  // thread; the endpoint is for one.
  [[nodiscard]] Endpoint& endpoint(int thread);

  // Of all images.
  [[nodiscard]] Team& team();
  // Of the images on this one's node.
  [[nodiscard]] Team& node_team();
  // Collective, from the thread of endpoint 0; blocks without driving progress. A team of all
  // images for each thread, by number: for the thread of that endpoint, at the same time as the
  // others' (share_of() cuts an array for them). They go before finish_all().
  [[nodiscard]] std::vector<Team> teams_of_threads_all();

  // --- the symmetric heap. Collective, from the thread of endpoint 0; blocks; drives progress.

  // `count` elements on each image, zero at first, at the same offset everywhere. `name` is for
  // errors. Throws InputError when the heap has no room, or images ask for different sizes; nothing
  // is taken then.
  template <WireType T>
  [[nodiscard]] SymmetricArray<T> allocate_all(std::int64_t count, std::string_view name) {
    return {allocate_bytes_all(count, sizeof(T), alignof(T), name), count};
  }
  // When the first image calls this, no image uses the array any more.
  template <WireType T>
  void free_all(SymmetricArray<T> const& array) {
    free_bytes_all(array.offset());
  }
  // This image's part. With the transport rma, words in it that others change by atomics are read
  // by load() only.
  template <WireType T>
  [[nodiscard]] std::span<T> local(SymmetricArray<T> const& array) const {
    return {reinterpret_cast<T*>(local_bytes(array.offset())),
            static_cast<std::size_t>(array.count())};
  }

  // --- lost images

  // False once it died or fell silent. Callable from any thread; does not block.
  [[nodiscard]] bool is_alive(ImageId image) const;
  // Why it is lost; empty while it is not. As is_alive().
  [[nodiscard]] std::string loss_of(ImageId image) const;
  // From now on, waits that name no image go on without it.
  void accept_loss(ImageId image);

 private:
  [[nodiscard]] std::uint64_t allocate_bytes_all(std::int64_t count, std::size_t size,
                                                 std::size_t alignment, std::string_view name);
  void free_bytes_all(std::uint64_t offset);
  [[nodiscard]] std::byte* local_bytes(std::uint64_t offset) const;
  void expect_open(std::string_view call) const;
  void drain();
  void finish_own();

  std::unique_ptr<Fabric> fabric_;
  ImageId image_;
  int images_;
  std::unique_ptr<SymmetricHeap> heap_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;  // by thread
  std::optional<Team> team_;
  std::optional<Team> node_team_;
};

}  // namespace makespan::pgas
