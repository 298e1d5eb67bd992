// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/operation/detail/operation.hpp"

#include <cstring>
#include <new>

#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {

void Operation::rethrow(std::string_view call) const {
  MAKESPAN_EXPECT(is_done());
  if (trouble_ == Trouble::lost) throw ImageFailed(lost_, text_, call);
  if (trouble_ == Trouble::refused) throw RemoteError(target_, text_);
}

void Operation::complete(std::span<std::byte const> answer) noexcept {
  try {
    if (!answer.empty()) keep(answer);
  } catch (std::bad_alloc const&) {
    // Only the long result of a call allocates (CallOperation). An exception that left here would
    // end the process, so the caller gets it as a refusal.
    note(Trouble::refused, "there is no memory for its result");
  }
  finish_piece();
}

void Operation::refuse(std::string_view text) noexcept {
  note(Trouble::refused, text);
  finish_piece();
}

void Operation::fail(ImageId image) noexcept {
  // Another than the target is this image itself, to which no answer comes any more.
  note(Trouble::lost,
       image == target_ ? "it died or fell silent"
                        : "the others have given it up, or its runtime has ended",
       image);
  finish_piece();
}

void Operation::keep(std::span<std::byte const> answer) {
  MAKESPAN_EXPECT(answer.size() <= sizeof word_);
  std::memcpy(&word_, answer.data(), answer.size());
}

void Operation::finish_piece() noexcept {
  // Read before, since an operation on the stack may be gone right after its last piece.
  bool const is_counted = owner_ == Owner::counted;
  // Release: what this piece brought. Acquire: what the others brought.
  bool const was_last = missing_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  if (was_last && is_counted) on_done();
}

void Operation::note(Trouble trouble, std::string_view text, ImageId lost) noexcept {
  std::scoped_lock const lock(lock_);
  if (trouble_ != Trouble::none) return;
  trouble_ = trouble;
  lost_ = lost;
  try {
    text_ = text;
  } catch (std::bad_alloc const&) {
    text_.clear();
  }
}

}  // namespace makespan::pgas
