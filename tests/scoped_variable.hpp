// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace makespan {

// A variable of the environment, as long as this lives. For programs in which no other thread
// looks.
class ScopedVariable {
 public:
  ScopedVariable(char const* name, char const* value) : name_(name) {
    ::setenv(name, value, 1);  // NOLINT(concurrency-mt-unsafe)
  }
  ScopedVariable(ScopedVariable const&) = delete;
  ScopedVariable& operator=(ScopedVariable const&) = delete;
  ~ScopedVariable() { ::unsetenv(name_); }  // NOLINT(concurrency-mt-unsafe)

 private:
  char const* name_;
};

}  // namespace makespan
