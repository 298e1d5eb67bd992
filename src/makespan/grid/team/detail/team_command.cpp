// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/team/detail/team_command.hpp"

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <string_view>

#include "makespan/base/error.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::grid {

namespace {

template <class Archive, class Command>
void archive_command(Archive& archive, Command& command) {
  auto& options = command.options;
  archive(command.verb, command.order.kind, command.order.bytes, options.devices, options.gpus,
          options.schedule, options.blocks, options.block_order, options.route, options.cut,
          options.layers.share, options.layers.thickness, options.layers.thickness_y,
          options.layers.thickness_x, options.layers.is_free, options.speeds, options.plane_weights,
          options.point_times, options.steps_at_once, options.rebalance_steps, options.first_look,
          options.phases_kept, command.field, command.number, command.later, command.word);
  for (auto* const at : {&command.box.begin, &command.box.end}) archive(at->x, at->y, at->z);
}

// `last` is the last of its enumerators.
template <class Value>
void expect_enumerator(std::string_view what, Value value, Value last) {
  if (value <= last) return;
  throw InputError("a command of a team with " + std::string(what) + " " +
                       std::to_string(static_cast<int>(value)),
                   "there are 0 to " + std::to_string(static_cast<int>(last)),
                   "start the same executable on all images");
}

}  // namespace

std::vector<std::byte> bytes_of(TeamCommand const& command) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  archive_command(writer, command);
  return bytes;
}

TeamCommand command_from(std::span<std::byte const> bytes) {
  TeamCommand command;
  pgas::ByteReader reader(bytes);
  archive_command(reader, command);
  expect_enumerator("verb", command.verb, Verb::set_step);
  expect_enumerator("schedule", command.options.schedule, Schedule::pipeline);
  expect_enumerator("route", command.options.route, Route::relayed);
  expect_enumerator("order of blocks", command.options.block_order, BlockOrder::near_first);
  expect_enumerator("host", command.options.layers.share, HostShare::front_back);
  expect_enumerator("cut", command.options.cut, ImageCut::boxes);
  return command;
}

}  // namespace makespan::grid
