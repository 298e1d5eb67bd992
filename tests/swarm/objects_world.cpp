// SPDX-License-Identifier: Apache-2.0
#include "swarm/objects_world.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "makespan/base/image_errors.hpp"
#include "makespan/base/mixed_bits.hpp"
#include "makespan/graph/object/detail/place_core.hpp"
#include "makespan/graph/object/object_run_failed.hpp"
#include "swarm/objects_messenger.hpp"
#include "swarm/plan_parts.hpp"

namespace makespan::swarm {

namespace {

class ObjectsWorld;

// A word that is passed on: who hears it, and what is said of it further.
struct Word {
  std::uint64_t key;
  int hops;
};

std::uint64_t key_of(std::uint64_t of, std::uint64_t number) {
  return mixed_bits(of + 0x9e3779b97f4a7c15U * (number + 1));
}

// To one object or two.
std::vector<int> callbacks(ObjectsPlan const& plan, Word const& word) {
  auto const objects = static_cast<std::uint64_t>(plan.objects);
  std::vector<int> all{static_cast<int>(word.key % objects)};
  int const other = static_cast<int>((word.key >> 20U) % objects);
  if (word.key % 3 == 0 && other != all.front()) all.push_back(other);
  return all;
}

std::vector<Word> first_words(ObjectsPlan const& plan, int object, std::int64_t phase) {
  std::uint64_t const key =
      key_of(plan.seed, static_cast<std::uint64_t>(phase * plan.objects + object));
  std::vector<Word> words;
  auto const count = key % static_cast<std::uint64_t>(plan.words + 1);
  for (std::uint64_t word = 0; word < count; ++word) {
    std::uint64_t const its = key_of(key, word);
    words.push_back(
        {its, static_cast<int>((its >> 40U) % static_cast<std::uint64_t>(plan.hops + 1))});
  }
  return words;
}

// Of an object that hears many, none twice.
Word passed_on(Word const& word, int object) {
  return {key_of(word.key, static_cast<std::uint64_t>(object)), word.hops - 1};
}

bool moves(ObjectsPlan const& plan, Word const& word) {
  return static_cast<double>(word.key >> 44U) * 0x1p-20 < plan.moves;
}

struct Talker {
  int index{0};
  std::uint64_t heard{0};  // the sum of all keys
  std::int64_t words{0};

  void hear(graph::ObjectPlace& here, std::uint64_t key, int hops, std::uint32_t generation);

  template <class Archive>
  void serialize(Archive& archive) {
    archive(index, heard, words);
  }
};

using Talkers = graph::Collection<Talker>;

class ObjectsWorld {
 public:
  ObjectsWorld(ObjectsPlan const& plan, Fault fault, Story story)
      : plan_{plan},
        world_{plan.images, plan.weather, plan.seed, std::move(story)},
        net_{.world = world_, .fault = fault} {
    net_.accepted.resize(static_cast<std::size_t>(plan.images));
    net_.heard = [this](int from, graph::Envelope const& envelope) {
      hear_envelope(from, envelope);
    };
    world_.on_notice([this](int from, int) {
      for (auto const& post : posts_) {
        if (post->numbers().image() == from) post->notice();
      }
    });
    make_plan();
    make_program();
    make_places();
  }
  ~ObjectsWorld() { world_.unwind(); }
  ObjectsWorld(ObjectsWorld const&) = delete;
  ObjectsWorld& operator=(ObjectsWorld const&) = delete;

  Verdict run();

  // Of objects.
  void hear(graph::ObjectPlace& here, Talker& talker, Word const& word, std::uint32_t generation);

 private:
  void make_plan();
  void make_program();
  void make_places();
  void work(int place);
  void make_objects(graph::ObjectPlace& here);
  void say(graph::ObjectPlace& here, Word const& word);
  void hear_envelope(int from, graph::Envelope const& envelope);
  void expect_quiet(std::uint32_t generation);
  void expect_sums(std::uint32_t generation);
  void expect_end() const;
  [[nodiscard]] Talker* talker_at(int object, std::uint32_t generation, int& places);
  [[nodiscard]] bool may_fail(std::string_view text) const;
  [[nodiscard]] Nanoseconds latest_end() const;
  std::int64_t& open(std::uint32_t generation);

