// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/leak.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"
#include "makespan/pgas/transport/am/detail/mpi_am_receiver.hpp"

namespace makespan::pgas {

namespace {

constexpr std::size_t slots_max = 8;

// Long messages, and messages behind them, that wait to be delivered.
constexpr std::size_t waiting_max = 64;

// The first posted receive is nearly always the first to be done. Not when its message was matched
// but stays incomplete, since its sender computes or has died: so all are looked at now and then.
constexpr std::uint64_t rounds_between_looks = 256;

// How often MPI is asked whether it has taken back a receive, where no thread may wait for long.
constexpr int tests_after_cancel = 16;

// In place of a source: the receive was over without a message.
constexpr std::size_t no_source = static_cast<std::size_t>(-1);

std::span<std::byte const> payload_of(AmShortMessage const& message) {
  return std::span(message.payload).first(message.frame.payload_bytes);
}

// Asks MPI to take back a receive. Whether it does, or refuses, shows in the tests that follow.
void cancel(MPI_Request& request) {
  if (request != MPI_REQUEST_NULL) static_cast<void>(MPI_Cancel(&request));
}

// Whether MPI is done with a receive that was cancelled. False if the test fails: then it is not
// known, and the buffer must stay.
bool is_over(MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return true;
  int is_done = 0;
  return MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && is_done != 0;
}

// Where even this fails there is nothing left to do about the request.
void give_up(MPI_Request& request) {
  static_cast<void>(MPI_Request_free(&request));
}

ImageId image_of(std::size_t source) {
  return ImageId{static_cast<std::int64_t>(source)};
}

}  // namespace

AmReceiver::AmReceiver(AmContext const& context)
    : context_{context},
      long_bytes_max_{long_bytes_max(context.options)},
      lock_{context.threading},
      sources_(checked_cast<std::size_t>(context.job.images())) {
  posted_.reserve(slots_max);
  spent_.reserve(slots_max);
  waiting_.reserve(waiting_max);
  try {
    for (std::size_t slot = 0; slot < slots_max; ++slot) {
      slots_.push_back(std::make_unique_for_overwrite<Slot>());
      post(*slots_.back());
    }
  } catch (...) {
    take_back();  // MPI has the slots that are posted, and no destructor will run
    throw;
  }
}

int AmReceiver::poll(MessageSink& sink) {
  std::unique_lock const lock(lock_, std::try_to_lock);
  if (!lock.owns_lock()) return 0;
  ++round_;
  int delivered = waiting_.empty() ? 0 : deliver_waiting(sink);
  delivered += deliver_next(sink);
  // Posts in idle rounds, when no thread waits, unless receives run low.
  if (!spent_.empty() && (delivered == 0 || posted_.size() <= slots_max / 2)) {
    post(*spent_.back());
    spent_.pop_back();
  }
  return delivered;
}

void AmReceiver::post(Slot& slot) {
  slot.has_arrived = false;
  check_mpi(MPI_Irecv(&slot.message, static_cast<int>(sizeof slot.message), MPI_BYTE,
                      MPI_ANY_SOURCE, am_frame_tag, context_.communicator, &slot.request),
            "MPI_Irecv", context_.job.image());
  posted_.push_back(&slot);
}

int AmReceiver::deliver_next(MessageSink& sink) {
  AmBuffer room;
  Slot* const slot = take_next(room);
  if (slot == nullptr) return 0;
  // From here on the slot counts as spent: should the sink throw, nothing is delivered twice.
  spent_.push_back(slot);
  accept(*slot, std::move(room), sink);
  return 1;
}

// Takes the first posted receive whose message may be accepted, if there is one.
AmReceiver::Slot* AmReceiver::take_next(AmBuffer& room) {
  bool const looks_at_all = head_is_overtaken_ || round_ % rounds_between_looks == 0;
  std::size_t const looks =
      looks_at_all ? posted_.size() : std::min<std::size_t>(1, posted_.size());
  for (std::size_t at = 0; at < looks; ++at) {
    Slot* const slot = posted_[at];
    if (!has_arrived(*slot) || !is_acceptable(*slot)) continue;
    if (must_wait(*slot)) room = buffers_.take(slot->message.frame.payload_bytes);
    // While the first is incomplete, all are looked at in each round.
    head_is_overtaken_ = at > 0;
    posted_.erase(posted_.begin() + static_cast<std::ptrdiff_t>(at));
    return slot;
  }
  return nullptr;
}

bool AmReceiver::has_arrived(Slot& slot) {
  if (slot.has_arrived) return true;
  int is_done = 0;
  MPI_Status status;
  int const code = MPI_Test(&slot.request, &is_done, &status);
  if (code != MPI_SUCCESS) {
    note_failure(slot, code);
    // Open MPI 5 leaves the error of an earlier test on a receive whose message has come since, and
    // the receive to us.
    if (is_done == 0 || slot.request == MPI_REQUEST_NULL || !is_pending_failure(code)) {
      return slot.has_arrived;
    }
    give_up(slot.request);
  }
  if (is_done == 0) return false;
  slot.has_arrived = true;
  slot.source = no_source;  // until it is known to be whole
  expect_frame(slot, status);
  slot.source = static_cast<std::size_t>(status.MPI_SOURCE);
  return true;
}

// As long as its frame says, and of one that can be kept.
void AmReceiver::expect_frame(Slot const& slot, MPI_Status const& status) const {
  int bytes = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count", context_.job.image());
  AmFrame const& frame = slot.message.frame;
  std::size_t const payload =
      static_cast<std::size_t>(bytes) < sizeof frame ? 0 : frame.payload_bytes;
  std::size_t const expected = sizeof frame + (is_long(payload) ? 0 : payload);
  auto const payload_max = static_cast<std::size_t>(context_.options.message_bytes_max);
  if (static_cast<std::size_t>(bytes) == expected && payload <= payload_max) return;
  throw BadMessage(ImageId{status.MPI_SOURCE},
                   "of " + std::to_string(bytes) + " bytes, where its frame says " +
                       std::to_string(expected) + ", with " + std::to_string(payload) +
                       " bytes of payload, " + std::to_string(payload_max) + " at most");
}

// A receive with MPI_ANY_SOURCE has failed. With fault tolerance that means that an image has died,
// and the receive goes on, or is over without a message.
void AmReceiver::note_failure(Slot& slot, int code) {
  ImageId const self = context_.job.image();
  if (!is_process_failure(code)) check_mpi(code, "MPI_Test", self);
  std::vector<int> const lost = failed_ranks(context_.communicator);
  if (lost.empty()) check_mpi(code, "MPI_Test", self);
  for (int const rank : lost) {
    context_.job.report_loss(ImageId{rank}, "MPI says that the process has failed");
  }
  if (slot.request != MPI_REQUEST_NULL) return;
  slot.has_arrived = true;
  slot.source = no_source;
}

// Whether it is this message's turn, and there is room for it if it must wait.
bool AmReceiver::is_acceptable(Slot const& slot) const {
  if (slot.source == no_source) return true;
  Source const& source = sources_[slot.source];
  // So that its slot is used again; accept() drops it.
  if (source.is_abandoned) return true;
  AmFrame const& frame = slot.message.frame;
  if (frame.number != source.next_number) return false;
  if (is_long(frame.payload_bytes)) {
    // One long message is always taken, however long it is.
    return waiting_.size() < waiting_max &&
           (long_bytes_ == 0 || long_bytes_ + frame.payload_bytes <= long_bytes_max_);
  }
  return source.waiting == 0 || waiting_.size() < waiting_max;
}

// For its payload, or for a long one that its source has sent before it.
bool AmReceiver::must_wait(Slot const& slot) const {
  if (slot.source == no_source) return false;
  Source const& source = sources_[slot.source];
  if (source.is_abandoned) return false;
  return is_long(slot.message.frame.payload_bytes) || source.waiting > 0;
}

void AmReceiver::accept(Slot const& slot, AmBuffer room, MessageSink& sink) {
  if (slot.source == no_source) return;
  Source& source = sources_[slot.source];
  if (source.is_abandoned) return;
  AmFrame const& frame = slot.message.frame;
  // Accepted in the order in which it was sent, whichever receive MPI put it into.
  source.next_number = frame.number + 1;
  if (is_long(frame.payload_bytes)) {
    expect_payload(slot.source, frame, std::move(room));
  } else if (source.waiting > 0) {
    Waiting message{slot.source, frame, std::move(room)};
    std::ranges::copy(payload_of(slot.message), message.payload.data.get());
    keep(std::move(message));
  } else {
    sink.deliver(frame.header, payload_of(slot.message));
  }
}

void AmReceiver::expect_payload(std::size_t source, AmFrame const& frame, AmBuffer room) {
  Waiting message{source, frame, std::move(room)};
  int const code =
      MPI_Irecv(message.payload.data.get(), static_cast<int>(frame.payload_bytes), MPI_BYTE,
                static_cast<int>(source), am_payload_tag, context_.communicator, &message.request);
  if (code != MPI_SUCCESS) {
    message.request = MPI_REQUEST_NULL;
    message.is_lost = true;
  }
  // Of a lost one, too: take_waiting() takes it off again.
  long_bytes_ += frame.payload_bytes;
  keep(std::move(message));
  if (code != MPI_SUCCESS) report_unreachable(context_.job, image_of(source), code, "MPI_Irecv");
}

void AmReceiver::keep(Waiting message) {
  ++sources_[message.source].waiting;
  waiting_.push_back(std::move(message));
}

int AmReceiver::deliver_waiting(MessageSink& sink) {
  int delivered = 0;
  for (std::size_t at = 0; at < waiting_.size();) {
    Source& source = sources_[waiting_[at].source];
    // One that is not here holds back those that its source has sent after it, in this round.
    if (source.blocked_in_round == round_ || !is_here(waiting_[at])) {
      source.blocked_in_round = round_;
      ++at;
      continue;
    }
    Waiting message = take_waiting(at);
    sink.deliver(message.frame.header, {message.payload.data.get(), message.frame.payload_bytes});
    buffers_.give_back(std::move(message.payload));
    ++delivered;
  }
  return delivered;
}

AmReceiver::Waiting AmReceiver::take_waiting(std::size_t at) {
  Waiting message = std::move(waiting_[at]);
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(at));
  --sources_[message.source].waiting;
  if (is_long(message.frame.payload_bytes)) long_bytes_ -= message.frame.payload_bytes;
  return message;
}

