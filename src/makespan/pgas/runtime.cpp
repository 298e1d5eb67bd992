// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/runtime.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/memory/symmetric_heap.hpp"

namespace makespan::pgas {

namespace {

std::string bytes_text(std::int64_t bytes) {
  return std::to_string(bytes) + " bytes";
}

}  // namespace

Runtime::Runtime(RuntimeOptions const& options)
    : fabric_{std::make_unique<Fabric>(options)},
      image_{fabric_->job().image()},
      images_{fabric_->job().images()},
      heap_{std::make_unique<SymmetricHeap>(fabric_->options().heap_bytes)} {
  for (int thread = 0; thread < fabric_->options().threads; ++thread) {
    endpoints_.push_back(std::make_unique<Endpoint>(*fabric_, thread));
  }
  team_.emplace(fabric_->job().world_collectives_all(), *endpoints_.front());
  node_team_.emplace(team_->split_by_node_all());
}

Runtime::~Runtime() {
  // In the order of finish_all(), which may not have come to it.
  node_team_.reset();
  team_.reset();
  for (auto const& endpoint : endpoints_) endpoint->end();
  // Before the endpoints go, and with them the memory that operations were given to keep
  // (keep_until_over()): until now an answer may be written to it.
  fabric_->stop();
}

void Runtime::finish_all() {
  expect_open("finish_all");
  bool all_came = fabric_->job().lost_images() == 0;
  if (all_came) {
    try {
      drain();
      team_->barrier_all();
    } catch (ImageFailed const&) {
      // Lost while this waited for it; the others may have known before, and not have waited. An
      // MPI that finds losses itself may know before the job does.
      all_came = false;
    }
  }
  // They have communicators of the job, which ends.
  node_team_.reset();
  team_.reset();
  // From here on each call finds no image, and so does not reach a channel that goes.
  for (auto const& endpoint : endpoints_) endpoint->end();
  fabric_->close_all(all_came);
}

// What this image began is over, and what it owes to others has left it. Nothing of it may come
// later: MPI gives the number of a communicator that is freed to the next one, and old messages
// with it.
void Runtime::drain() {
  fabric_->begin_closing();
  finish_own();
  static_cast<void>(fabric_->take_runs());
  team_->barrier_all();
  // A call or a continuation that an image has run since it came to the barrier, or to the last
  // sum, may have begun others. Those that were sent before are answered by now, so where none was
  // run none is left.
  do {
    finish_own();
  } while (team_->all_reduce_all(ReduceOp::max, fabric_->take_runs()) > 0);
  // No image begins anything any more: what is left to send is what this one owes.
  for (int number = 0; number < fabric_->channels(); ++number) {
    endpoints_.front()->wait_until(
        [&] {
          fabric_->channel(number).poll();
          return fabric_->channel(number).is_drained();
        },
        {.call = "finish_all"});
  }
}

// What this image has begun is over, and what was to follow it has run.
void Runtime::finish_own() {
  // Puts and updates that no thread has waited for.
  for (auto const& endpoint : endpoints_) endpoint->flush_all();
  auto const is_lost = [&job = fabric_->job()](ImageId image) {
    return job.lost_images() > 0 && !job.loss_of(image).empty();
  };
  endpoints_.front()->wait_until(
      [&] {
        // Before the credits are looked at: a helper may have taken an answer, and the call that
        // its continuation begins is not out yet. Those of the other endpoints have no thread any
        // more.
        for (auto const& endpoint : endpoints_) endpoint->progress();
        return fabric_->credits().are_home(is_lost) &&
               std::ranges::none_of(
                   endpoints_, [](auto const& endpoint) { return endpoint->has_continuations(); });
      },
      {.call = "finish_all"});
}

RuntimeDescription Runtime::describe() const {
  RuntimeOptions const& options = fabric_->options();
  return {.images = images_,
          .nodes = fabric_->job().nodes(),
          .threads = options.threads,
          .launcher = fabric_->job().launcher(),
          .transport = fabric_->transport_name(),
          .design = std::string(name_of(options.design)),
          .progress = std::string(name_of(fabric_->progress())),
          .stealing = std::string(name_of(options.stealing)),
          .heap_bytes = options.heap_bytes};
}

std::int64_t Runtime::message_bytes_max() const {
  expect_open("message_bytes_max");
  return fabric_->channel(0).payload_bytes_max();
}

Endpoint& Runtime::endpoint(int thread) {
  expect_open("endpoint");
  if (thread < 0 || thread >= std::ssize(endpoints_)) {
    throw InputError("image " + std::to_string(image_.value()) + ": endpoint of thread " +
                         std::to_string(thread),
                     "the runtime was made for " + std::to_string(endpoints_.size()) + " threads",
                     "threads are 0 to " + std::to_string(endpoints_.size() - 1) +
                         "; RuntimeOptions::threads says how many");
  }
  return *endpoints_[static_cast<std::size_t>(thread)];
}

Team& Runtime::team() {
  expect_open("team");
  return *team_;
}

std::vector<Team> Runtime::teams_of_threads_all() {
  expect_open("teams_of_threads_all");
  std::vector<Team> teams;
  teams.reserve(endpoints_.size());
  for (auto const& endpoint : endpoints_) {
    teams.emplace_back(fabric_->job().world_collectives_all(), *endpoint);
  }
  return teams;
}

Team& Runtime::node_team() {
  expect_open("node_team");
  return *node_team_;
}

std::uint64_t Runtime::allocate_bytes_all(std::int64_t count, std::size_t size,
                                          std::size_t alignment, std::string_view name) {
  expect_open("allocate_all");
  // One reduction tells both ends: the least, and the most as the least of its negative.
  // What is less than -1, and refused as -1 is, stands for it: the least number has no negative.
  std::int64_t const asked = std::max<std::int64_t>(count, -1);
  std::array<std::int64_t, 2> const mine{asked, -asked};
  std::array<std::int64_t, 2> least{};
  team_->all_reduce_all<std::int64_t>(ReduceOp::min, mine, least);
  std::string const what = "image " + std::to_string(image_.value()) + ": allocate_all of " +
                           std::to_string(count) + " elements of " + std::to_string(size) +
                           " bytes for " + std::string(name);
  // All images see the same two numbers, so all throw or none does, and their heaps stay alike.
  if (least[0] != -least[1]) {
    throw InputError(what,
                     "images ask for " + std::to_string(least[0]) + " to " +
                         std::to_string(-least[1]) + " elements",
                     "ask for the same on all images");
  }
  auto const element = checked_cast<std::int64_t>(size);
  if (count < 0 || count > std::numeric_limits<std::int64_t>::max() / element) {
    throw InputError(what, "there can be no such number of elements", "ask for 0 or more");
  }
  auto const offset = heap_->allocate(count * element, name, checked_cast<std::int64_t>(alignment));
  if (!offset) {
    throw InputError(what,
                     "the heap of " + bytes_text(heap_->bytes()) + " has " +
                         bytes_text(heap_->bytes_free_largest()) + " left in one piece",
                     "set RuntimeOptions::heap_bytes or MAKESPAN_HEAP_MIB");
  }
  // Zeros are there before any image can ask for them: hence publish(), and the barrier.
  std::fill_n(local_bytes(*offset), count * element, std::byte{});
  for (int number = 0; number < fabric_->channels(); ++number) fabric_->channel(number).publish();
  team_->barrier_all();
  return *offset;
}

void Runtime::free_bytes_all(std::uint64_t offset) {
  expect_open("free_all");
  // No image may be at it still.
  team_->barrier_all();
  heap_->free(offset);
}

std::byte* Runtime::local_bytes(std::uint64_t offset) const {
  expect_open("local");
  MAKESPAN_EXPECT(offset <= fabric_->heap().size());
  return fabric_->heap().data() + offset;
}

bool Runtime::is_alive(ImageId image) const {
  endpoints_.front()->check_image(image, "is_alive");
  return fabric_->job().loss_of(image).empty();
}

std::string Runtime::loss_of(ImageId image) const {
  endpoints_.front()->check_image(image, "loss_of");
  return fabric_->job().loss_of(image);
}

void Runtime::accept_loss(ImageId image) {
  endpoints_.front()->check_image(image, "accept_loss");
  fabric_->accept_loss(image);
}

bool Runtime::is_open() const {
  return fabric_->is_open();
}

void Runtime::expect_open(std::string_view call) const {
  if (is_open()) return;
  throw InputError(
      "image " + std::to_string(image_.value()) + ": " + std::string(call) + " after finish_all",
      "the runtime has ended", "call it before");
}

}  // namespace makespan::pgas
