// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a place does with messages, objects that come and go, copies, and the coordinator's orders.

#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "makespan/base/image_errors.hpp"
#include "makespan/base/number_map.hpp"
#include "makespan/graph/object/detail/idle_places.hpp"
#include "makespan/graph/object/detail/object_copies.hpp"
#include "makespan/graph/object/detail/place_decider.hpp"
#include "makespan/graph/object/detail/place_messenger.hpp"
#include "makespan/graph/object/detail/place_trace.hpp"
#include "makespan/graph/object/detail/world_plan.hpp"
#include "makespan/graph/object/load_clock.hpp"
#include "makespan/graph/object/message/envelope_check.hpp"
#include "makespan/graph/object/message/payload.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/object_program.hpp"
#include "makespan/graph/protocol/location_table.hpp"
#include "makespan/graph/rebalance/load_book.hpp"

namespace makespan::graph {

class Coordinator;

// Tested by tests/graph/object/object_place_test.cpp, object_world_test.cpp.
class PlaceCore final : public ObjectPlace {
 public:
  // Made by the world. Keeps references.
  PlaceCore(WorldPlan const& plan, ObjectProgram const& program, PlaceMessenger& messenger);
  ~PlaceCore();

  [[nodiscard]] bool is_lost(int place) const override { return table_.is_lost(place); }
  // Works until the run is over. Throws what ended it.
  void run();
  // Whether the run was not given up: the same at all places that are not lost.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  // What happened, where it was asked for; else null.
  [[nodiscard]] PlaceTrace const* trace() const { return trace_.get(); }

 private:
  [[nodiscard]] double cpu_s_of(int object) override { return loads_.cpu_s(object); }
  [[nodiscard]] double whole_cpu_s_of(int object) const override {
    return loads_.whole_cpu_s(object);
  }

  enum class Stage : std::uint8_t {
    waiting,    // for a phase to begin
    gathering,  // objects that are to come
    running,    // a phase, or before the first, where objects are made
    failed,     // waits for the coordinator to end the run
    over,
  };
  // For an object that was thought to be here.
  struct Message {
    Target target;
    std::int32_t from;
    std::shared_ptr<Payload const> payload;
  };

  struct Here {
    void* object{};
    std::type_info const* object_class{};
  };

  [[nodiscard]] ObjectStore& store_of(int object);
  [[nodiscard]] int index_of(int object) const;
  void put_in_store(int object, LooseObject loose);
  [[nodiscard]] LooseObject take_from_store(int object);

  // place_core.cpp: the loop, and what the coordinator says
  void work();
  [[nodiscard]] bool work_guarded();
  void send_rest();
  void take_messages();
  void take_first(Envelope& envelope);
  void begin_spell();
  void end_spell();
  void take(Envelope&& envelope);
  void give_up(Envelope const& unreadable) const;
  [[nodiscard]] EnvelopeBounds bounds() const;
  [[nodiscard]] bool is_early(Envelope const& envelope) const;
  void take_from_place(Envelope&& envelope);
  void take_message(Envelope&& envelope);
  void take_order(Envelope const& envelope);
  void tell_waiting();
  [[nodiscard]] ObjectLoads loads_now();
  void notice_loss(ImageFailed const& failure);
  void post(EnvelopeKind kind, std::vector<std::byte> bytes, std::int64_t number = 0);
  void post_state(EnvelopeKind kind, ImageState const& state, std::int64_t number = 0);
  void fail(std::exception_ptr error, std::string const& text);
  template <class Function>
  void guarded(Function&& function);

  // place_core_phases.cpp: how phases begin, and the run ends
  void begin_phase(Envelope const& envelope);
  void expect_nothing_left(Envelope const& begin) const;
  void move_as_ordered(Target const& target);
  void start_if_complete();
  void finish(Envelope const& envelope);

  // place_core_idle.cpp: when there is nothing to do
  void rest();
  [[nodiscard]] bool await_patiently();
  void become_busy();
  void become_idle();

  // place_core_decisions.cpp: where places decide together
  void tell_loads();
  void take_decide(Envelope const& envelope);
  void take_decision(Envelope const& envelope);
  [[nodiscard]] EnvelopeBounds decision_bounds() const;
  [[nodiscard]] DecisionStage decision_stage() const;
  [[nodiscard]] DecisionFacts decision_facts();
  template <class Function>
  void decide(Function&& function);
  void move_as_decided();
  void expect_decided(int object, bool is_right) const;

