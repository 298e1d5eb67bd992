// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/message/fragment.hpp"

#include <iterator>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"

namespace makespan::pgas {

namespace {

[[noreturn]] void refuse(Fragment const& part, std::string const& why) {
  throw InputError("part " + std::to_string(part.part) + " of " + std::to_string(part.parts) +
                       " of a message from image " + std::to_string(part.image),
                   why, "start the same executable on all images");
}

}  // namespace

std::optional<std::vector<std::byte>> ReassemblyBuffer::add(Fragment const& part,
                                                            std::span<std::byte const> data) {
  if (part.part >= part.parts) refuse(part, "there is no such part");
  Key const key{part.image, part.thread, part.number};
  auto const [at, is_new] = open_.try_emplace(key, Open{{}, part.parts});
  if (is_new) {
    std::uint64_t const run = part.number / fragment_run * fragment_run;
    open_.erase(open_.lower_bound({part.image, part.thread, 0}),
                open_.lower_bound({part.image, part.thread, run}));
  }
  Open& open = at->second;
  if (open.count != part.parts) refuse(part, "others say of " + std::to_string(open.count));
  if (!open.parts.try_emplace(part.part, data.begin(), data.end()).second) {
    refuse(part, "it has come before");
  }
  if (open.parts.size() < open.count) return std::nullopt;
  // The map has them by number, in whatever order they came.
  std::vector<std::byte> whole = std::move(open.parts.begin()->second);
  for (auto next = std::next(open.parts.begin()); next != open.parts.end(); ++next) {
    whole.insert(whole.end(), next->second.begin(), next->second.end());
  }
  open_.erase(at);
  return whole;
}

void ReassemblyBuffer::drop(std::int32_t image) {
  std::erase_if(open_, [image](auto const& entry) { return std::get<0>(entry.first) == image; });
}

}  // namespace makespan::pgas
