// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/completion_server.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "makespan/bag/image/detail/told_checks.hpp"
#include "makespan/bag/protocol/chunk_range.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::bag {

CompletionServer::CompletionServer(ImageRoster const& roster, TeamClock const& clock)
    : roster_(roster),
      unpacked_(clock.make_condition()),
      lost_(static_cast<std::size_t>(roster.images())),
      lost_threads_(static_cast<std::size_t>(roster.threads())),
      outcomes_(static_cast<std::size_t>(roster.images())) {
}

void CompletionServer::open(Bag const& bag, ChunkPolicy& policy, FirstClaims first_claims,
                            std::vector<Mode> const& modes, DistributedItemRunner& runner) {
  std::scoped_lock const lock(mutex_);
  MAKESPAN_EXPECT(tracker_ == nullptr);
  tracker_ = std::make_unique<CompletionTracker>(bag, modes, policy, first_claims);
  loop_ = loop_of(bag, roster_.workers());
  runner_ = &runner;
  error_ = nullptr;
  outcomes_.assign(outcomes_.size(), std::nullopt);
  for (int image = 0; image < roster_.images(); ++image) {
    // The tracker is new for each bag, and would wait for workers of an image that was lost in an
    // earlier one.
    if (lost_[static_cast<std::size_t>(image)]) retire_all(image);
  }
}

void CompletionServer::retire_all(int image) {
  if (!tracker_) return;
  for (int worker = 0; worker < roster_.workers_of(image); ++worker) {
    tracker_->retire(roster_.first_worker[static_cast<std::size_t>(image)] + worker);
  }
}

void CompletionServer::close() {
  TeamCondition::Lock lock(mutex_);
  while (is_unpacking_) unpacked_->wait(lock);  // into the runner, which is the caller's
  tracker_.reset();
  runner_ = nullptr;
}

ClaimActions CompletionServer::ask(int /*thread*/, WorkerFacts const& worker) {
  expect_worker(worker.index);
  expect_sound(worker);
  std::scoped_lock const lock(mutex_);
  // Between bags: a request of the last one that was under way when it ended.
  return tracker_ ? tracker_->ask(worker) : ClaimActions{.order = Order::leave};
}

bool CompletionServer::may_steal(int /*thread*/, int worker, int victim) {
  expect_worker(worker);
  expect_worker(victim);
  std::scoped_lock const lock(mutex_);
  return tracker_ && tracker_->may_steal(worker, victim);
}

bool CompletionServer::may_use_pool(int /*thread*/, int worker) {
  expect_worker(worker);
  std::scoped_lock const lock(mutex_);
  return tracker_ && tracker_->may_use_pool(worker);
}

void CompletionServer::retire(int /*thread*/, int worker) {
  expect_worker(worker);
  std::scoped_lock const lock(mutex_);
  if (tracker_) tracker_->retire(worker);
}

void CompletionServer::end_chunk(int /*thread*/, ChunkReport const& report) {
  expect_worker(report.worker);
  std::scoped_lock const lock(mutex_);
  if (!tracker_) return;
  expect_sound(report, loop_);
  // A policy begins the loop, and makes room for its workers, at the first claim.
  if (!tracker_->has_handed_out()) {
    throw InputError("a chunk of worker " + std::to_string(report.worker) + " of a bag",
                     "no worker has been given one", "start the same executable on all images");
  }
  tracker_->end_chunk(report);
}

void CompletionServer::take_back(int worker) {
  expect_worker(worker);
  std::scoped_lock const lock(mutex_);
  if (tracker_) tracker_->take_back(worker);
}

void CompletionServer::give_up(std::int32_t image, int lost, int worker) {
  expect_image(image);
  if (lost < 0 || lost >= roster_.threads_of(image)) {
    throw InputError("thread " + std::to_string(lost) + " of image " + std::to_string(image),
                     "it has " + std::to_string(roster_.threads_of(image)),
                     "start the same executable on all images");
  }
  expect_worker(worker);
  std::scoped_lock const lock(mutex_);
  // Where its thread hangs, a message may have come in part: the rest comes late, or never.
  lost_threads_[roster_.place_of(image, lost)] = true;
  if (tracker_) tracker_->retire(worker);
}

