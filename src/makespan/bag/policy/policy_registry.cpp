// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/policy_registry.hpp"

#include <array>
#include <concepts>

#include "makespan/bag/policy/adaptive_factoring.hpp"
#include "makespan/bag/policy/awf.hpp"
#include "makespan/bag/policy/awf_variants.hpp"
#include "makespan/bag/policy/bold.hpp"
#include "makespan/bag/policy/closed_form_policy.hpp"
#include "makespan/bag/policy/equal_time.hpp"
#include "makespan/bag/policy/factoring.hpp"
#include "makespan/bag/policy/factoring_by_two.hpp"
#include "makespan/bag/policy/fixed_increase.hpp"
#include "makespan/bag/policy/fixed_size.hpp"
#include "makespan/bag/policy/guided.hpp"
#include "makespan/bag/policy/memoryless_policy.hpp"
#include "makespan/bag/policy/modified_fixed_size.hpp"
#include "makespan/bag/policy/performance_based.hpp"
#include "makespan/bag/policy/random_size.hpp"
#include "makespan/bag/policy/self_scheduling.hpp"
#include "makespan/bag/policy/static_scheduling.hpp"
#include "makespan/bag/policy/taper.hpp"
#include "makespan/bag/policy/trapezoid.hpp"
#include "makespan/bag/policy/trapezoid_factoring.hpp"
#include "makespan/bag/policy/variable_increase.hpp"
#include "makespan/bag/policy/weighted_factoring.hpp"
#include "makespan/base/named_entry.hpp"

namespace makespan::bag {

namespace {

template <RegisteredPolicy P>
constexpr PolicyForm form_of() {
  if (std::derived_from<P, ClosedFormPolicy>) return PolicyForm::closed;
  if (std::derived_from<P, MemorylessPolicy>) return PolicyForm::memoryless;
  return PolicyForm::history;
}

template <RegisteredPolicy P>
PolicyEntry entry() {
  return {P::name, P::summary, P::option_help(), form_of<P>(),
          [](OptionValues const& given) -> std::unique_ptr<ChunkPolicy> {
            return std::make_unique<P>(given);
          }};
}

}  // namespace

std::span<PolicyEntry const> policies() {
  static std::array const entries{
      entry<EqualTimePolicy>(),
      entry<AdaptiveFactoringPolicy>(),
      entry<AwfPolicy>(),
      entry<AwfBPolicy>(),
      entry<AwfCPolicy>(),
      entry<AwfDPolicy>(),
      entry<AwfEPolicy>(),
      entry<BoldPolicy>(),
      entry<FactoringByTwoPolicy>(),
      entry<FactoringPolicy>(),
      entry<FixedIncreasePolicy>(),
      entry<FixedSizePolicy>(),
      entry<GuidedPolicy>(),
      entry<ModifiedFixedSizePolicy>(),
      entry<PerformanceBasedPolicy>(),
      entry<RandomSizePolicy>(),
      entry<SelfSchedulingPolicy>(),
      entry<StaticSchedulingPolicy>(),
      entry<TaperPolicy>(),
      entry<TrapezoidFactoringPolicy>(),
      entry<TrapezoidPolicy>(),
      entry<VariableIncreasePolicy>(),
      entry<WeightedFactoringPolicy>(),
  };
  return entries;
}

PolicyEntry const& policy_entry(std::string_view name) {
  return entry_named("chunk policy", policies(), name);
}

std::unique_ptr<ChunkPolicy> make_policy(std::string_view name, OptionValues const& given) {
  return policy_entry(name).make(given);
}

}  // namespace makespan::bag
