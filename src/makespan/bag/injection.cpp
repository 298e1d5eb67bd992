// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/injection.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::bag {

namespace {

// All of `text` as a number.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Cuts `text` at the first `mark`; what is behind it stays in `text`.
std::string_view cut(std::string_view& text, char mark) {
  auto const at = text.find(mark);
  std::string_view const first = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return first;
}

// More than any run lasts, and far from where a clock's nanoseconds end; of factors likewise.
constexpr double time_max_s = 1e6;
constexpr double factor_max = 1e6;

[[noreturn]] void refuse(std::string_view part, std::string_view why) {
  throw InputError("injection '" + std::string(part) + "'", why,
                   "write fail:DEVICE@ITEM, kill:DEVICE@ITEM, slow:DEVICE@ITEM:FACTOR or "
                   "hang:DEVICE@ITEM:SECONDS, as in slow:1@3000:4");
}

Injection injection_from(std::string_view const part) {
  std::string_view rest = part;
  std::string_view const kind = cut(rest, ':');
  bool const is_slow = kind == "slow";
  bool const is_hang = kind == "hang";
  bool const is_kill = kind == "kill";
  if (!is_slow && !is_hang && !is_kill && kind != "fail") {
    refuse(part, "it begins with none of fail:, kill:, slow: and hang:");
  }
  auto const device = number_in<int>(cut(rest, '@'));
  if (!device || *device < 0) refuse(part, "a device is its number in the list, from 0");
  auto const item = number_in<std::int64_t>(cut(rest, ':'));
  if (!item || *item < 0) refuse(part, "an item is its number in the bag, from 0");
  if (!is_slow && !is_hang) {
    if (!rest.empty()) refuse(part, "a failure has no factor");
    auto const end = is_kill ? Injection::Kind::kill : Injection::Kind::fail;
    return {.kind = end, .device = *device, .item = *item};
  }
  auto const factor = number_in<double>(rest);
  if (is_hang) {
    if (!factor || !(*factor > 0.0) || !(*factor <= time_max_s)) {
      refuse(part, "a device hangs for seconds, above 0, at most 1e6");
    }
    return {
        .kind = Injection::Kind::hang, .device = *device, .item = *item, .time = Seconds{*factor}};
  }
  if (!factor || !(*factor >= 1.0) || !(*factor <= factor_max)) {
    refuse(part, "a factor is a number from 1, at most 1e6");
  }
  return {.kind = Injection::Kind::slow, .device = *device, .item = *item, .factor = *factor};
}

}  // namespace

std::vector<Injection> injections_from(std::string_view text) {
  std::vector<Injection> all;
  while (!text.empty()) all.push_back(injection_from(cut(text, ',')));
  return all;
}

std::string text_of(Injection const& injection) {
  bool const is_slow = injection.kind == Injection::Kind::slow;
  bool const is_hang = injection.kind == Injection::Kind::hang;
  bool const is_kill = injection.kind == Injection::Kind::kill;
  std::string const kind = is_slow ? "slow" : is_hang ? "hang" : is_kill ? "kill" : "fail";
  std::string const where =
      kind + ":" + std::to_string(injection.device) + "@" + std::to_string(injection.item);
  if (is_slow) return where + ":" + short_text(injection.factor);
  return is_hang ? where + ":" + short_text(injection.time.value()) : where;
}

}  // namespace makespan::bag
