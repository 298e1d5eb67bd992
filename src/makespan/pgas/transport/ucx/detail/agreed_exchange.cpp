// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/agreed_exchange.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <string>
#include <string_view>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/error.hpp"

namespace makespan::pgas {

namespace {

// The first byte of what goes round.
constexpr std::byte made{1};
constexpr std::byte failed{0};

std::vector<std::byte> make_or_explain(std::function<std::vector<std::byte>()> const& make) {
  std::vector<std::byte> mine;
  try {
    mine = make();
    mine.insert(mine.begin(), made);
  } catch (std::exception const& error) {
    auto const text = std::as_bytes(std::span(std::string_view(error.what())));
    mine.assign(text.begin(), text.end());
    mine.insert(mine.begin(), failed);
  }
  return mine;
}

}  // namespace

std::vector<std::vector<std::byte>> exchange_or_throw_all(
    Job& job, std::function<std::vector<std::byte>()> const& make) {
  // make_or_explain() throws nothing, since the others wait for this image in the exchange.
  std::vector<std::vector<std::byte>> all = job.exchange_all(make_or_explain(make));
  auto const bad = std::ranges::find_if(
      all, [](auto const& theirs) { return theirs.empty() || theirs.front() != made; });
  if (bad != all.end()) {
    ImageId const image{bad - all.begin()};
    std::string text(bad->size(), '\0');
    std::ranges::transform(*bad, text.begin(), [](std::byte b) { return static_cast<char>(b); });
    throw InputError(
        "UCX does not work on image " + std::to_string(image.value()) + ", host " + job.host(image),
        text.empty() ? "it said nothing" : text.substr(1),
        "set MAKESPAN_TRANSPORT to another one, or repair what it says");
  }
  for (auto& theirs : all) theirs.erase(theirs.begin());
  return all;
}

}  // namespace makespan::pgas
