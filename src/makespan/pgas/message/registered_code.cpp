// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/message/registered_code.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_set>

namespace makespan::pgas {

namespace {

struct Table {
  std::shared_mutex mutex;
  std::array<std::unordered_set<std::uintptr_t>, 2> addresses;  // by kind, with the mutex held

  auto& of(CodeKind kind) { return addresses[static_cast<std::size_t>(kind)]; }
};

// Made when it is first asked for, which may be before main(); never destroyed, since messages may
// come as long as the process lives.
Table& table() {
  static auto& one = *new Table;
  return one;
}

}  // namespace

bool register_code(CodePointer code, CodeKind kind) {
  std::unique_lock const lock(table().mutex);
  table().of(kind).insert(reinterpret_cast<std::uintptr_t>(code));
  return true;
}

bool is_registered_code(CodePointer code, CodeKind kind) {
  std::shared_lock const lock(table().mutex);
  return table().of(kind).contains(reinterpret_cast<std::uintptr_t>(code));
}

}  // namespace makespan::pgas
