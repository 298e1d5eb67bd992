// SPDX-License-Identifier: Apache-2.0
// A book and the settings that its results depend on, on their way to the images that help.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "makespan/apps/asian/contract/contract_book.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"

namespace makespan::asian {

// Devices, dispatcher and policy stay behind: each image has its own.
[[nodiscard]] std::vector<std::byte> bytes_of(ContractBook const& book,
                                              PricingSettings const& settings);

// A book that owns its columns. Tested by tests/apps/asian/run/book_wire_test.cpp.
class ReceivedBook {
 public:
  // What bytes_of() gave. Throws InputError on a book that cannot be priced.
  explicit ReceivedBook(std::span<std::byte const> bytes);
  ReceivedBook(ReceivedBook const&) = delete;
  ReceivedBook& operator=(ReceivedBook const&) = delete;
  ~ReceivedBook() = default;

  [[nodiscard]] ContractBook const& book() const { return book_; }
  [[nodiscard]] PricingSettings const& settings() const { return settings_; }

 private:
  std::vector<std::byte> bytes_;  // where the columns lie
  ContractBook book_{};
  PricingSettings settings_{};
};

}  // namespace makespan::asian
