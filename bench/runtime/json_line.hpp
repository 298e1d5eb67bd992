// SPDX-License-Identifier: Apache-2.0
// One measurement as a line of JSON, for the harness: {"name": "fetch_add_ours", "value": 1.7e-9,
// …}.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace makespan::bench {

// A name, and numbers by their names. Texts are ours and need no escaping.
class JsonLine {
 public:
  explicit JsonLine(std::string const& name) : text_{"{\"name\": \"" + name + "\""} {}

  JsonLine& number(char const* key, double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value);
    text_ += std::string(", \"") + key + "\": " + digits;
    return *this;
  }
  JsonLine& word(char const* key, std::string const& value) {
    text_ += std::string(", \"") + key + "\": \"" + value + "\"";
    return *this;
  }

  // At once, so that a line is there even if the program dies afterwards.
  void print() const {
    std::printf("%s}\n", text_.c_str());
    std::fflush(stdout);
  }

 private:
  std::string text_;
};

}  // namespace makespan::bench
