// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/peer_halos.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "makespan/grid/agreement.hpp"
#include "makespan/grid/detail/put_pieces.hpp"
#include "makespan/pgas/team.hpp"

namespace makespan::grid {

namespace {

std::size_t as_index(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

}  // namespace

PeerHalos::PeerHalos(pgas::Runtime& runtime, HaloLayout const& layout,
                     std::span<Accelerator* const> accelerators, MayReach const& may_reach)
    : runtime_{runtime}, fields_{layout.fields} {
  bool const has_some = std::ranges::any_of(accelerators, [](auto* each) { return each; });
  int const somewhere = runtime.team().all_reduce_all(pgas::ReduceOp::max, has_some ? 1 : 0);
  if (somewhere == 1) open_all(layout, accelerators, may_reach);
}

void PeerHalos::open_all(HaloLayout const& layout, std::span<Accelerator* const> accelerators,
                         MayReach const& may_reach) {
  ExchangePlan const& plan = layout.plan;
  pgas::Team& team = runtime_.team();
  auto const doubles_of = [&](int slab) {
    return plan.points_of_slab[as_index(slab)] * layout.fields;
  };
  // Of each slab its number among its image's.
  std::vector<std::size_t> counts(as_index(runtime_.images()));
  std::vector<std::size_t> number_of;
  for (SlabPlace const& slab : layout.slabs) {
    number_of.push_back(counts[as_index(slab.owner.image)]++);
  }
  // As many of each image, since they are gathered in rows; an empty key is of no buffer.
  std::vector<BufferKey> keys(std::ranges::max(counts));
  agree_all(failure_of([&] {
    own_.resize(layout.slabs.size());
    for (std::size_t slab = 0; slab < own_.size(); ++slab) {
      if (accelerators[slab] == nullptr || plan.points_of_slab[slab] == 0) continue;
      own_[slab] =
          accelerators[slab]->halo_buffer(exchanges_kept * doubles_of(static_cast<int>(slab)));
      if (own_[slab].count() > 0) keys[number_of[slab]] = accelerators[slab]->key_of(own_[slab]);
    }
  }));
  std::vector<BufferKey> const all = team.all_gather_all(std::span<BufferKey const>(keys));
  auto const key_of = [&](int slab) -> BufferKey const& {
    int const image = layout.slabs[as_index(slab)].owner.image;
    return all[as_index(image) * keys.size() + number_of[as_index(slab)]];
  };

  buffers_.resize(plan.messages.size());
  std::vector<std::int32_t> are_reached(plan.messages.size());
  agree_all(failure_of([&] {
    std::map<std::pair<Accelerator*, int>, double*> reached;
    for (HaloMessage const& message : plan.messages) {
      Accelerator* const from = accelerators[as_index(message.from_slab)];
      ImageId const to{layout.slabs[as_index(message.to_slab)].owner.image};
      if (from == nullptr || key_of(message.to_slab).is_empty()) continue;
      // Each accelerator opens a buffer once, however many messages go there.
      auto const [entry, is_new] = reached.try_emplace({from, message.to_slab}, nullptr);
      if (is_new && may_reach(to)) {
        FieldMemory opened = from->open_buffer(key_of(message.to_slab));
        entry->second = opened.data();
        opened_.push_back(std::move(opened));
      }
      if (entry->second == nullptr) continue;
      buffers_[as_index(message.number)] = {.first = entry->second,
                                            .pitch = doubles_of(message.to_slab)};
      are_reached[as_index(message.number)] = 1;
    }
  }));
  tell_receivers_all(layout, accelerators, are_reached);
}

void PeerHalos::tell_receivers_all(HaloLayout const& layout,
                                   std::span<Accelerator* const> accelerators,
                                   std::span<std::int32_t const> are_reached) {
  ExchangePlan const& plan = layout.plan;
  // Receivers are told which messages come into their buffers.
  std::vector<std::int32_t> come(are_reached.size());
  runtime_.team().all_reduce_all(pgas::ReduceOp::max, are_reached, std::span(come));
  for (HaloMessage const& message : plan.messages) {
    bool const is_mine = accelerators[as_index(message.to_slab)] != nullptr;
    if (!is_mine || come[as_index(message.number)] == 0) continue;
    if (buffers_[as_index(message.number)].first != nullptr) continue;
    buffers_[as_index(message.number)] = {
        .first = own_[as_index(message.to_slab)].data(),
        .pitch = plan.points_of_slab[as_index(message.to_slab)] * layout.fields};
  }
}

void PeerHalos::agree_all(std::exception_ptr const& mine) {
  pgas::Team& team = runtime_.team();
  if (team.all_reduce_all(pgas::ReduceOp::max, mine ? 1 : 0) == 0) return;
  close_all();
  refuse_part_all(team, mine);
}

void PeerHalos::close_all() {
  // On all images what was opened is closed before its owner frees it.
  opened_.clear();
  runtime_.team().barrier_all();
  own_.clear();
  buffers_.clear();
}

double* PeerHalos::place(HaloMessage const& message, std::int64_t exchange) const {
  if (buffers_.empty()) return nullptr;
  MessageBuffers const& place = buffers_[as_index(message.number)];
  if (place.first == nullptr) return nullptr;
  return place.first + exchange % exchanges_kept * place.pitch + message.offset * fields_;
}

}  // namespace makespan::grid
