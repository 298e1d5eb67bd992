// SPDX-License-Identifier: Apache-2.0
#include "makespan/capi/detail/function_table.hpp"

#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::capi {
namespace {

int first(void const* /*arguments*/, std::int64_t /*bytes*/, void* /*result*/,
          std::int64_t /*result_bytes*/) {
  return 1;
}
int second(void const* /*arguments*/, std::int64_t /*bytes*/, void* /*result*/,
           std::int64_t /*result_bytes*/) {
  return 2;
}

TEST(FunctionTableTest, Functions_are_found_by_name) {
  FunctionTable table;
  table.add("first", &first);
  table.add("second", &second);
  table.add("again", &first);
  EXPECT_EQ(table.find("first"), &first);
  EXPECT_EQ(table.find("second"), &second);
  EXPECT_EQ(table.find("again"), &first);
}

TEST(FunctionTableTest, Name_stays_with_its_function) {
  FunctionTable table;
  table.add("first", &first);
  EXPECT_NO_THROW(table.add("first", &first));
  EXPECT_THROW(table.add("first", &second), InputError);
  EXPECT_EQ(table.find("first"), &first);
}

TEST(FunctionTableTest, Names_that_are_not_there_are_refused) {
  FunctionTable table;
  EXPECT_THROW(table.add("", &first), InputError);
  EXPECT_THROW(static_cast<void>(table.find("first")), InputError);
}

}  // namespace
}  // namespace makespan::capi
