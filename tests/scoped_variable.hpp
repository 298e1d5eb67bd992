// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace makespan {

// A variable of the environment, as long as this lives. For programs in which no other thread
// looks.
// NOLINTBEGIN(concurrency-mt-unsafe)
class ScopedVariable {
 public:
  ScopedVariable(std::string name, std::string const& value) : name_{std::move(name)} {
    if (char const* const before = std::getenv(name_.c_str())) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ScopedVariable(ScopedVariable const&) = delete;
  ScopedVariable& operator=(ScopedVariable const&) = delete;
  ~ScopedVariable() {
    if (before_) {
      ::setenv(name_.c_str(), before_->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }

 private:
  std::string name_;
  std::optional<std::string> before_{};
};
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace makespan
