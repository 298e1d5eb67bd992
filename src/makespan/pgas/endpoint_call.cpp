// SPDX-License-Identifier: Apache-2.0
// Remote calls: sending them, and running those that came.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/call/queued_call.hpp"
#include "makespan/pgas/channel/call_intake.hpp"
#include "makespan/pgas/channel/channel.hpp"
#include "makespan/pgas/detail/learned.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/task/task.hpp"

namespace makespan::pgas {

namespace {

std::span<std::byte const> bytes_of(std::string const& text) {
  return std::as_bytes(std::span(text));
}

// Longer texts of exceptions are cut: the shortest message that can be asked for holds so much.
constexpr std::size_t refusal_bytes_max = 1024;

using Clock = std::chrono::steady_clock;

// Short calls that came together are run together: a look at the network between two of them costs
// as much as one, over TCP ten times that. Before a call that comes later than this the network is
// looked at.
constexpr std::chrono::microseconds running_time{5};

}  // namespace

std::vector<std::byte>& Endpoint::outgoing() {
  outgoing_.clear();
  return outgoing_;
}

void Endpoint::send_call(Operation& operation, EndpointAddress to, CodePointer code) {
  // Moved out: a call that is run while this one waits for room writes arguments of its own.
  std::vector<std::byte> arguments = std::move(outgoing_);
  try {
    wait_until([&] { return try_send_call(operation, to, code, arguments); },
               awaiting("a remote call", to.image));
  } catch (...) {
    forget(operation);
    throw;
  }
  outgoing_ = std::move(arguments);
}

bool Endpoint::send_call_now(Operation& operation, EndpointAddress to, CodePointer code) {
  bool is_sent = false;
  try {
    if (fabric_.job().lost_images() != 0) throw_if_lost(awaiting("a remote call", to.image));
    is_sent = try_send_call(operation, to, code, outgoing_);
  } catch (...) {
    forget(operation);
    throw;
  }
  if (!is_sent) operation.on_forgotten();  // it is tracked nowhere
  return is_sent;
}

void Endpoint::check_call(EndpointAddress to) const {
  check_image(to.image, "rpc");
  auto const who = [&] {
    return "image " + std::to_string(address_.image.value()) + ": rpc to image " +
           std::to_string(to.image.value());
  };
  int const threads = fabric_.options().threads;
  if (to.thread < 0 || to.thread >= threads) {
    throw InputError(who() + ", thread " + std::to_string(to.thread),
                     "each image has " + std::to_string(threads) + " threads",
                     "threads are 0 to " + std::to_string(threads - 1));
  }
  std::int64_t const bytes_max = channel_.payload_bytes_max();
  if (std::ssize(outgoing_) > bytes_max) {
    throw InputError(who() + " with " + std::to_string(outgoing_.size()) + " bytes of arguments",
                     "a message holds " + std::to_string(bytes_max) + " bytes",
                     "put long data and send where it is, or raise message_bytes_max "
                     "(MAKESPAN_MESSAGE_KIB)");
  }
}

bool Endpoint::is_lost(ImageId image) const {
  return fabric_.job().lost_images() != 0 && !fabric_.job().loss_of(image).empty();
}

bool Endpoint::try_send_call(Operation& operation, EndpointAddress to, CodePointer code,
                             std::span<std::byte const> arguments) {
  WireHeader header{.kind = WireKind::rpc,
                    .thread = checked_cast<std::uint16_t>(to.thread),
                    .source = checked_cast<std::int32_t>(address_.image.value()),
                    .offset = learned_->codes.encode(code)};
  int const channel = fabric_.channel_number(address_.thread);
  // A credit, a token, room to send: what was taken goes back if the next is not to be had.
  if (!fabric_.credits().take(channel, to.image)) return false;
  PendingTable& pending = fabric_.pending(channel);
  bool is_over = false;
  std::optional<WireToken> const token = pending.track(operation, to.image);
  if (token) {
    header.token = *token;
    // No link leads to this image itself. The call takes a credit all the same: its task is one of
    // those that credits stand for.
    if (to.image == address_.image) {
      // After it was tracked: another thread may run the call and answer before this returns.
      try {
        fabric_.accept(header, arguments);
      } catch (std::bad_alloc const&) {
        // As another image would answer.
        fabric_.take_answer({.kind = WireKind::refusal, .source = header.source, .token = *token},
                            std::as_bytes(std::span(no_memory_for_arguments)));
      }
      return true;
    }
    // Asked after it is tracked: one that is lost from here on fails it with what else waits, and
    // links forget what is sent to one that was lost before.
    if (is_lost(to.image)) {
      fabric_.credits().give_back(channel, to.image);
      if (pending.untrack(*token)) operation.fail(to.image);
      return true;
    }
    SendOutcome outcome{};
    try {
      outcome = channel_.send(to.image, header, arguments);
    } catch (std::bad_alloc const&) {
      // Links allocate before they send. The caller forgets the operation, and with it the token.
      fabric_.credits().give_back(channel, to.image);
      throw;
    }
    if (outcome == SendOutcome::sent) return true;
    // A loss may have ended it meanwhile: then it does not begin once more.
    is_over = !pending.untrack(*token);
  }
  fabric_.credits().give_back(channel, to.image);
  return is_over;
}

// Those that have come, so many at most, until one ends after running_time or the wait is over.
// Returns how many.
int Endpoint::run_calls(int calls_max, WaitState* wait_state) {
  Task* task = fabric_.find_call(address_.thread, learned_->victims);
  if (task == nullptr) return 0;
  auto const begin = Clock::now();
  // They may compute for long: the channel is not polled meanwhile, though this thread waits. An
  // exception ends this too: there may be no memory for an answer.
  struct Running {
    explicit Running(Endpoint& endpoint)
        : here{endpoint}, waits{std::exchange(endpoint.waits_, 0)} {
      for (int wait = 0; wait < waits; ++wait) here.channel_.exit_wait();
      ++here.depth_;
    }
    Running(Running const&) = delete;
    Running& operator=(Running const&) = delete;
    ~Running() {
      --here.depth_;
      here.waits_ = waits;
      for (int wait = 0; wait < waits; ++wait) here.channel_.enter_wait();
    }
    Endpoint& here;
    int waits;
  } const running(*this);
  int ran = 0;
  do {
    run_call(*task);
    ++ran;
    if (ran == calls_max || Clock::now() - begin > running_time) break;
    // The next one may take long, or wait for what this thread does afterwards.
    if (wait_state != nullptr && wait_state->is_over()) break;
    task = fabric_.find_call(address_.thread, learned_->victims);
  } while (task != nullptr);
  return ran;
}

void Endpoint::run_queued_call(Task& task) {
  QueuedCall call;
  std::span<std::byte const> const kept = task.arguments();
  std::memcpy(&call, kept.data(), sizeof call);
  Invocation invocation{*call.runner, kept.subspan(sizeof call), call.runner->result_};
  reinterpret_cast<Invoker>(call.runner->learned_->codes.decode(call.code))(invocation);
}

void Endpoint::run_call(Task& task) {
  QueuedCall call;
  std::memcpy(&call, task.arguments().data(), sizeof call);
  // Known only now: another thread than the one that it came for may have taken it.
  call.runner = this;
  std::memcpy(task.arguments().data(), &call, sizeof call);

  std::optional<std::string> refusal;
  try {
    task.run();
    if (std::int64_t const bytes = checked_cast<std::int64_t>(result_.size());
        bytes > channel_.payload_bytes_max()) {
      refusal = "its result has " + std::to_string(bytes) + " bytes, a message holds " +
                std::to_string(channel_.payload_bytes_max());
    }
  } catch (std::exception const& error) {
    refusal = error.what();
  } catch (...) {
    refusal = "something that is no std::exception";
  }
  // Before the answer: with that the caller has its credit back, and the next call must find a
  // task.
  fabric_.release(task);

  std::span<std::byte const> answer = result_;
  if (refusal) {
    refusal->resize(std::min(refusal->size(), refusal_bytes_max));
    answer = bytes_of(*refusal);
  }
  WireHeader const reply{.kind = refusal ? WireKind::refusal : WireKind::call_reply,
                         .source = checked_cast<std::int32_t>(address_.image.value()),
                         .token = call.token};
  if (ImageId const source{call.source}; source == address_.image) {
    fabric_.take_answer(reply, answer);
  } else {
    // On the channel that the call came over: the caller drives that one, and perhaps no other.
    fabric_.channel(call.token.channel).answer(source, reply, answer);
  }
}

}  // namespace makespan::pgas
