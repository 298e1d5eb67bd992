// SPDX-License-Identifier: Apache-2.0
#pragma once

// A reader of bytes from outside, to be fed anything (docs/decisions/0092-readers-are-fuzzed.md).

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace makespan::fuzz {

using Bytes = std::vector<std::byte>;

// One for each source in this folder, as a global of it.
class FuzzTarget {
 public:
  // Reads what may be anything, and does with it what makespan would.
  using Take = void (*)(std::span<std::byte const> bytes);
  // Good inputs, by what writes them for `take`.
  using Seeds = std::vector<Bytes> (*)();

  FuzzTarget(std::string_view name, Take take, Seeds make_seeds);
  FuzzTarget(FuzzTarget const&) = delete;
  FuzzTarget& operator=(FuzzTarget const&) = delete;
  ~FuzzTarget() = default;

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::vector<Bytes> seeds() const { return seeds_(); }
  // A reader may refuse by name: InputError, or std::out_of_range where bytes end too early. What
  // else comes out of it, a broken contract above all, ends the program.
  void feed(std::span<std::byte const> bytes) const;
  // One of `seeds`: a reader that refuses it ends the program. Behind a refusal nothing is read,
  // and a fuzzer that starts with refusals finds little.
  void feed_good(std::span<std::byte const> bytes) const;

  // Of this program.
  [[nodiscard]] static std::vector<FuzzTarget const*> const& all();

 private:
  std::string_view name_;
  Take take_;
  Seeds seeds_;
};

// Called in a handler of a target that goes on after a refusal: throws it again where the input is
// a good one.
void expect_no_seed();

// Text as bytes, for seeds, and back.
[[nodiscard]] Bytes bytes_of(std::string_view text);
[[nodiscard]] std::string_view text_of(std::span<std::byte const> bytes);

}  // namespace makespan::fuzz
