// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/image_messages.hpp"

#include "makespan/pgas/call/names.hpp"

namespace makespan::bag {

namespace {

// Beside the part of a message in a call.
constexpr std::int64_t other_arguments_bytes = 256;

std::span<std::byte const> view(WireBytes const& bytes) {
  return std::as_bytes(std::span(bytes));
}

// The team does not end while one of its functions is called: with() keeps it.
template <class Function>
decltype(auto) with_server(std::uint64_t team, Function&& function) {
  return pgas::Names<ImageTeamCore>::all().with(
      team, [&](ImageTeamCore& to) -> decltype(auto) { return function(to.server()); });
}

}  // namespace

WireBytes wire_bytes(std::span<std::byte const> data) {
  auto const* const begin = reinterpret_cast<std::uint8_t const*>(data.data());
  return {begin, begin + data.size()};
}

std::size_t part_bytes_max(pgas::Runtime const& runtime) {
  return static_cast<std::size_t>(runtime.message_bytes_max() - other_arguments_bytes);
}

ClaimAnswer ImageMessages::ask(std::uint64_t team, WorkerFacts const& worker) {
  ClaimActions const answer =
      with_server(team, [&](CompletionServer& server) { return server.ask(0, worker); });
  return {.order = answer.order, .items = answer.items};
}

bool ImageMessages::may_steal(std::uint64_t team, int worker, int victim) {
  return with_server(team,
                     [&](CompletionServer& server) { return server.may_steal(0, worker, victim); });
}

bool ImageMessages::may_use_pool(std::uint64_t team, int worker) {
  return with_server(team,
                     [&](CompletionServer& server) { return server.may_use_pool(0, worker); });
}

void ImageMessages::retire(std::uint64_t team, int worker) {
  with_server(team, [&](CompletionServer& server) { server.retire(0, worker); });
}

void ImageMessages::take_back(std::uint64_t team, int worker) {
  with_server(team, [&](CompletionServer& server) { server.take_back(worker); });
}

void ImageMessages::give_up(std::uint64_t team, std::int32_t image, int lost, int worker) {
  with_server(team, [&](CompletionServer& server) { server.give_up(image, lost, worker); });
}

void ImageMessages::end_chunk(std::uint64_t team, ChunkReport const& report) {
  with_server(team, [&](CompletionServer& server) { server.end_chunk(0, report); });
}

void ImageMessages::deliver(std::uint64_t team, pgas::Fragment const& part, WireBytes const& data) {
  with_server(team, [&](CompletionServer& server) { server.deliver(part, view(data)); });
}

void ImageMessages::end(std::uint64_t team, pgas::Fragment const& part, WireBytes const& data) {
  with_server(team, [&](CompletionServer& server) { server.end(part, view(data)); });
}

void ImageMessages::control(std::uint64_t team, ImageTeamCore::ControlTag kind, std::uint64_t bag,
                            pgas::Fragment const& part, WireBytes const& data) {
  pgas::Names<ImageTeamCore>::all().with(
      team, [&](ImageTeamCore& to) { to.receive_control(kind, bag, part, view(data)); });
}

}  // namespace makespan::bag