// Its parts end a message that is an image's, not a thread's, with thread -1.
bool CompletionServer::is_lost(pgas::Fragment const& part) const {
  auto const image = static_cast<std::size_t>(part.image);
  if (lost_[image]) return true;
  if (part.thread < 0 || part.thread >= roster_.threads_of(part.image)) return false;
  return lost_threads_[roster_.place_of(part.image, part.thread)];
}

// The runner is there as long as its threads call.
void CompletionServer::finish(int /*thread*/, int first_thread, int threads,
                              std::span<ItemRange const> items) {
  bool counts = false;
  DistributedItemRunner* runner = nullptr;
  {
    std::scoped_lock const lock(mutex_);
    counts = tracker_ && tracker_->finish(items);
    runner = runner_;
  }
  // Without the lock: the results are these threads' own, and may take long to add.
  for (int thread = first_thread; runner && thread < first_thread + threads; ++thread) {
    counts ? runner->keep(thread) : runner->drop(thread);
  }
}

std::vector<std::byte> CompletionServer::delivery(std::span<ItemRange const> items) {
  auto const count = static_cast<std::uint64_t>(items.size());
  std::vector<std::byte> bytes(sizeof count + items.size_bytes());
  std::memcpy(bytes.data(), &count, sizeof count);
  std::memcpy(bytes.data() + sizeof count, items.data(), items.size_bytes());
  return bytes;
}

void CompletionServer::expect_image(std::int32_t image) const {
  if (image >= 0 && image < roster_.images()) return;
  throw InputError("a message of image " + std::to_string(image) + " to a bag",
                   "it has " + std::to_string(roster_.images()) + " images",
                   "start the same executable on all images");
}

void CompletionServer::expect_worker(int worker) const {
  if (worker >= 0 && worker < roster_.workers()) return;
  throw InputError("worker " + std::to_string(worker) + " of a bag",
                   "it has " + std::to_string(roster_.workers()),
                   "start the same executable on all images");
}

void CompletionServer::deliver(pgas::Fragment const& part, std::span<std::byte const> data) {
  expect_image(part.image);
  std::optional<std::vector<std::byte>> message;
  {
    std::scoped_lock const lock(mutex_);
    // Before it is put together: a part of a message whose others do not come would stay.
    if (is_lost(part)) return;
    message = reassembly_.add(part, data);
  }
  if (message) take_in(part.image, *message);
}

namespace {

std::vector<ItemRange> ranges_in(pgas::ByteReader& reader) {
  std::uint64_t count = 0;
  reader.read(&count, sizeof count);
  // Before memory is taken for them: a damaged count may be any number.
  reader.expect(count, sizeof(ItemRange));
  std::vector<ItemRange> items(count);
  reader.read(items.data(), count * sizeof(ItemRange));
  return items;
}

void expect_items(std::span<ItemRange const> ranges, std::int64_t items) {
  for (ItemRange const& range : ranges) {
    if (range.begin >= 0 && range.begin <= range.end && range.end <= items) continue;
    throw InputError(
        "results of items " + std::to_string(range.begin) + " to " + std::to_string(range.end),
        "the bag has " + std::to_string(items), "start the same executable on all images");
  }
}

}  // namespace

void CompletionServer::take_in(int image, std::span<std::byte const> message) {
  pgas::ByteReader reader(message);
  std::vector<ItemRange> const items = ranges_in(reader);
  std::size_t const head = sizeof(std::uint64_t) + items.size() * sizeof(ItemRange);

  DistributedItemRunner* const runner = begin_unpacking(image, items);
  if (runner == nullptr) return;
  std::exception_ptr error;
  try {
    // Without the lock: workers are answered meanwhile.
    runner->unpack(message.subspan(head));
  } catch (...) {
    error = std::current_exception();
  }
  end_unpacking(error);
}