bool AmReceiver::is_here(Waiting& message) {
  if (message.is_lost) return false;
  if (message.request == MPI_REQUEST_NULL) return true;
  int is_done = 0;
  MPI_Status status;
  int const code = MPI_Test(&message.request, &is_done, &status);
  if (code == MPI_SUCCESS) {
    if (is_done != 0) expect_whole(message, status);
    return is_done != 0;
  }
  // It stays, and holds back what its source has sent after it, until the source is abandoned.
  message.request = MPI_REQUEST_NULL;
  message.is_lost = true;
  report_unreachable(context_.job, image_of(message.source), code, "MPI_Test");
  return false;
}

// A payload as long as its frame said: behind a shorter one lies memory that was never written. Its
// message is lost, so that it is not delivered by the next poll().
void AmReceiver::expect_whole(Waiting& message, MPI_Status const& status) const {
  int bytes = 0;
  message.is_lost = true;  // until it is known to be whole
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count", context_.job.image());
  if (static_cast<std::size_t>(bytes) != message.frame.payload_bytes) {
    throw BadMessage(image_of(message.source), "with a payload of " + std::to_string(bytes) +
                                                   " bytes, where its frame says " +
                                                   std::to_string(message.frame.payload_bytes));
  }
  message.is_lost = false;
}

