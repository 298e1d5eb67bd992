// SPDX-License-Identifier: Apache-2.0
// Objects that are saved, and come back.
#include <algorithm>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/detail/checkpoint_files.hpp"
#include "makespan/graph/object/detail/place_core.hpp"

namespace makespan::graph {

std::vector<std::byte> PlaceCore::packed_objects() {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  for (int const object : table_.here()) {
    writer.write(&object, sizeof object);
    store_of(object).write(index_of(object), writer);
  }
  return bytes;
}

void PlaceCore::unpack_objects(std::span<std::byte const> bytes) {
  pgas::ByteReader reader(bytes);
  while (!reader.is_at_end()) {
    int object = 0;
    reader.read(&object, sizeof object);
    if (object < 0 || object >= plan_.objects || table_.is_here(object)) {
      throw InputError("a checkpoint with object " + std::to_string(object),
                       "the collections of this run hold none of that number, or it came twice",
                       "go on with the program and the input that wrote it");
    }
    LooseObject loose = store_of(object).read(reader);
    // Moves are counted anew: no place remembers those from before a restart.
    arrive(object, 1, std::move(loose));
    tell_home(object, 1);
  }
}

// The same thread of the next image that is there; this place itself, where there is no other.
int PlaceCore::buddy() const {
  for (int place = this->place() + messenger_.numbers().threads; place != this->place();
       place += messenger_.numbers().threads) {
    place %= places();
    if (place == this->place()) break;
    if (!table_.is_lost(place)) return place;
  }
  return place();
}

std::vector<int> PlaceCore::live_places() const {
  std::vector<int> live;
  for (int place = 0; place < places(); ++place) {
    if (!table_.is_lost(place)) live.push_back(place);
  }
  return live;
}

void PlaceCore::save() {
  std::vector<std::byte> objects = packed_objects();
  std::filesystem::path const& folder = plan_.options.checkpoint.folder;
  if (!folder.empty()) {
    // Lost places write none: parts are numbered by those that are there.
    std::vector<int> const live = live_places();
    auto const part = static_cast<int>(std::ranges::find(live, place()) - live.begin());
    write_part(folder, part,
               {.head = {.phase = phase() + 1,
                         .places = static_cast<std::int32_t>(live.size()),
                         .collections = plan_.fingerprint()},
                .objects = std::move(objects)});
    return post(EnvelopeKind::saved, {});
  }
  int const to = buddy();
  if (to == place()) {
    post(EnvelopeKind::saved, {});
  } else {
    // The buddy says that they are saved: no phase begins before it has them.
    send_envelope(to, {.kind = EnvelopeKind::copy, .from = place(), .bytes = objects});
  }
  // Its own as well: after a loss all places go back to the same phase.
  copies_.keep(place(), phase() + 1, std::move(objects));
  // Places that were lost before have no objects now, whichever place is asked for them later.
  for (int place = 0; place < places(); ++place) {
    if (table_.is_lost(place)) copies_.keep(place, phase() + 1, {});
  }
}

void PlaceCore::take_copy(Envelope&& envelope) {
  copies_.keep(envelope.from, envelope.phase + 1, std::move(envelope.bytes));
  post(EnvelopeKind::saved, {});
}

void PlaceCore::restart(Envelope const& envelope) {
  if (envelope.generation <= generation_) return;
  expect_way_back(envelope);
  generation_ = envelope.generation;
  set_phase(envelope.phase);
  stage_ = Stage::waiting;
  for (Target const& each : envelope.targets) table_.lose(each.place);
  if (decider_) decider_->begin_anew(live_places());
  step_ = 0;
  forget_objects();
  CheckpointOptions const& checkpoint = plan_.options.checkpoint;
  bool const is_first = !checkpoint.from.empty() && phase() + 1 == plan_.first_phase;
  if (is_first) {
    read_parts(checkpoint.from);  // no copy has been made since
  } else if (checkpoint.folder.empty()) {
    restore_copies();
  } else {
    read_parts(checkpoint_folder(checkpoint.folder, phase() + 1));
  }
  // What homes are told of their objects is counted: the next phase does not end before.
  post(EnvelopeKind::restored, {}, counts_.sent);
}

// Copies are of a phase that was; and one place is left, since this one is.
void PlaceCore::expect_way_back(Envelope const& restart) const {
  auto const is_this = [&](Target const& each) { return each.place == place(); };
  if (restart.phase <= phase() && std::ranges::none_of(restart.targets, is_this)) return;
  throw InputError("an order to begin anew after phase " + std::to_string(restart.phase),
                   "it came to place " + std::to_string(place()) + " in phase " +
                       std::to_string(phase()) + ", of the future or without that place",
                   "start the same executable, with the same input, on all images");
}

void PlaceCore::forget_objects() {
  for (int const object : table_.here()) static_cast<void>(take_from_store(object));
  table_.clear();
  queue_.clear();
  kept_.clear();
  leaving_.clear();
  // Those of the new run may have overtaken the order to begin it.
  std::erase_if(early_, [&](Envelope const& each) { return each.generation < generation_; });
  // As at all places: what was under way is of the run before, and not taken any more.
  counts_ = {};
  was_idle_ = false;
  patience_ = 0;
  awaited_ = 0;
}

void PlaceCore::restore_copies() {
  for (int place = 0; place < places(); ++place) {
    bool const is_mine =
        place == this->place() || (table_.is_lost(place) && copy_holder_of(place) == this->place());
    if (!is_mine) continue;
    std::vector<std::byte> const* const copy = copies_.find(place, phase() + 1);
    if (copy == nullptr) {
      throw InputError("the objects of place " + std::to_string(place),
                       "its image and the one that kept their copies are lost",
                       "write checkpoints to disk, and go on from the last one");
    }
    unpack_objects(*copy);
  }
}

// The place that has the copies of a lost one: its buddy when they were made, or the next after
// that.
int PlaceCore::copy_holder_of(int place) const {
  int next = place;
  do {
    next = (next + messenger_.numbers().threads) % places();
  } while (table_.is_lost(next) && next != place);
  return next;
}

void PlaceCore::read_parts(std::filesystem::path const& checkpoint) {
  std::vector<int> const live = live_places();
  auto const turn = static_cast<int>(std::ranges::find(live, place()) - live.begin());
  // Of the first part the head alone: all places ask for it, and it may be long.
  CheckpointHead const first = read_head(checkpoint, 0);
  // There may be more parts than places now, or fewer: they are dealt out in turn.
  for (int part = turn; part < first.places; part += static_cast<int>(live.size())) {
    CheckpointPart const read = read_part(checkpoint, part);
    if (read.head.phase != first.phase || read.head.places != first.places) {
      throw InputError(checkpoint.string(),
                       "its files 0 and " + std::to_string(part) + " are of two checkpoints",
                       "copy all of a checkpoint's files from where it was written");
    }
    if (read.head.collections != plan_.fingerprint()) {
      throw InputError(checkpoint.string(),
                       "it has other collections than this run: their names, sizes or order",
                       "go on with the program and the input that wrote it");
    }
    unpack_objects(read.objects);
  }
}

}  // namespace makespan::graph
