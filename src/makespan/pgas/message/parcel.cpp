// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/message/parcel.hpp"

#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

std::optional<std::vector<std::byte>> ParcelShelf::add(ParcelPart const& part,
                                                       std::span<std::byte const> data) {
  MAKESPAN_EXPECT(part.part < part.parts);
  Key const key{part.image, part.thread, part.number};
  auto const [at, is_new] =
      open_.try_emplace(key, Open{std::vector<std::vector<std::byte>>(part.parts), part.parts});
  Open& open = at->second;
  MAKESPAN_EXPECT(open.parts.size() == part.parts);
  open.parts[part.part].assign(data.begin(), data.end());
  if (--open.missing > 0) return std::nullopt;
  std::vector<std::byte> whole = std::move(open.parts.front());
  for (std::size_t next = 1; next < open.parts.size(); ++next) {
    whole.insert(whole.end(), open.parts[next].begin(), open.parts[next].end());
  }
  open_.erase(at);
  return whole;
}

void ParcelShelf::drop(std::int32_t image) {
  std::erase_if(open_, [image](auto const& entry) { return std::get<0>(entry.first) == image; });
}

}  // namespace makespan::pgas