void AmReceiver::abandon(ImageId image) {
  auto const source = static_cast<std::size_t>(image.value());
  MAKESPAN_EXPECT(source < sources_.size());
  std::scoped_lock const lock(lock_);
  sources_[source].is_abandoned = true;
  for (std::size_t at = 0; at < waiting_.size();) {
    if (waiting_[at].source == source) {
      drop(take_waiting(at));
    } else {
      ++at;
    }
  }
}

// Gives up a message that was not delivered. Its sender may be dead in the middle of it: then MPI
// neither ends nor cancels the receive, and its buffer must stay.
void AmReceiver::drop(Waiting message) {
  cancel(message.request);
  bool may_be_written = message.is_lost;
  for (int test = 0; test < tests_after_cancel && !is_over(message.request); ++test) continue;
  if (message.request != MPI_REQUEST_NULL) {
    give_up(message.request);
    may_be_written = true;
  }
  if (may_be_written) {
    forgotten_.push_back(std::move(message.payload));
  } else {
    buffers_.give_back(std::move(message.payload));
  }
}

AmReceiver::~AmReceiver() {
  take_back();
}

void AmReceiver::take_back() {
  auto const limit = std::chrono::duration<double>(context_.options.close_limit.value());
  auto const begin = std::chrono::steady_clock::now();
  while (!waiting_.empty()) drop(take_waiting(waiting_.size() - 1));
  // All are cancelled before one is waited for, since the limit is for all together.
  for (Slot* const slot : posted_) cancel(slot->request);
  for (Slot* const slot : posted_) {
    while (!is_over(slot->request) && std::chrono::steady_clock::now() - begin < limit) continue;
  }
  // MPI may still write to these: an image died in the middle of a message.
  for (auto& slot : slots_) {
    if (slot->request == MPI_REQUEST_NULL) continue;
    give_up(slot->request);
    leak(std::move(slot));
  }
  for (AmBuffer& buffer : forgotten_) leak(std::move(buffer.data));
}

}  // namespace makespan::pgas
