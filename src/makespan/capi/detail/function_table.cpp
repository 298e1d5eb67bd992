// SPDX-License-Identifier: Apache-2.0
#include "makespan/capi/detail/function_table.hpp"

#include "makespan/base/error.hpp"

namespace makespan::capi {

void FunctionTable::add(std::string_view name, makespan_function function) {
  if (name.empty()) {
    throw InputError("makespan_register_function without a name", "calls name their function",
                     "give a name that is not empty");
  }
  std::scoped_lock const lock(mutex_);
  auto const [entry, is_new] = functions_.try_emplace(std::string(name), function);
  if (is_new || entry->second == function) return;
  throw InputError("makespan_register_function: '" + std::string(name) + "'",
                   "another function has this name", "give each function a name of its own");
}

makespan_function FunctionTable::find(std::string_view name) const {
  std::scoped_lock const lock(mutex_);
  auto const found = functions_.find(name);
  if (found != functions_.end()) return found->second;
  throw InputError("makespan_rpc: no function '" + std::string(name) + "' on the image called",
                   "it has registered none of this name",
                   "call makespan_register_function there, before makespan_begin_all");
}

FunctionTable& functions() {
  // Never destroyed, as the runtimes are not: a program may exit while a job is open.
  static auto* const table = new FunctionTable;
  return *table;
}

}  // namespace makespan::capi