// Once no other message is being unpacked. The image may be lost by then: its items are handed out
// again, and image 0 may have run them.
DistributedItemRunner* CompletionServer::begin_unpacking(int image,
                                                         std::span<ItemRange const> items) {
  TeamCondition::Lock lock(mutex_);
  while (is_unpacking_) unpacked_->wait(lock);
  if (!tracker_ || lost_[static_cast<std::size_t>(image)]) return nullptr;
  expect_items(items, loop_.items);
  // Counted first, and unpacked if they count: of items that two images ran, one result is taken.
  if (!tracker_->finish(items)) return nullptr;
  is_unpacking_ = true;
  return runner_;
}

void CompletionServer::end_unpacking(std::exception_ptr const& error) {
  std::scoped_lock const lock(mutex_);
  is_unpacking_ = false;
  unpacked_->notify_all();
  if (!error || error_) return;
  error_ = error;
  // The items count as finished already, and have no result now: the run cannot end well.
  if (tracker_) tracker_->stop();
}

void CompletionServer::end(int image, ImageOutcome outcome) {
  std::scoped_lock const lock(mutex_);
  auto const at = static_cast<std::size_t>(image);
  // One that was taken for lost and is only late: its items have been handed out again.
  if (lost_[at]) return;
  // What ended its part, such as an item that threw, ends the bag on all images. The failure of its
  // devices does not: others run what they held.
  if (!outcome.failure.empty() && tracker_) tracker_->stop();
  retire_all(image);
  outcomes_[at] = std::move(outcome);
}

void CompletionServer::end(pgas::Fragment const& part, std::span<std::byte const> data) {
  expect_image(part.image);
  std::optional<std::vector<std::byte>> message;
  {
    std::scoped_lock const lock(mutex_);
    if (lost_[static_cast<std::size_t>(part.image)]) return;
    message = reassembly_.add(part, data);
  }
  if (!message) return;
  ImageOutcome outcome = outcome_from(*message);
  expect_fits(roster_, part.image, outcome);
  end(part.image, std::move(outcome));
}

void CompletionServer::lose(int image) {
  std::scoped_lock const lock(mutex_);
  auto const at = static_cast<std::size_t>(image);
  if (lost_[at]) return;
  lost_[at] = true;
  // The rest of a message that it has begun does not come.
  reassembly_.drop(image);
  // What it had failed by has stopped the bag, and stays the reason.
  if (outcomes_[at] && !outcomes_[at]->failure.empty() && !error_) {
    error_ = std::make_exception_ptr(RemoteError(ImageId{image}, outcomes_[at]->failure));
  }
  // Lost for the report too, where it had ended its part: it is not there any more.
  outcomes_[at].reset();
  retire_all(image);
}

bool CompletionServer::is_lost(int image) const {
  std::scoped_lock const lock(mutex_);
  return lost_[static_cast<std::size_t>(image)];
}

void CompletionServer::stop() {
  std::scoped_lock const lock(mutex_);
  if (tracker_) tracker_->stop();
}

bool CompletionServer::is_stopped() const {
  std::scoped_lock const lock(mutex_);
  return tracker_ && tracker_->is_stopped();
}

bool CompletionServer::anyone_waits() const {
  std::scoped_lock const lock(mutex_);
  return tracker_ && tracker_->anyone_waits();
}

bool CompletionServer::complete() const {
  std::scoped_lock const lock(mutex_);
  // The last items count as finished before their results are in the runner.
  return tracker_ && tracker_->complete() && !is_unpacking_;
}

std::vector<std::optional<ImageOutcome>> CompletionServer::outcomes() const {
  std::scoped_lock const lock(mutex_);
  return outcomes_;
}

// The loss of an image may become known before the results that it had reported are taken in.
bool CompletionServer::others_have_ended() const {
  std::scoped_lock const lock(mutex_);
  if (is_unpacking_) return false;
  for (std::size_t image = 1; image < lost_.size(); ++image) {
    if (!lost_[image] && !outcomes_[image]) return false;
  }
  return true;
}

std::exception_ptr CompletionServer::error() const {
  std::scoped_lock const lock(mutex_);
  return error_;
}

}  // namespace makespan::bag
