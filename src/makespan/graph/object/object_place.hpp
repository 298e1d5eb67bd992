// SPDX-License-Identifier: Apache-2.0
#pragma once

// One thread that runs objects: what methods of objects, and the program, see of the world.
//
//   struct Counter {
//     int sum{0};
//     void add(ObjectPlace& here, int what) { sum += what; }
//     template <class Archive> void serialize(Archive& archive) { archive(sum); }
//   };
//   here.send<&Counter::add>(counters, 17, 3);  // wherever counters[17] is
//
// A place runs one method at a time, so objects need no locks. Messages may overtake each other.
// Nothing here blocks; all of it is for the place's own thread.

#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/graph/object/collection.hpp"
#include "makespan/graph/object/detail/envelope_check.hpp"
#include "makespan/graph/rebalance/load_book.hpp"
#include "makespan/graph/object/load_clock.hpp"
#include "makespan/graph/object/detail/object_copies.hpp"
#include "makespan/graph/object/detail/payload.hpp"
#include "makespan/graph/object/detail/place_messenger.hpp"
#include "makespan/graph/object/world_plan.hpp"
#include "makespan/graph/protocol/location_table.hpp"
#include "makespan/graph/protocol/quiescence.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::graph {

class Coordinator;

// Tested by tests/graph/object/object_world_test.cpp.
class ObjectPlace {
 public:
  // Made by the world. Keeps references.
  ObjectPlace(WorldPlan const& plan, ObjectProgram const& program, PlaceMessenger& messenger);
  ObjectPlace(ObjectPlace const&) = delete;
  ObjectPlace& operator=(ObjectPlace const&) = delete;
  ~ObjectPlace();

  // Of this one, among those of all images: image by image, thread by thread.
  [[nodiscard]] int place() const { return place_; }
  [[nodiscard]] int places() const { return messenger_.numbers().places(); }
  [[nodiscard]] std::int64_t phase() const { return phase_; }
  // Whether its image is lost, and the run went on without it.
  [[nodiscard]] bool is_lost(int place) const { return table_.is_lost(place); }

  // What this place's objects have in common: scratch memory, tables. Belongs to the place, does
  // not travel. Set by the program, in `prepare`.
  template <class T>
  void set_common(std::shared_ptr<T> common) {
    common_ = std::move(common);
    common_type_ = &typeid(T);
  }
  template <class T>
  [[nodiscard]] T& common() {
    MAKESPAN_EXPECT(common_type_ != nullptr);
    MAKESPAN_EXPECT(*common_type_ == typeid(T));
    return *static_cast<T*>(common_.get());
  }

  // The processor's time of an object that is here, in the last phase that was measured (see
  // ObjectProgram::is_measured) [s].
  template <class T>
  [[nodiscard]] double cpu_s(Collection<T> in, int index) {
    return loads_.cpu_s(number_of(in, index));
  }
  // All that an object has taken at this place in phases that were measured, whether it is still
  // here or not [s].
  template <class T>
  [[nodiscard]] double whole_cpu_s(Collection<T> in, int index) const {
    return loads_.whole_cpu_s(number_of(in, index));
  }

  // Whether `index` falls to this place when a collection is cut into blocks of equal length.
  template <class T>
  [[nodiscard]] bool is_in_block(Collection<T> of, int index) const {
    return static_cast<int>(std::int64_t{index} * places() / of.count) == place_;
  }

  // Puts an object into a collection, here or at another place. One that has been made already is a
  // mistake of the program.
  template <Migratable T>
  void create(Collection<T> in, int index, T object) {
    add_object(number_of(in, index), std::make_shared<T>(std::move(object)));
  }
  template <Migratable T>
  void create_at(int place, Collection<T> in, int index, T object) {
    send_object(number_of(in, index), std::make_shared<T>(std::move(object)), place);
  }

  // Calls a method of an object, wherever it is, some time later. `values` are what the method
  // takes after the place.
  template <auto method, class T, class... Values>
  void send(Collection<T> to, int index, Values&&... values) {
    check_method<method, T>();
    send_payload(number_of(to, index), make_payload<method>(std::forward<Values>(values)...));
  }
  // The same values to several objects, which share them; they go to each place once.
  template <auto method, class T, class... Values>
  void send_each(Collection<T> to, std::span<int const> indices, Values&&... values) {
    check_method<method, T>();
    std::vector<int> numbers;
    numbers.reserve(indices.size());
    for (int const index : indices) numbers.push_back(number_of(to, index));
    send_payload(numbers, make_payload<method>(std::forward<Values>(values)...));
  }

  // Sends an object elsewhere, when the method that runs has ended. It must be here. To a lost
  // place: to the next that is there.
  template <class T>
  void migrate(Collection<T> in, int index, int place) {
    leave(number_of(in, index), place);
  }

  // Calls function(index, object) for those that are here, by index.
  template <class T, class Function>
  void for_each(Collection<T> of, Function&& function) {
    for (int index = 0; index < of.count; ++index) {
      if (T* const object = find(of, index)) function(index, *object);
    }
  }
  // Null if it is elsewhere.
  template <class T>
  [[nodiscard]] T* find(Collection<T> in, int index) {
    static_cast<void>(number_of(in, index));
    return static_cast<T*>(stores_[static_cast<std::size_t>(in.id)]->find(index));
  }