  ObjectsPlan const& plan_;
  VirtualWorld world_;
  PostNet net_;
  Talkers talkers_{};
  graph::WorldPlan objects_{};
  graph::ObjectProgram program_{};
  std::vector<std::unique_ptr<SwarmMessenger>> posts_{};
  std::vector<std::unique_ptr<graph::PlaceCore>> places_{};
  std::int64_t restarted_{-1};                // the first phase after the last restart
  std::vector<std::uint32_t> generations_{};  // by place: of the last envelope that it sent
  std::vector<std::int64_t> open_{};          // words said and not heard, by generation
  std::string failure_{};                     // why the run was ended
  bool has_ended_{false};
};

// What objects find their world by.
struct WorldOfObjects {
  ObjectsWorld* world;
};

void Talker::hear(graph::ObjectPlace& here, std::uint64_t key, int hops, std::uint32_t generation) {
  here.common<WorldOfObjects>().world->hear(here, *this, {key, hops}, generation);
}

// --- what there is

void ObjectsWorld::make_plan() {
  talkers_ = {.id = 0, .first = 0, .count = plan_.objects};
  objects_.collections.push_back(
      {.name = "talkers", .first = 0, .count = plan_.objects, .make_store = [] {
         return std::make_unique<graph::TypedStore<Talker>>();
       }});
  objects_.objects = plan_.objects;
  std::vector<int> hosts(static_cast<std::size_t>(plan_.images));
  std::iota(hosts.begin(), hosts.end(), 0);
  objects_.layout = graph::assumed_layout(plan_.threads, hosts);
  objects_.places = std::make_shared<graph::Places const>(graph::places_of(objects_.layout));
  objects_.options.threads = plan_.threads;
  objects_.options.balance.balancer = plan_.balancer;
  if (plan_.balancer == "hierarchical")
    objects_.options.balance.balancer_options = {{"group", 2.0}};
  auto& trigger = objects_.options.balance.trigger;
  trigger.when = plan_.balance_every > 0 ? graph::BalanceWhen::periodic : graph::BalanceWhen::never;
  trigger.every = std::max(plan_.balance_every, 1);
  objects_.options.checkpoint.every = plan_.checkpoint_every;
}

void ObjectsWorld::make_program() {
  program_.prepare = [this](graph::ObjectPlace& here) {
    here.set_common(std::make_shared<WorldOfObjects>(WorldOfObjects{this}));
  };
  program_.create = [this](graph::ObjectPlace& here) { make_objects(here); };
  program_.begin = [this](graph::ObjectPlace& here, std::int64_t phase) {
    here.for_each(talkers_, [&](int index, Talker&) {
      for (Word const& word : first_words(plan_, index, phase)) say(here, word);
    });
  };
  program_.phases = plan_.phases;
}

void ObjectsWorld::make_objects(graph::ObjectPlace& here) {
  for (int index = 0; index < plan_.objects; ++index) {
    if (!here.is_in_block(talkers_, index)) continue;
    Talker talker{.index = index};
    if (world_.draws().chance(0.3)) {
      here.create_at(world_.draws().count(0, here.places() - 1), talkers_, index, talker);
    } else {
      here.create(talkers_, index, talker);
    }
  }
}

void ObjectsWorld::make_places() {
  int const places = plan_.images * plan_.threads;
  generations_.resize(static_cast<std::size_t>(places));
  for (int image = 0; image < plan_.images; ++image) {
    net_.idle_places.push_back(std::make_unique<graph::IdlePlaces>(plan_.threads));
  }
  for (int place = 0; place < places; ++place) {
    posts_.push_back(std::make_unique<SwarmMessenger>(
        net_,
        graph::PlaceNumbers{.place = place, .threads = plan_.threads, .images = plan_.images}));
    places_.push_back(std::make_unique<graph::PlaceCore>(objects_, program_, *posts_.back()));
  }
}

// --- what objects do

void ObjectsWorld::say(graph::ObjectPlace& here, Word const& word) {
  std::vector<int> const to = callbacks(plan_, word);
  std::uint32_t const generation = generations_[static_cast<std::size_t>(here.place())];
  open(generation) += std::ssize(to);
  here.send_each<&Talker::hear>(talkers_, to, word.key, word.hops, generation);
}

void ObjectsWorld::hear(graph::ObjectPlace& here, Talker& talker, Word const& word,
                        std::uint32_t generation) {
  if (generation != generations_[static_cast<std::size_t>(here.place())]) {
    world_.report("object " + std::to_string(talker.index) + " hears a word of a run given up");
  }
  world_.sleep(world_.draws().between(0, plan_.hearing));
  talker.heard += word.key;
  ++talker.words;
  if (word.hops > 0) say(here, passed_on(word, talker.index));
  if (moves(plan_, word)) {
    auto const places = static_cast<std::uint64_t>(here.places());
    here.migrate(talkers_, talker.index, static_cast<int>((word.key >> 12U) % places));
  }
  --open(generation);
  if (world_.is_told()) {
    world_.tell("object " + std::to_string(talker.index) + " hears a word at place " +
                std::to_string(here.place()) + ", phase " + std::to_string(here.phase()));
  }
}

std::int64_t& ObjectsWorld::open(std::uint32_t generation) {
  if (generation >= open_.size()) open_.resize(generation + std::size_t{1});
  return open_[generation];
}

// --- what must hold

// The coordinator is heard when it goes on, places when they tell that they begin anew.
void ObjectsWorld::hear_envelope(int from, graph::Envelope const& envelope) {
  auto& generation = generations_[static_cast<std::size_t>(from)];
  bool const is_order = envelope.kind >= graph::EnvelopeKind::begin;
  if (!is_order) generation = std::max(generation, envelope.generation);
  switch (envelope.kind) {
    case graph::EnvelopeKind::end:
      if (!std::exchange(has_ended_, true)) expect_sums(envelope.generation);
      [[fallthrough]];
    case graph::EnvelopeKind::begin:
    case graph::EnvelopeKind::ask_waiting:
    case graph::EnvelopeKind::look:
    case graph::EnvelopeKind::decide:
    case graph::EnvelopeKind::save:
      // After a restart, homes may be told of their objects while the first phase runs.
      if (envelope.kind == graph::EnvelopeKind::begin && envelope.phase == restarted_) break;
      // Said to one place after the other: the first is when it was decided.
      expect_quiet(envelope.generation);
      break;
    case graph::EnvelopeKind::restart:
      restarted_ = envelope.phase + 1;
      break;
    default:
      break;
  }
}

Talker* ObjectsWorld::talker_at(int object, std::uint32_t generation, int& places) {
  Talker* found = nullptr;
  for (std::size_t place = 0; place < places_.size(); ++place) {
    if (generations_[place] != generation) continue;
    Talker* const here = places_[place]->find(talkers_, object);
    if (here == nullptr) continue;
    found = here;
    ++places;
  }
  return found;
}

void ObjectsWorld::expect_quiet(std::uint32_t generation) {
  std::int64_t const said = open(generation);
  if (said != 0) {
    world_.report("quiet is declared while " + std::to_string(said) + " words are not heard");
  }
  if (net_.open(generation) != 0) {
    world_.report("quiet is declared while envelopes are under way");
  }
}

void ObjectsWorld::expect_sums(std::uint32_t generation) {
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(plan_.objects));
  std::vector<Word> words;
  for (int phase = 0; phase < plan_.phases; ++phase) {
    for (int object = 0; object < plan_.objects; ++object) {
      auto const first = first_words(plan_, object, phase);
      words.insert(words.end(), first.begin(), first.end());
    }
  }
  while (!words.empty()) {
    Word const word = words.back();
    words.pop_back();
    for (int const object : callbacks(plan_, word)) {
      sums[static_cast<std::size_t>(object)] += word.key;
      if (word.hops > 0) words.push_back(passed_on(word, object));
    }
  }
  for (int object = 0; object < plan_.objects; ++object) {
    int places = 0;
    Talker const* const talker = talker_at(object, generation, places);
    std::string const name = "object " + std::to_string(object);
    if (places != 1)
      world_.report(name + " is at " + std::to_string(places) + " places in the end");
    if (talker != nullptr && talker->heard != sums[static_cast<std::size_t>(object)]) {
      world_.report(name + " has heard other words than were said to it");
    }
  }
}

// --- a run

void ObjectsWorld::work(int place) {
  try {
    places_[static_cast<std::size_t>(place)]->run();
  } catch (std::exception const& error) {
    world_.tell("place " + std::to_string(place) + " ends: " + error.what());
    auto const* const failure = dynamic_cast<ImageFailed const*>(&error);
    int const image = place / plan_.threads;
    // It is lost itself, and the others go on without it.
    if (failure != nullptr && failure->image() == ImageId{image}) return;
    bool const is_alone = failure != nullptr && failure->image() == ImageId{0};
    if (is_alone && loses(plan_.weather, 0)) return;
    failure_ = error.what();
    if (!may_fail(failure_)) world_.report(failure_);
  }
}

// Where images are lost copies of objects may be, or there were none yet.
bool ObjectsWorld::may_fail(std::string_view text) const {
  constexpr std::array allowed{"no copies of its objects have been saved",
                               "the one that kept their copies are lost"};
  return !plan_.weather.losses.empty() && std::ranges::any_of(allowed, [text](char const* part) {
    return text.find(part) != std::string_view::npos;
  });
}

Nanoseconds ObjectsWorld::latest_end() const {
  std::int64_t words = plan_.objects * plan_.words * 2;
  for (int hop = 0; hop < plan_.hops; ++hop) words *= 3;
  Nanoseconds each = 10 * plan_.hearing + 100 * plan_.weather.latency;
  Nanoseconds waits = second + 100 * plan_.weather.notice;
  for (Pause const& pause : plan_.weather.pauses) waits += 10 * (pause.until - pause.from);
  return waits + words * plan_.phases * each;
}

void ObjectsWorld::expect_end() const {
  for (std::string const& name : world_.unfinished()) {
    throw Broken("stalled: nothing will happen any more, but " + name + " waits");
  }
  if (!has_ended_ && failure_.empty() && !world_.is_lost(0)) throw Broken("ends without an end");
}

Verdict ObjectsWorld::run() {
  Verdict verdict;
  try {
    for (int place = 0; place < std::ssize(places_); ++place) {
      world_.spawn(place / plan_.threads, "place " + std::to_string(place),
                   [this, place] { work(place); });
    }
    world_.run(second + latest_end());
    expect_end();
  } catch (std::exception const& error) {
    verdict.broken = error.what();
  }
  verdict.events = world_.events();
  return verdict;
}

}  // namespace

Verdict run_world(ObjectsPlan const& plan, Fault fault, Story const& story) {
  ObjectsWorld world(plan, fault, story);
  return world.run();
}

}  // namespace makespan::swarm
