// SPDX-License-Identifier: Apache-2.0
// The rows of a book as contracts.
#pragma once

#include <cstdint>
#include <vector>

#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/contract/contract_book.hpp"
#include "makespan/apps/asian/contract/detail/basket.hpp"

namespace makespan::asian {

// Safe to use from several threads at once. Moving it leaves contracts valid.
class ContractReader {
 public:
  // The columns are not copied; they have lengths that check(book) accepts. Throws InputError for
  // curves that cannot be used.
  explicit ContractReader(ContractBook const& book);

  [[nodiscard]] std::int64_t rows() const { return book_.rows(); }
  // Its times and curves are views, into the book's columns and this.
  [[nodiscard]] Contract at(std::int64_t row) const;

 private:
  [[nodiscard]] Contract on_one_asset(std::int64_t row) const;
  [[nodiscard]] Contract without_cash_dividends(std::int64_t row) const;
  void add_baskets_of_one();

  ContractBook book_;
  Curves curves_;
  std::vector<Surface> surfaces_;
  std::vector<Basket> baskets_;
  std::vector<Basket> of_one_;                 // rows with a surface of their own
  std::vector<std::int32_t> which_;            // of them, by row; -1: none; empty if there are none
  std::vector<CashDividends> cash_dividends_;  // by row; empty if none has any
};

}  // namespace makespan::asian
