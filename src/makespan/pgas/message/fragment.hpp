// SPDX-License-Identifier: Apache-2.0
#pragma once

// Data of any length in messages that hold only so much.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace makespan::pgas {

// A sender that begins anew, and may have left messages unfinished, numbers on from the next
// multiple of this.
inline constexpr std::uint64_t fragment_run = std::uint64_t{1} << 40;

// Which part of which message: `number` counts the messages of one sender.
struct Fragment {
  std::int32_t image;
  std::int32_t thread;
  std::uint64_t number;
  std::uint32_t part;
  std::uint32_t parts;
};

// Puts messages together; parts come in any order, each once. Not thread-safe. Tested by
// tests/pgas/message/fragment_test.cpp.
class ReassemblyBuffer {
 public:
  // The whole message, once its last part has come. Throws InputError for a part that cannot be of
  // it: beyond its last, here already, or of another number of parts. Forgets what its sender left
  // unfinished before it began anew.
  std::optional<std::vector<std::byte>> add(Fragment const& part, std::span<std::byte const> data);

  // Forgets what has come from an image that will send no more.
  void drop(std::int32_t image);

  [[nodiscard]] std::size_t waiting() const { return open_.size(); }

 private:
  struct Open {
    std::map<std::uint32_t, std::vector<std::byte>> parts;  // that have come
    std::uint32_t count;                                    // of all
  };
  using Key = std::tuple<std::int32_t, std::int32_t, std::uint64_t>;

  std::map<Key, Open> open_;
};

// Calls send(part, data) for each part of `data`, which may be empty: then there is one part.
template <class Send>
void send_fragments(Fragment part, std::span<std::byte const> data, std::size_t bytes_each,
                    Send&& send) {
  part.parts = static_cast<std::uint32_t>(
      std::max<std::size_t>(1, (data.size() + bytes_each - 1) / bytes_each));
  for (part.part = 0; part.part < part.parts; ++part.part) {
    std::size_t const bytes = std::min(bytes_each, data.size());
    send(part, data.first(bytes));
    data = data.subspan(bytes);
  }
}

}  // namespace makespan::pgas
