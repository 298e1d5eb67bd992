// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operations of one channel that wait for an answer by message.
//
// An answer carries the token of its operation: a slot and the turn in which the slot was used. An
// answer that comes after its waiter has left (an image that was taken for lost, a wait that
// ended in an exception) meets a slot of another turn, and is dropped. So no answer is written to
// memory that its owner has taken back.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/completion.hpp"

namespace makespan::pgas {

// Callable from any thread. Completions are called with the table's lock held. Allocates nothing
// after construction.
class PendingTable {
 public:
  // `channel` goes into the tokens; at most `capacity` operations wait at a time.
  PendingTable(std::uint16_t channel, int capacity);

  // Nothing when `capacity` operations wait already. An answer is copied to `destination`, which
  // must be as long as it, and `waiter` gets an empty one; without a destination `waiter` gets the
  // answer, of `answer_bytes_max` at most.
  [[nodiscard]] std::optional<WireToken> track(Completion& waiter, ImageId target,
                                               std::span<std::byte> destination = {},
                                               std::size_t answer_bytes_max = any_length);
  // Of a call, whose result has any length that a message has.
  static constexpr std::size_t any_length = std::numeric_limits<std::size_t>::max();

  // Ends an operation whose request could not be sent: as if it had not been tracked. False: it has
  // ended before, and its waiter was called.
  [[nodiscard]] bool untrack(WireToken token);

  // The answer has come. Nothing happens when no operation waits for it any more. Throws BadMessage
  // if it is longer or shorter than its destination, or longer than it may be; the operation is
  // then refused.
  void complete(WireToken token, std::span<std::byte const> answer);
  void refuse(WireToken token, std::string_view text);

  // Fails all that wait for `image`. Returns how many.
  int fail_all(ImageId image);
  // Fails all, whichever image they wait for, since no answer comes here any more: the loss that
  // they end in is that of `here`, this image. Returns how many.
  int fail_rest(ImageId here);

  // Drops every wait of `waiter`, without calling it.
  void forget(Completion const& waiter);

  [[nodiscard]] int waiting() const;
  [[nodiscard]] std::int64_t capacity() const { return std::ssize(slots_); }

 private:
  struct Slot {
    Completion* waiter{};
    bool is_waiting{false};
    ImageId target{};
    std::span<std::byte> destination{};
    std::size_t answer_bytes_max{};
    std::uint32_t turn{0};
  };

  // With the lock held: frees the slot of `token`. Null when no thread waits there any more.
  [[nodiscard]] Slot const* release(WireToken token);
  [[noreturn]] static void refuse_answer(Slot const& slot, std::string const& what);
  template <class Chosen>
  int fail_chosen(Chosen const& is_chosen, ImageId lost);
  void free_slot(std::uint32_t slot);

  mutable SpinLock lock_;
  std::uint16_t channel_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;  // unused slots, the last one next
};

}  // namespace makespan::pgas
