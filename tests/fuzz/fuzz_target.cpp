// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include <stdexcept>

#include "makespan/base/error.hpp"

namespace makespan::fuzz {

namespace {

// Globals of several sources come in any order: the list is made when the first one asks for it.
std::vector<FuzzTarget const*>& list() {
  static std::vector<FuzzTarget const*> targets;
  return targets;
}

// Of the input that is read now.
bool is_seed = false;

}  // namespace

FuzzTarget::FuzzTarget(std::string_view name, Take take, Seeds make_seeds)
    : name_{name}, take_{take}, seeds_{make_seeds} {
  list().push_back(this);
}

void FuzzTarget::feed(std::span<std::byte const> bytes) const {
  try {
    take_(bytes);
  } catch (InputError const&) {
    return;
  } catch (std::out_of_range const&) {
    return;
  }
}

void FuzzTarget::feed_good(std::span<std::byte const> bytes) const {
  is_seed = true;
  take_(bytes);
  is_seed = false;
}

std::vector<FuzzTarget const*> const& FuzzTarget::all() {
  return list();
}

void expect_no_seed() {
  if (is_seed) throw;
}

Bytes bytes_of(std::string_view text) {
  auto const bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string_view text_of(std::span<std::byte const> bytes) {
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

}  // namespace makespan::fuzz
