// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/idle_places.hpp"

#include <bit>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

// The low bits of the word count idle places, the others changes.
// 48 bits of changes last for most of a year at ten million a second.
constexpr std::uint64_t change = std::uint64_t{1} << 16U;

std::uint64_t idle_of(std::uint64_t word) {
  return word % change;
}

std::int64_t version_of(std::uint64_t word) {
  return static_cast<std::int64_t>(word / change);
}

}  // namespace

IdlePlaces::IdlePlaces(int places) : slots_(static_cast<std::size_t>(places)) {
  MAKESPAN_EXPECT(places > 0);
  MAKESPAN_EXPECT(static_cast<std::uint64_t>(places) < change);
}

void IdlePlaces::become_busy(int place) {
  Slot& slot = slots_[static_cast<std::size_t>(place)];
  if (!std::exchange(slot.is_idle, false)) return;
  // One change more and one idle place less, in one addition.
  word_.fetch_add(change - 1, std::memory_order_acq_rel);
}

std::optional<ImageState> IdlePlaces::become_idle(int place, IdleNote const& note) {
  Slot& slot = slots_[static_cast<std::size_t>(place)];
  MAKESPAN_EXPECT(!slot.is_idle);
  slot.is_idle = true;
  auto const words = std::bit_cast<NoteWords>(note);
  // Released, each of them: a thread that reads one sees that the place had become busy.
  for (std::size_t at = 0; at < words.size(); ++at) {
    slot.note[at].store(words[at], std::memory_order_release);
  }
  // Release: the note comes first. Acquire: so do those of places that became idle before.
  std::uint64_t const word = word_.fetch_add(change + 1, std::memory_order_acq_rel) + change + 1;
  if (idle_of(word) < slots_.size()) return std::nullopt;
  std::optional<ImageState> state = state_at(word);
  if (state && !state->is_idle) return std::nullopt;
  return state;
}

ImageState IdlePlaces::look() const {
  for (;;) {
    std::uint64_t const word = word_.load(std::memory_order_acquire);
    if (idle_of(word) < slots_.size()) return {.version = version_of(word)};
    // None: a place has become busy meanwhile. The next look finds that, or all of them idle again.
    if (auto state = state_at(word)) return *std::move(state);
  }
}

std::optional<ImageState> IdlePlaces::state_at(std::uint64_t word) const {
  ImageState state{.version = version_of(word), .is_idle = true};
  IdleNote first;
  for (Slot const& slot : slots_) {
    NoteWords words;
    for (std::size_t at = 0; at < words.size(); ++at) {
      words[at] = slot.note[at].load(std::memory_order_acquire);
    }
    auto const note = std::bit_cast<IdleNote>(words);
    if (state.places.empty()) first = note;
    bool const is_same =
        note.generation == first.generation && note.phase == first.phase && note.step == first.step;
    state.is_idle = state.is_idle && is_same;
    state.places.push_back(note.state);
  }
  // Relaxed will do: each reading of a note acquires, so this one is not done before them.
  if (word_.load(std::memory_order_relaxed) != word) return std::nullopt;
  if (!state.is_idle) state.places.clear();
  return state;
}

}  // namespace makespan::graph
