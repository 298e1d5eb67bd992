// SPDX-License-Identifier: Apache-2.0
// Goal: each choice in each kind of job gives the plan, or the refusal, that it should. Method: a
// table of all choices and facts; no transport is opened.
#include "makespan/pgas/detail/transport_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::pgas {

void PrintTo(TransportPlan const& plan, std::ostream* out) {
  *out << name_of(plan);
}

namespace {

using testing::HasSubstr;

constexpr TransportPlan shm{true, Network::none};
constexpr TransportPlan am{false, Network::am};
constexpr TransportPlan rma{false, Network::rma};
constexpr TransportPlan ucx{false, Network::ucx};
constexpr TransportPlan shm_am{true, Network::am};
constexpr TransportPlan shm_ucx{true, Network::ucx};

constexpr TransportFacts alone{};
constexpr TransportFacts node{.images = 4, .nodes = 1, .has_mpi = true, .has_ucx = false};
constexpr TransportFacts node_ucx{.images = 4, .nodes = 1, .has_mpi = true, .has_ucx = true};
constexpr TransportFacts nodes{.images = 4, .nodes = 2, .has_mpi = true, .has_ucx = false};
constexpr TransportFacts nodes_ucx{.images = 4, .nodes = 2, .has_mpi = true, .has_ucx = true};
constexpr TransportFacts no_mpi{.images = 4, .nodes = 1, .has_mpi = false, .has_ucx = true};

struct PlanRow {
  std::string choice;
  TransportFacts facts;
  TransportPlan plan;
};

TEST(TransportPlanTest, Choices_that_a_job_can_have) {
  std::vector<PlanRow> const table{{"auto", alone, shm},
                                   {"shm", alone, shm},
                                   {"am", alone, shm},
                                   {"rma", alone, shm},
                                   {"ucx", alone, shm},
                                   {"shm+am", alone, shm},
                                   {"shm+ucx", alone, shm},
                                   {"auto", node, shm},
                                   {"auto", node_ucx, shm},
                                   {"auto", nodes, shm_am},
                                   {"auto", nodes_ucx, shm_ucx},
                                   {"shm", node, shm},
                                   {"am", node, am},
                                   {"am", nodes, am},
                                   {"rma", node, rma},
                                   {"rma", nodes_ucx, rma},
                                   {"ucx", node_ucx, ucx},
                                   {"ucx", nodes_ucx, ucx},
                                   {"ucx", no_mpi, ucx},
                                   {"shm+am", node, shm_am},
                                   {"shm+am", nodes_ucx, shm_am},
                                   {"shm+ucx", node_ucx, shm_ucx},
                                   {"shm+ucx", nodes_ucx, shm_ucx}};
  for (PlanRow const& row : table) {
    EXPECT_EQ(plan_transport(row.choice, row.facts), row.plan)
        << row.choice << " with " << row.facts.images << " images on " << row.facts.nodes;
  }
}

struct Refused {
  std::string choice;
  TransportFacts facts;
  std::string why;
};

TEST(TransportPlanTest, Choices_that_a_job_cannot_have) {
  std::vector<Refused> const table{{"tcp", node, "there is none of this name"},
                                   {"", node, "there is none of this name"},
                                   {"shm+rma", node, "there is none of this name"},
                                   {"tcp", alone, "there is none of this name"},
                                   {"shm", nodes, "the images run on 2 nodes"},
                                   {"shm", nodes_ucx, "the images run on 2 nodes"},
                                   {"ucx", node, "no UCX"},
                                   {"ucx", nodes, "no UCX"},
                                   {"shm+ucx", nodes, "no UCX"},
                                   {"am", no_mpi, "no MPI"},
                                   {"rma", no_mpi, "no MPI"},
                                   {"shm+am", no_mpi, "no MPI"}};
  for (Refused const& row : table) {
    try {
      FAIL() << row.choice << " gave " << name_of(plan_transport(row.choice, row.facts));
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), HasSubstr("transport " + row.choice));
      EXPECT_THAT(error.what(), HasSubstr(row.why));
    }
  }
}

TEST(TransportPlanTest, Refusal_of_a_name_lists_the_names) {
  try {
    static_cast<void>(plan_transport("tcp", node));
    FAIL();
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), HasSubstr("auto, shm, am, rma, ucx, shm+am, shm+ucx"));
  }
}

TEST(TransportPlanTest, Ucx_is_probed_only_where_the_answer_matters) {
  EXPECT_FALSE(asks_for_ucx("auto", alone));
  EXPECT_FALSE(asks_for_ucx("ucx", alone));
  EXPECT_FALSE(asks_for_ucx("auto", node));
  EXPECT_TRUE(asks_for_ucx("auto", nodes));
  EXPECT_TRUE(asks_for_ucx("ucx", node));
  EXPECT_TRUE(asks_for_ucx("shm+ucx", node));
  for (char const* const choice : {"shm", "am", "rma", "shm+am"}) {
    EXPECT_FALSE(asks_for_ucx(choice, nodes)) << choice;
  }
}

TEST(TransportPlanTest, Names_of_plans_are_choices) {
  for (char const* const choice : {"am", "rma", "ucx", "shm+am", "shm+ucx"}) {
    EXPECT_EQ(name_of(plan_transport(choice, nodes_ucx)), choice);
  }
  EXPECT_EQ(name_of(plan_transport("shm", node)), "shm");
  EXPECT_EQ(name_of(TransportPlan{}), "?");  // reaches no image
}

}  // namespace
}  // namespace makespan::pgas
