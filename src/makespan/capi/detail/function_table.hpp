// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of this process that other images may call, by name.

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "makespan/capi/pgas.h"

namespace makespan::capi {

// Callable from any thread.
class FunctionTable {
 public:
  // Throws InputError on a name that is empty or another function's.
  void add(std::string_view name, makespan_function function);
  // Throws InputError where there is none.
  [[nodiscard]] makespan_function find(std::string_view name) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, makespan_function, std::less<>> functions_;
};

// That of this process.
[[nodiscard]] FunctionTable& functions();

}  // namespace makespan::capi
