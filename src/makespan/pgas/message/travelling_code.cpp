// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/message/travelling_code.hpp"

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_set>

namespace makespan::pgas {

namespace {

struct Table {
  std::shared_mutex mutex;
  std::unordered_set<std::uintptr_t> addresses;  // with the mutex held
};

// Made when it is first asked for, which may be before main(); never destroyed, since messages may
// come as long as the process lives.
Table& table() {
  static auto& one = *new Table;
  return one;
}

}  // namespace

bool register_travelling_code(CodePointer code) {
  std::unique_lock const lock(table().mutex);
  table().addresses.insert(reinterpret_cast<std::uintptr_t>(code));
  return true;
}

bool is_travelling_code(CodePointer code) {
  std::shared_lock const lock(table().mutex);
  return table().addresses.contains(reinterpret_cast<std::uintptr_t>(code));
}

}  // namespace makespan::pgas
