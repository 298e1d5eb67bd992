// SPDX-License-Identifier: Apache-2.0
#pragma once
// The command line of a bench: `--name value` pairs, which its case file gives.

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace makespan::bench {

class Arguments {
 public:
  // Throws std::invalid_argument on words that are no pairs. What they do not say is as in
  // `otherwise`.
  Arguments(int argc, char** argv, std::map<std::string, std::string> otherwise = {})
      : values_{std::move(otherwise)} {
    for (int place = 1; place < argc; place += 2) {
      std::string const name = argv[place];
      if (!name.starts_with("--") || place + 1 == argc) {
        throw std::invalid_argument{"'" + name + "' (arguments are pairs: --name value)"};
      }
      values_[name.substr(2)] = argv[place + 1];
    }
  }

  // Throws std::invalid_argument where there is none.
  [[nodiscard]] std::string text(std::string const& name) const {
    auto const found = values_.find(name);
    if (found == values_.end()) throw std::invalid_argument{"--" + name + " is missing"};
    return found->second;
  }
  [[nodiscard]] std::string text_or(std::string const& name, std::string const& otherwise) const {
    auto const found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }
  // Its parts, between commas.
  [[nodiscard]] std::vector<std::string> texts(std::string const& name) const {
    std::vector<std::string> parts(1);
    for (char const letter : text(name)) {
      if (letter == ',') {
        parts.emplace_back();
      } else {
        parts.back() += letter;
      }
    }
    return parts;
  }
  [[nodiscard]] int integer(std::string const& name) const { return std::stoi(text(name)); }
  [[nodiscard]] double number(std::string const& name) const { return std::stod(text(name)); }

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace makespan::bench
