// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/announced_bytes.hpp"

#include "makespan/base/image_errors.hpp"
#include "makespan/base/joined.hpp"

namespace makespan::pgas {

std::int64_t announced_bytes_all(Team& team, Announced const& announced, std::int64_t bytes,
                                 int root) {
  auto const size = team.broadcast_all(bytes, root, announced.limit);
  if (size >= 0 && size <= announced.bytes_max) return size;
  throw BadMessage(team.members()[static_cast<std::size_t>(root)],
                   joined(announced.what, " of ", size, " bytes"));
}

}  // namespace makespan::pgas
