// SPDX-License-Identifier: Apache-2.0
// Goal: a store has what was put there until it is taken, and what it writes it reads. Method:
// objects that remember.
#include "makespan/graph/object/message/object_store.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/object/recorder.hpp"

namespace makespan::graph {
namespace {

struct NoDefault {
  explicit NoDefault(int number) : number_(number) {}
  template <class Archive>
  void serialize(Archive& archive) {
    archive(number_);
  }
  int number_;
};
static_assert(Migratable<Recorder>);
static_assert(!Migratable<NoDefault>);

std::shared_ptr<Recorder> recorder(std::string const& call) {
  auto made = std::make_shared<Recorder>();
  made->calls.push_back(call);
  return made;
}

TEST(ObjectStore, finds_what_was_put_there) {
  TypedStore<Recorder> store;
  auto const object = recorder("a");

  store.put(1, object);

  EXPECT_EQ(store.find(0), nullptr);
  EXPECT_EQ(store.find(1), object.get());
  EXPECT_EQ(store.find(2), nullptr);
}

TEST(ObjectStore, tells_which_are_here_in_order) {
  TypedStore<Recorder> store;
  for (int const index : {70'000, 3, 500, 12}) store.put(index, recorder("a"));
  static_cast<void>(store.take(500));

  EXPECT_EQ(store.indices(), (std::vector<int>{3, 12, 70'000}));
}

TEST(ObjectStore, has_no_more_what_was_taken) {
  TypedStore<Recorder> store;
  auto const object = recorder("a");
  store.put(0, object);

  LooseObject const taken = store.take(0);

  EXPECT_EQ(taken.get(), object.get());
  EXPECT_EQ(store.find(0), nullptr);
  EXPECT_EQ(object.use_count(), 2) << "the store keeps nothing";
}

TEST(ObjectStore, reads_what_it_wrote) {
  TypedStore<Recorder> store;
  store.put(1, recorder("some call"));
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  store.write(1, writer);
  EXPECT_EQ(store.bytes(1), std::ssize(bytes));

  pgas::ByteReader reader(bytes);
  store.put(0, store.read(reader));

  EXPECT_TRUE(reader.is_at_end());
  ASSERT_NE(store.find(0), store.find(1));
  EXPECT_EQ(static_cast<Recorder*>(store.find(0))->calls, std::vector<std::string>{"some call"});
  EXPECT_NE(store.find(1), nullptr) << "what is written stays";
}

TEST(ObjectStore, of_no_objects_can_be) {
  TypedStore<Recorder> const store;
  std::vector<std::byte> bytes;
  pgas::ByteReader reader(bytes);

  EXPECT_THROW(static_cast<void>(store.read(reader)), std::out_of_range);
}

}  // namespace
}  // namespace makespan::graph
