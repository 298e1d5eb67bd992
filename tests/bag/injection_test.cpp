// SPDX-License-Identifier: Apache-2.0
// Goal: injections are read as they are meant, and what is wrong is named. Method: each form, and
// each mistake.
#include "makespan/bag/injection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

using testing::HasSubstr;

TEST(Injections, are_read) {
  auto const all = injections_from("fail:0@5000,slow:1@3000:2.5,kill:2@7,hang:3@9:1.5");

  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].kind, Injection::Kind::fail);
  EXPECT_EQ(all[0].device, 0);
  EXPECT_EQ(all[0].item, 5000);
  EXPECT_EQ(all[1].kind, Injection::Kind::slow);
  EXPECT_EQ(all[1].device, 1);
  EXPECT_EQ(all[1].item, 3000);
  EXPECT_EQ(all[1].factor, 2.5);
  EXPECT_EQ(all[2].kind, Injection::Kind::kill);
  EXPECT_EQ(all[2].device, 2);
  EXPECT_EQ(all[2].item, 7);
  EXPECT_EQ(all[3].kind, Injection::Kind::hang);
  EXPECT_EQ(all[3].device, 3);
  EXPECT_EQ(all[3].item, 9);
  EXPECT_EQ(all[3].time, Seconds{1.5});
  EXPECT_TRUE(injections_from("").empty());
}

TEST(Injections, are_written_as_they_are_read) {
  for (char const* const text : {"fail:0@5000", "kill:2@7", "slow:1@3000:2.5", "hang:3@9:1.5"}) {
    EXPECT_EQ(text_of(injections_from(text).front()), text);
  }
}

TEST(Injections, that_are_invalid_are_named) {
  for (char const* const wrong :
       {"die:0@1",      "fail",         "fail:",      "fail:@1",        "fail:-1@1",
        "fail:0",       "fail:0@",      "fail:0@-3",  "fail:0@1:2",     "kill:0@1:2",
        "slow:0@1",     "slow:0@1:",    "hang:0@1",   "hang:0@1:0",     "hang:0@1:x",
        "slow:0@1:0.5", "slow:0@1:inf", "slow:0@1:x", "slow:0@1:1e300", "hang:0@1:1e300"}) {
    try {
      static_cast<void>(injections_from(std::string("fail:0@1,") + wrong));
      ADD_FAILURE() << wrong << " was accepted";
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("injection '") + wrong + "'"));
      EXPECT_THAT(error.what(), HasSubstr("slow:1@3000:4"));
    }
  }
}

}  // namespace
}  // namespace makespan::bag
