// SPDX-License-Identifier: Apache-2.0
// Goal: the address of a function finds its way to another process and back, wherever its module
// was loaded; what has no name is refused. Method: functions of this program, of a library it is
// linked to, and of one that is loaded late; a process of its own reads what this one wrote.
#include "makespan/pgas/message/code_address.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/pgas/message/recent_codes.hpp"
#include "makespan/pgas/message/registered_code.hpp"

namespace makespan::pgas {
namespace {

using testing::HasSubstr;

int answer() {
  return 7;
}

template <int number>
int numbered() {
  return number;
}

int unregistered() {
  return 8;
}

CodePointer code_of(int (*function)()) {
  return reinterpret_cast<CodePointer>(function);
}

bool const are_registered = register_code(code_of(&answer)) &&
                            register_code(code_of(&numbered<1>)) &&
                            register_code(code_of(&numbered<2>));

int call(CodePointer code) {
  return reinterpret_cast<int (*)()>(code)();
}

TEST(CodeAddressTest, Function_of_this_program_comes_back) {
  CodeMap map;
  EXPECT_EQ(map.decode(map.encode(code_of(&answer))), code_of(&answer));
}

TEST(CodeAddressTest, Another_map_understands_it) {
  CodeMap writer;
  CodeMap reader;
  std::uint64_t const encoded = writer.encode(code_of(&answer));

  EXPECT_EQ(call(reader.decode(encoded)), 7);
}

TEST(CodeAddressTest, Functions_have_names_of_their_own) {
  CodeMap map;
  std::set<std::uint64_t> const names{map.encode(code_of(&answer)),
                                      map.encode(code_of(&numbered<1>)),
                                      map.encode(code_of(&numbered<2>))};

  EXPECT_EQ(names.size(), 3U);
  EXPECT_EQ(call(map.decode(map.encode(code_of(&numbered<2>)))), 2);
}

TEST(CodeAddressTest, Function_of_a_linked_library_comes_back) {
  CodeMap map;
  auto* const code = reinterpret_cast<CodePointer>(::dlsym(RTLD_DEFAULT, "getenv"));
  ASSERT_NE(code, nullptr);
  register_code(code);
  EXPECT_EQ(map.decode(map.encode(code)), code);
}

// The map is made before the library is there, as a runtime is before an extension is imported.
TEST(CodeAddressTest, Function_of_a_library_that_comes_later_comes_back) {
  CodeMap map;
  CodeMap reader;
  static_cast<void>(map.encode(code_of(&answer)));
  static_cast<void>(reader.decode(map.encode(code_of(&answer))));

  void* const library = ::dlopen(CODE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  void* const symbol = ::dlsym(library, "_Z28makespan_code_library_answerv");
  ASSERT_NE(symbol, nullptr);
  register_code(reinterpret_cast<CodePointer>(symbol));
  std::uint64_t const encoded = map.encode(reinterpret_cast<CodePointer>(symbol));

  EXPECT_EQ(call(reader.decode(encoded)), 42);
  // The same library elsewhere in memory: what an offset is for.
  std::uint64_t const name = encoded >> 32U;
  EXPECT_NE(name, map.encode(code_of(&answer)) >> 32U);
  ::dlclose(library);
}

// As many addresses of this program as there are bytes of code: one in a few thousand may be
// called.
TEST(CodeAddressTest, What_was_not_registered_is_refused) {
  CodeMap map;
  ASSERT_TRUE(are_registered);
  EXPECT_EQ(unregistered(), 8);
  std::uint64_t const known = map.encode(code_of(&answer));
  for (std::uint64_t const encoded :
       {map.encode(code_of(&unregistered)), known + 1, known - 1, known + 4}) {
    try {
      static_cast<void>(map.decode(encoded));
      FAIL() << encoded;
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), HasSubstr("no function that travels"));
    }
  }
  EXPECT_EQ(call(map.decode(known)), 7);
}

TEST(CodeAddressTest, What_was_registered_as_something_else_is_refused) {
  CodeMap map;
  std::uint64_t const known = map.encode(code_of(&answer));
  EXPECT_EQ(call(map.decode(known)), 7);
  EXPECT_THROW(static_cast<void>(map.decode(known, CodeKind::reader)), InputError);
  register_code(code_of(&numbered<3>), CodeKind::reader);
  std::uint64_t const reader = map.encode(code_of(&numbered<3>));
  EXPECT_EQ(call(map.decode(reader, CodeKind::reader)), 3);
  EXPECT_THROW(static_cast<void>(map.decode(reader)), InputError);
}

TEST(CodeAddressTest, Unknown_build_is_refused) {
  CodeMap map;
  std::uint64_t const mine = map.encode(code_of(&answer));
  std::uint64_t const other_module = mine ^ (std::uint64_t{1} << 40U);
  std::uint64_t const past_the_end = mine | 0xffff'ffffU;

  for (std::uint64_t const encoded : {other_module, past_the_end}) {
    try {
      static_cast<void>(map.decode(encoded));
      FAIL() << encoded;
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), HasSubstr("does not have"));
      EXPECT_THAT(error.what(), HasSubstr("start the same executable on all images"));
    }
  }
}

TEST(CodeAddressTest, Code_outside_all_modules_is_refused) {
  CodeMap map;
  void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);

  try {
    static_cast<void>(map.encode(reinterpret_cast<CodePointer>(page)));
    FAIL();
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("--build-id"));
  }
  ::munmap(page, 4096);
}

// Address space layout is random, so the other process has its modules elsewhere.
TEST(CodeAddressTest, Another_process_understands_it) {
  CodeMap map;
  if (char const* const told = std::getenv("MAKESPAN_CODE_ADDRESS")) {
    EXPECT_EQ(call(map.decode(std::strtoull(told, nullptr, 10))), 7);
    return;
  }
  std::string const command =
      "MAKESPAN_CODE_ADDRESS=" + std::to_string(map.encode(code_of(&answer))) + " /proc/" +
      std::to_string(::getpid()) +
      "/exe --gtest_filter=CodeAddressTest.Another_process_understands_it > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

template <int... numbers>
std::vector<CodePointer> codes_of(std::integer_sequence<int, numbers...>) {
  return {code_of(&numbered<numbers>)...};
}

// More functions than are kept, so that some share a place.
TEST(RecentCodes, answer_as_the_map_does) {
  CodeMap map;
  RecentCodes recent(map);
  std::vector<CodePointer> const codes = codes_of(std::make_integer_sequence<int, 40>{});
  for (CodePointer const code : codes) register_code(code);

  for (int round = 0; round < 2; ++round) {
    for (CodePointer const code : codes) {
      EXPECT_EQ(recent.encode(code), map.encode(code));
      EXPECT_EQ(recent.decode(map.encode(code)), code);
    }
  }
}

TEST(RecentCodes, run_nothing_that_was_only_sent) {
  CodeMap map;
  RecentCodes recent(map);

  std::uint64_t const encoded = recent.encode(code_of(&unregistered));

  EXPECT_THROW(static_cast<void>(recent.decode(encoded)), InputError);
}

}  // namespace
}  // namespace makespan::pgas