  // --- for the world

  // Works until the run is over. Throws what ended it.
  void run();

 private:
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
    void* object{};  // null: elsewhere
    std::type_info const* object_class{};
  };

  template <auto method, class T>
  static constexpr void check_method() {
    static_assert(std::is_same_v<typename MethodTraits<decltype(method)>::Object, T>,
                  "the method is not one of the collection's objects");
  }
  template <class T>
  [[nodiscard]] int number_of(Collection<T> in, int index) const {
    MAKESPAN_EXPECT(index >= 0);
    MAKESPAN_EXPECT(index < in.count);
    return in.first + index;
  }
  [[nodiscard]] ObjectStore& store_of(int object);
  [[nodiscard]] int index_of(int object) const;
  void put_in_store(int object, LooseObject loose);
  [[nodiscard]] LooseObject take_from_store(int object);

  // object_place.cpp: the loop, and what the coordinator says
  void work();
  void send_rest();
  void take_messages();
  void begin_spell();
  void end_spell();
  void rest();
  void take(Envelope envelope);
  [[nodiscard]] EnvelopeBounds bounds() const;
  [[nodiscard]] bool is_early(Envelope const& envelope) const;
  void take_from_place(Envelope envelope);
  void take_order(Envelope const& envelope);
  void begin_phase(Envelope const& envelope);
  void start_if_complete();
  void tell_inventory(std::int64_t number);
  void tell_loads();
  void finish(Envelope const& envelope);
  void report_if_idle();
  void notice_loss(ImageFailed const& failure);
  void post(EnvelopeKind kind, std::vector<std::byte> bytes, std::int64_t number = 0);
  void post_counts(EnvelopeKind kind, std::int64_t number);
  void fail(std::exception_ptr error, std::string const& text);
  template <class Function>
  void guarded(Function&& function);

  // object_place_copies.cpp: objects that are saved, and come back
  [[nodiscard]] std::vector<std::byte> packed_objects();
  void unpack_objects(std::span<std::byte const> bytes);
  [[nodiscard]] int buddy() const;
  [[nodiscard]] int copy_holder_of(int place) const;
  [[nodiscard]] std::vector<int> live_places() const;
  void save();
  void take_copy(Envelope envelope);
  void restart(Envelope const& envelope);
  void forget_objects();
  void restore_copies();
  void read_parts(std::filesystem::path const& checkpoint);

  // object_place_messages.cpp: messages, and objects that come and go
  void send_payload(int object, std::shared_ptr<Payload const> const& payload);
  void send_payload(std::span<int const> objects, std::shared_ptr<Payload const> const& payload);
  // How many places it went to.
  int send_outgoing(std::shared_ptr<Payload const> const& payload);
  void add_object(int object, LooseObject loose);
  void send_object(int object, LooseObject loose, int place);
  void leave(int object, int place);
  void depart(int object, int place);
  void hand_over(int object, Location next, std::int64_t number);
  void dispatch(Message message);
  void deliver(Message const& message);
  // Throws InputError unless the object that is here is of the class of the message's method.
  void expect_class(Message const& message) const;
  void forward(Message message, Location to);
  void take_arrival(Envelope envelope);
  void take_news(Target const& news);
  void arrive(int object, std::uint32_t moves, LooseObject loose);
  void look_again(int object);
  void send_envelope(int place, Envelope envelope);

  WorldPlan const& plan_;
  ObjectProgram const& program_;
  PlaceMessenger& messenger_;
  int place_;
  Stage stage_{Stage::running};
  std::int64_t phase_;  // one before the first, while objects are made
  std::uint32_t generation_;

  std::vector<std::unique_ptr<ObjectStore>> stores_;  // by collection
  LocationTable table_;
  std::vector<Here> here_;  // by object
  std::deque<Message> queue_{};
  std::unordered_map<int, std::vector<Message>> kept_{};  // by object
  std::vector<Envelope> early_{};                         // of phases that have not begun here
  std::vector<Envelope> mail_{};
  std::vector<Target> outgoing_{};  // of the message that is being sent
  MessageCounts counts_{};
  std::optional<MessageCounts> reported_{};  // in this phase
  int awaited_{0};                           // objects that are to come before the phase starts
  std::int64_t gathering_begin_ns_{0};
  double gathering_s_{0.0};
  ObjectCopies copies_{};

  int running_{-1};                             // the object whose method runs
  std::vector<std::pair<int, int>> leaving_{};  // objects and where they go
  LoadBook loads_;
  LoadClock<> clock_;
  bool is_in_spell_{false};
  bool is_measured_{false};  // this phase: by object
  double unowned_s_{0.0};    // of the network, and of all objects where they are not measured
  PlaceTimes busy_{};        // in this phase
  std::unique_ptr<Coordinator> coordinator_{};  // at place 0
  std::shared_ptr<void> common_{};
  std::type_info const* common_type_{};
  std::exception_ptr error_{};  // what the program threw here
  std::string failure_{};       // why the run was ended
};

}  // namespace makespan::graph
