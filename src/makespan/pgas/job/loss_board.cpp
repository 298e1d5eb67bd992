// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/loss_board.hpp"

#include <algorithm>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

void LossBoard::note(ImageId image, std::string const& why) {
  std::scoped_lock const lock(mutex_);
  std::string& reason = reasons_[at(image)];
  if (!reason.empty()) return;
  reason = why.empty() ? "for no reason given" : why;
  // After the reason, which is there for who sees the count.
  count_.fetch_add(1, std::memory_order_release);
}

std::string LossBoard::reason(ImageId image) const {
  if (count() == 0) return {};
  std::scoped_lock const lock(mutex_);
  return reasons_[at(image)];
}

std::optional<ImageId> LossBoard::first() const {
  if (count() == 0) return std::nullopt;
  std::scoped_lock const lock(mutex_);
  auto const lost = std::ranges::find_if_not(reasons_, &std::string::empty);
  return ImageId{lost - reasons_.begin()};
}

std::size_t LossBoard::at(ImageId image) const {
  MAKESPAN_EXPECT(image.value() >= 0);
  MAKESPAN_EXPECT(static_cast<std::size_t>(image.value()) < reasons_.size());
  return static_cast<std::size_t>(image.value());
}

}  // namespace makespan::pgas
