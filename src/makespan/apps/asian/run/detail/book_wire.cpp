// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/book_wire.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

// Columns begin at multiples of this, so that they can be read where they lie.
constexpr std::size_t alignment = 8;

constexpr std::size_t precision_count = 3;  // PrecisionChoice

struct SettingsHead {
  std::int32_t method;
  std::int32_t greeks;
  std::int32_t replicates;
  std::int32_t precision;
  std::int32_t philox_rounds;
  std::int32_t unused;
};
static_assert(sizeof(SettingsHead) % alignment == 0);

template <class Visit>
void for_each_contract_column(ContractBook& book, Visit& visit) {
  visit(book.option_key);
  visit(book.seed);
  visit(book.option_type);
  visit(book.average_type);
  visit(book.averaging);
  visit(book.spot);
  visit(book.strike);
  visit(book.strike_multiplier);
  visit(book.rate);
  visit(book.drift);
  visit(book.drift_given);
  visit(book.volatility);
  visit(book.expiry);
  visit(book.fixings);
  visit(book.first_fixing);
  visit(book.last_fixing);
  visit(book.times_offset);
  visit(book.times);
  visit(book.past_count);
  visit(book.past_sum);
  visit(book.past_log_sum);
  visit(book.notional);
  visit(book.paths);
  visit(book.std_error);
  visit(book.max_paths);
  visit(book.payment_lag);
  visit(book.rate_curve);
  visit(book.yield_curve);
  visit(book.forward_curve);
  visit(book.volatility_curve);
  visit(book.proportional_dividends);
  visit(book.cash_dividends);
  visit(book.variance_now);
  visit(book.mean_reversion);
  visit(book.variance_mean);
  visit(book.variance_volatility);
  visit(book.correlation);
}

template <class Visit>
void for_each_market_column(ContractBook& book, Visit& visit) {
  visit(book.basket);
  visit(book.baskets.offset);
  visit(book.baskets.weight);
  visit(book.baskets.spot);
  visit(book.baskets.dividend_yield);
  visit(book.baskets.volatility);
  visit(book.baskets.yield_curve);
  visit(book.baskets.forward_curve);
  visit(book.baskets.volatility_curve);
  visit(book.baskets.proportional_dividends);
  visit(book.baskets.surface);
  visit(book.baskets.correlation);
  visit(book.surface);
  visit(book.surfaces.time_offset);
  visit(book.surfaces.moneyness_offset);
  visit(book.surfaces.time);
  visit(book.surfaces.log_moneyness);
  visit(book.surfaces.volatility);
  visit(book.steps_per_year);
  visit(book.curves.kind);
  visit(book.curves.offset);
  visit(book.curves.time);
  visit(book.curves.value);
}

// Calls visit(column) for each column of a book, in one order.
template <class Visit>
void for_each_column(ContractBook& book, Visit&& visit) {
  for_each_contract_column(book, visit);
  for_each_market_column(book, visit);
}

// A new column must be added to one of the lists above.
constexpr std::size_t columns = 60;
static_assert(sizeof(ContractBook) == columns * sizeof(std::span<double const>));

void append(std::vector<std::byte>& bytes, void const* data, std::size_t size) {
  auto const* const begin = static_cast<std::byte const*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
  bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
}

std::byte const* take(std::span<std::byte const>& bytes, std::uint64_t count, std::size_t each) {
  // By a division: a product could be small again.
  if (count > bytes.size() / each) throw std::out_of_range("a book ends before its last column");
  std::size_t const whole = (count * each + alignment - 1) / alignment * alignment;
  if (whole > bytes.size()) throw std::out_of_range("a book ends before its last column");
  std::byte const* const data = bytes.data();
  bytes = bytes.subspan(whole);
  return data;
}

// What an enumerator travelled as.
std::size_t entry_of(std::string_view what, std::int32_t number, std::size_t count) {
  auto const entry = static_cast<std::size_t>(number);
  if (number >= 0 && entry < count) return entry;
  throw InputError("a book with " + std::string(what) + " " + std::to_string(number),
                   "there are " + std::to_string(count), "start the same executable on all images");
}

}  // namespace

std::vector<std::byte> bytes_of(ContractBook const& book, PricingSettings const& settings) {
  std::vector<std::byte> bytes;
  SettingsHead const head{.method = static_cast<std::int32_t>(settings.method),
                          .greeks = settings.greeks ? 1 : 0,
                          .replicates = settings.replicates,
                          .precision = static_cast<std::int32_t>(settings.precision),
                          .philox_rounds = settings.philox_rounds,
                          .unused = 0};
  // `unused` fills the head up to where the first column may begin.
  append(bytes, &head, sizeof head);
  // The visitor is also the reader's, which sets the columns.
  ContractBook copy = book;
  for_each_column(copy, [&](auto const& column) {
    auto const count = static_cast<std::uint64_t>(column.size());
    append(bytes, &count, sizeof count);
    append(bytes, column.data(), column.size_bytes());
  });
  return bytes;
}

ReceivedBook::ReceivedBook(std::span<std::byte const> bytes) : bytes_(bytes.begin(), bytes.end()) {
  std::span<std::byte const> rest = bytes_;
  SettingsHead head{};
  std::memcpy(&head, take(rest, 1, sizeof head), sizeof head);
  settings_.method = methods()[entry_of("method", head.method, methods().size())].method;
  settings_.greeks = head.greeks != 0;
  settings_.replicates = head.replicates;
  settings_.precision =
      static_cast<PrecisionChoice>(entry_of("precision", head.precision, precision_count));
  settings_.philox_rounds = head.philox_rounds;
  for_each_column(book_, [&]<class T>(std::span<T const>& column) {
    std::uint64_t count = 0;
    std::memcpy(&count, take(rest, 1, sizeof count), sizeof count);
    column = {reinterpret_cast<T const*>(take(rest, count, sizeof(T))), count};
  });
  // After this no number of the book can lead a kernel astray, whichever image sent it.
  check(settings_);
  check(book_);
}

}  // namespace makespan::asian
