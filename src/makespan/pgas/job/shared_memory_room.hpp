// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a node has room for the memory that its images want to share. Asked before, since memory
// beyond the limit of /dev/shm is handed out, and ends the process when it is touched.

#include <cstdint>
#include <span>
#include <string>

namespace makespan::pgas {

// What one image sees.
struct SharedMemoryRoom {
  std::int64_t bytes_needed{0};  // by all images of its node
  std::int64_t bytes_free{0};    // on its node
};

// Bytes that /dev/shm has left. Throws InputError where there is no such folder.
[[nodiscard]] std::int64_t shared_memory_free_bytes();

// Throws InputError if any image lacks room, naming the one that lacks most, and BadMessage if one
// has told a size below 0. `rooms` and `hosts` by image: images that are given the same values
// throw the same error.
void expect_shared_memory_room(std::span<SharedMemoryRoom const> rooms,
                               std::span<std::string const> hosts);

}  // namespace makespan::pgas