  // place_core_copies.cpp: objects that are saved, and come back
  [[nodiscard]] std::vector<std::byte> packed_objects();
  void unpack_objects(std::span<std::byte const> bytes);
  [[nodiscard]] int buddy() const;
  [[nodiscard]] int copy_holder_of(int place) const;
  [[nodiscard]] std::vector<int> live_places() const;
  void save();
  void take_copy(Envelope&& envelope);
  void restart(Envelope const& envelope);
  void expect_way_back(Envelope const& restart) const;
  void forget_objects();
  void restore_copies();
  void read_parts(std::filesystem::path const& checkpoint);

  // place_core_messages.cpp: messages, and objects that come and go
  void send_payload(int object, std::shared_ptr<Payload const> payload) override;
  void send_payload(std::span<int const> objects, std::shared_ptr<Payload const> payload) override;
  void send_counted(std::span<int const> objects, std::shared_ptr<Payload const> payload);
  // These return how many places it went to.
  int send_one(int object, std::shared_ptr<Payload const> payload);
  int send_several(std::span<int const> objects, std::shared_ptr<Payload const> const& payload);
  int send_outgoing(std::shared_ptr<Payload const> const& payload);
  void add_object(int object, LooseObject loose) override;
  void send_object(int object, LooseObject loose, int place) override;
  void leave(int object, int place) override;
  void depart(int object, int place);
  void hand_over(int object, Location next, std::int64_t number);
  [[nodiscard]] bool brings_loads(std::int64_t number) const;
  [[nodiscard]] ObjectLoads taken_loads(int object, std::uint32_t moves);
  // Calls it; where time is virtual, it takes of that what it takes. `object`: whose method it is.
  template <class Function>
  void worked(Worker worker, Function&& function, int object = -1) {
    if (work_ != nullptr) work_->begin(worker, object);
    function();
    if (work_ != nullptr) work_->end();
  }
  // Of the trace.
  [[nodiscard]] std::int64_t now_ns() const { return messenger_.clocks().wall_ns(); }
  [[nodiscard]] bool end_long_turn();
  void dispatch(Message message);
  void deliver(Message const& message, Here const& here);
  // Throws InputError unless the object that is here is of the class of the message's method.
  void expect_class(Message const& message, Here const& here) const;
  void forward(Message message, Location to);
  void take_arrival(Envelope&& envelope);
  void expect_to_come(Envelope const& arrival) const;
  void take_news(Target const& news);
  void expect_made_once(Target const& news) const;
  void arrive(int object, std::uint32_t moves, LooseObject loose);
  void tell_home(int object, std::uint32_t moves);
  void look_again(int object);
  void send_envelope(int place, Envelope&& envelope);

  WorldPlan const& plan_;
  ObjectProgram const& program_;
  PlaceMessenger& messenger_;
  PlaceWork* work_;  // null where time is real
  IdlePlaces& idle_;
  std::unique_ptr<PlaceTrace> trace_{};  // null where none is asked for
  Stage stage_{Stage::running};
  std::uint32_t generation_;

  LocationTable table_;
  NumberMap<Here> here_{};  // by object
  std::deque<Message> queue_{};
  NumberMap<std::vector<Message>> kept_{};  // by object
  std::vector<Envelope> early_{};           // of phases that have not begun here
  std::vector<Target> outgoing_{};          // of the message that is being sent
  MessageCounts counts_{};
  bool was_idle_{false};  // in this phase
  int patience_{0};       // looks for a message before it is idle again
  int awaited_{0};        // objects that are to come before the phase starts
  std::int64_t gathering_begin_ns_{0};
  double gathering_s_{0.0};
  ObjectCopies copies_{};

  int running_{-1};                             // the object whose method runs
  std::vector<std::pair<int, int>> leaving_{};  // objects and where they go
  LoadBook loads_{};
  LoadClock<> clock_;
  // A turn of methods: batches that are not full wait for so long, times their number, since each
  // takes its sender and its receiver some microseconds.
  static constexpr double turn_ns = 200'000.0;
  double const turn_ticks_{turn_ns / messenger_.clocks().ns_per_tick()};
  std::int64_t turn_begin_{0};  // tick
  bool is_in_spell_{false};
  bool is_measured_{false};     // this phase: by object
  bool notes_messages_{false};  // and to whom each sends
  double unowned_s_{0.0};       // of the network, and of all objects where they are not measured
  // Null where place 0 decides.
  std::unique_ptr<Balancer> balancer_{};
  std::unique_ptr<PlaceDecider> decider_{};
  std::int64_t step_{0};                        // of the decision after this phase; 0: none yet
  std::unique_ptr<Coordinator> coordinator_{};  // at place 0
  bool has_ended_{false};
  std::exception_ptr error_{};       // what the program threw here
  std::exception_ptr end_reason_{};  // why the run was ended
};

}  // namespace makespan::graph
