// SPDX-License-Identifier: Apache-2.0
// Goal: a call's arguments and result go through bytes unchanged, whatever their types; the result
// is written after the call, not before. Method: calls are written and run in one thread, without
// images.
#include "makespan/pgas/call/invocation.hpp"

#include <gtest/gtest.h>

#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace makespan::pgas {
namespace {

// Never looked into: no function here takes more than its address.
Endpoint& no_endpoint() {
  static std::uint64_t place = 0;
  return *reinterpret_cast<Endpoint*>(&place);
}

// Writes the arguments, runs the call on them, and reads the result: all that happens to a call but
// its way.
template <class Function, class... Arguments>
auto run(Function, Arguments const&... arguments) {
  using Result = CallResultOf<Function, Arguments...>;
  std::vector<std::byte> sent;
  ByteWriter writer(sent);
  (write_value<Arguments>(writer, arguments), ...);
  std::vector<std::byte> result{std::byte{1}};  // of an earlier call
  Invocation invocation{no_endpoint(), sent, result};
  reinterpret_cast<Invoker>(code_of_call<Function, Arguments...>())(invocation);
  if constexpr (std::is_void_v<Result>) {
    return result.size();
  } else {
    Result value{};
    ByteReader reader(result);
    read_value(reader, value);
    return value;
  }
}

double area(double radius) {
  return 3.0 * radius * radius;
}

std::string joined(std::vector<std::string> const& words) {
  std::string all;
  for (std::string const& word : words) all += word;
  return all;
}

struct Plain {
  std::int32_t a;
  double b;
  char c[3];
};

struct Empty {};

struct Doubles {
  int operator()(int value) const { return 2 * value; }
};

int calls_of_nothing = 0;

TEST(InvocationTest, Functions_of_every_kind_travel) {
  EXPECT_EQ(run([](int a, int b) { return a - b; }, 5, 3), 2);
  EXPECT_EQ(run(function<&area>, 2.0), 12.0);
  EXPECT_EQ(run(Doubles{}, 4), 8);
  EXPECT_EQ(run([] { return 9; }), 9);
}

TEST(InvocationTest, Nothing_comes_back_from_void) {
  EXPECT_EQ(run([] { ++calls_of_nothing; }), 0U);
  EXPECT_EQ(calls_of_nothing, 1);
}

TEST(InvocationTest, Plain_data_travels_as_it_lies) {
  Plain const sent{1, 2.5, {'a', 'b', 'c'}};
  Plain const back = run(
      [](Plain const& plain) {
        Plain changed = plain;
        changed.a += 1;
        return changed;
      },
      sent);
  EXPECT_EQ(back.a, 2);
  EXPECT_EQ(back.b, 2.5);
  EXPECT_EQ(back.c[2], 'c');
  run([](Empty) { return Empty{}; }, Empty{});
}

TEST(InvocationTest, Containers_travel) {
  EXPECT_EQ(run(function<&joined>, std::vector<std::string>{"a", "", "bc"}), "abc");
  EXPECT_EQ(run([](std::vector<double> const& v) { return v.size(); }, std::vector<double>{}), 0U);
  EXPECT_EQ(run([](std::optional<std::string> const& text) { return text.value_or("none"); },
                std::optional<std::string>{}),
            "none");
  auto const swapped = run(
      [](std::map<std::string, std::vector<int>> const& by_name) {
        std::map<int, std::string> by_size;
        for (auto const& [name, values] : by_name) by_size[static_cast<int>(values.size())] = name;
        return by_size;
      },
      std::map<std::string, std::vector<int>>{{"two", {1, 2}}, {"none", {}}});
  EXPECT_EQ(swapped, (std::map<int, std::string>{{0, "none"}, {2, "two"}}));
}

TEST(InvocationTest, Function_may_change_its_copies) {
  EXPECT_EQ(run(
                [](std::string& text) {
                  text += "!";
                  return text;
                },
                std::string("ho")),
            "ho!");
}

TEST(InvocationTest, Result_may_be_a_reference_to_an_argument) {
  EXPECT_EQ(
      run([](std::string const& text) -> std::string const& { return text; }, std::string("same")),
      "same");
}

TEST(InvocationTest, Function_may_take_the_endpoint_of_its_thread) {
  EXPECT_TRUE(run([](Endpoint& here, int) { return &here == &no_endpoint(); }, 1));
}

TEST(InvocationTest, Result_is_untouched_when_the_call_throws) {
  std::vector<std::byte> result{std::byte{1}};
  Invocation invocation{no_endpoint(), {}, result};
  auto const throwing = []() -> int { throw std::runtime_error("no"); };

  EXPECT_THROW((invoke_call<decltype(throwing)>(invocation)), std::runtime_error);

  EXPECT_EQ(result.size(), 1U);
}

TEST(InvocationTest, Arguments_that_end_too_early_are_refused) {
  std::vector<std::byte> result;
  std::vector<std::byte> const sent(7);
  Invocation invocation{no_endpoint(), sent, result};
  auto const identity = [](double value) { return value; };

  EXPECT_THROW((invoke_call<decltype(identity), double>(invocation)), std::out_of_range);
}

// A bool of another byte may be neither true nor false for who looks at it.
TEST(InvocationTest, Flags_that_are_neither_true_nor_false_are_refused) {
  std::vector<std::byte> result;
  auto const invert = [](bool value) { return !value; };
  EXPECT_TRUE(run(invert, false));
  EXPECT_FALSE(run(invert, true));
  for (int const byte : {2, 0x80, 0xff}) {
    std::vector<std::byte> const sent{static_cast<std::byte>(byte)};
    Invocation invocation{no_endpoint(), sent, result};
    EXPECT_THROW((invoke_call<decltype(invert), bool>(invocation)), std::out_of_range) << byte;
    bool value = false;
    ByteReader reader(sent);
    EXPECT_THROW(read_value(reader, value), std::out_of_range) << byte;
  }
}

template <class T>
void expect_counted(T const& value) {
  std::vector<std::byte> bytes;
  ByteWriter writer(bytes);
  write_value(writer, value);
  ByteCounter counter;
  count_value(counter, value);
  EXPECT_EQ(counter.bytes(), bytes.size());
}

TEST(InvocationTest, Values_are_counted_as_they_are_written) {
  struct Padded {
    char letter;
    double number;
  };
  static_assert(PlainData<Padded>);

  expect_counted(Padded{'a', 1.0});
  expect_counted(7);
  expect_counted(std::string("text"));
  expect_counted(std::vector<Padded>::size_type{3});
  expect_counted(std::vector<std::vector<double>>{{1.0}, {}, {2.0, 3.0}});
  expect_counted(std::vector<bool>{true, false});
  expect_counted(std::map<std::string, std::vector<int>>{{"one", {1}}, {"none", {}}});
  expect_counted(std::optional<std::string>{"there"});
}

}  // namespace
}  // namespace makespan::pgas
