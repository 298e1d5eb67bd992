// SPDX-License-Identifier: Apache-2.0
#pragma once

// Libraries that print to standard output, where a program prints its result.

#include <string_view>

namespace makespan {

// While this lives, what the process writes to standard output is kept in memory; then it goes to
// where it would have gone, but for a text that a library prints and cannot be told not to
// (docs/decisions/0139). What other threads write comes later, and is not lost. Where there is no
// memory for it, or no standard output, nothing is kept and nothing left out.
//
// Of one thread at a time. Does not throw. Tested by tests/base/sifted_output_test.cpp.
class SiftedOutput {
 public:
  explicit SiftedOutput(std::string_view unwanted);
  SiftedOutput(SiftedOutput const&) = delete;
  SiftedOutput& operator=(SiftedOutput const&) = delete;
  ~SiftedOutput();

 private:
  void pass_on() const;

  std::string_view unwanted_;
  int kept_;
  int out_{-1};  // standard output as it was; -1: it is as it was
};

}  // namespace makespan
