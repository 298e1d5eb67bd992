// SPDX-License-Identifier: Apache-2.0
#pragma once

// What waits for one operation on memory that is not mapped here, or for one call elsewhere.

#include <cstddef>
#include <span>
#include <string_view>

#include "makespan/base/ids.hpp"

namespace makespan::pgas {

// Exactly one of the functions is called, once, by the thread that drives progress at that moment,
// with a lock held: they note what came and return.
class Completion {
 public:
  // Done. `answer` is the old value of an atomic, what a get read, the result of a call; empty if
  // there is none, or if it has been put in its place already.
  virtual void complete(std::span<std::byte const> answer) noexcept = 0;

  // The far side refused: the call threw, and this is the text of its exception.
  virtual void refuse(std::string_view text) noexcept = 0;

  // The image was lost; there will be no answer.
  virtual void fail(ImageId image) noexcept = 0;

 protected:
  ~Completion() = default;
};

}  // namespace makespan::pgas
