// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/shared_memory_room.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {

std::int64_t shared_memory_free_bytes() {
  struct statvfs status{};
  if (::statvfs("/dev/shm", &status) != 0) {
    throw InputError("no shared memory", "/dev/shm: " + std::generic_category().message(errno),
                     "mount a tmpfs there, or run one image on each node");
  }
  return static_cast<std::int64_t>(status.f_bavail) * static_cast<std::int64_t>(status.f_frsize);
}

void expect_shared_memory_room(std::span<SharedMemoryRoom const> rooms,
                               std::span<std::string const> hosts) {
  MAKESPAN_EXPECT(rooms.size() == hosts.size());
  for (std::size_t image = 0; image < rooms.size(); ++image) {
    SharedMemoryRoom const& room = rooms[image];
    if (room.bytes_needed >= 0 && room.bytes_free >= 0) continue;
    throw BadMessage(ImageId{static_cast<std::int64_t>(image)},
                     "room for shared memory, of " + std::to_string(room.bytes_free) + " bytes, " +
                         std::to_string(room.bytes_needed) + " of them needed");
  }
  auto const lacking = [](SharedMemoryRoom const& room) {
    return room.bytes_needed - room.bytes_free;
  };
  auto const worst = std::ranges::max_element(rooms, {}, lacking);
  if (worst == rooms.end() || lacking(*worst) <= 0) return;
  throw InputError("shared memory of " + std::to_string(worst->bytes_needed) + " bytes on host " +
                       hosts[static_cast<std::size_t>(worst - rooms.begin())],
                   "/dev/shm has " + std::to_string(worst->bytes_free) + " bytes left there",
                   "ask for a smaller heap, run fewer images on that host, or enlarge /dev/shm");
}

}  // namespace makespan::pgas
