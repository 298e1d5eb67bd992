// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contracts: conditions that only a mistake in the program can break. Bad input is no contract; see
// error.hpp.
//
// EXPECT is for what a caller owes, ASSERT for what must hold in between, ENSURE for what a
// function owes. The plain macros are `cheap` (a few instructions, outside inner loops); those
// ending in _COSTLY may take as long as the work that they check. The build chooses with
// MAKESPAN_CONTRACTS=off|cheap|costly; a contract that is switched off is compiled but never
// evaluated. Write one simple condition per line, so that the message says which one broke:
//
//   MAKESPAN_EXPECT(threads > 0);
//   MAKESPAN_ENSURE_COSTLY(std::ranges::is_sorted(costs));

#include <stdexcept>
#include <string>
#include <string_view>

namespace makespan {

// What a broken contract says about itself.
struct ContractViolation {
  std::string_view kind;  // "EXPECT", "ASSERT" or "ENSURE"
  std::string_view condition;
  std::string_view file;
  int line;
};

// "file:line: EXPECT(condition) does not hold".
[[nodiscard]] std::string describe(ContractViolation const& violation);

// Called with a broken contract. Must not return: it ends the process, or throws.
using ContractHandler = void (*)(ContractViolation const&);

// Prints the violation to stderr and aborts. In place when a program starts.
[[noreturn]] void abort_on_violation(ContractViolation const& violation);

// Throws ContractViolated. For tests, and for hosts that must not die, such as an interactive
// Python session.
[[noreturn]] void throw_on_violation(ContractViolation const& violation);

// Puts `handler` in place for the whole process and returns the one before. Callable from any
// thread.
ContractHandler set_contract_handler(ContractHandler handler);

// What throw_on_violation throws.
class ContractViolated : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Calls the handler in place; aborts when the handler returns.
[[noreturn]] void contract_violated(ContractViolation const& violation);

}  // namespace makespan

#ifndef MAKESPAN_CONTRACT_LEVEL
#error "MAKESPAN_CONTRACT_LEVEL comes from linking to makespan::base: 0 off, 1 cheap, 2 costly"
#endif

// Variadic, because a condition may hold a comma.
#define MAKESPAN_CONTRACT_ON(kind, ...) \
  ((__VA_ARGS__) ? static_cast<void>(0) \
                 : ::makespan::contract_violated({kind, #__VA_ARGS__, __FILE__, __LINE__}))
#define MAKESPAN_CONTRACT_OFF(...) static_cast<void>(sizeof((__VA_ARGS__) ? 1 : 0))

#if MAKESPAN_CONTRACT_LEVEL >= 1
#define MAKESPAN_EXPECT(...) MAKESPAN_CONTRACT_ON("EXPECT", __VA_ARGS__)
#define MAKESPAN_ASSERT(...) MAKESPAN_CONTRACT_ON("ASSERT", __VA_ARGS__)
#define MAKESPAN_ENSURE(...) MAKESPAN_CONTRACT_ON("ENSURE", __VA_ARGS__)
#else
#define MAKESPAN_EXPECT(...) MAKESPAN_CONTRACT_OFF(__VA_ARGS__)
#define MAKESPAN_ASSERT(...) MAKESPAN_CONTRACT_OFF(__VA_ARGS__)
#define MAKESPAN_ENSURE(...) MAKESPAN_CONTRACT_OFF(__VA_ARGS__)
#endif

#if MAKESPAN_CONTRACT_LEVEL >= 2
#define MAKESPAN_EXPECT_COSTLY(...) MAKESPAN_CONTRACT_ON("EXPECT", __VA_ARGS__)
#define MAKESPAN_ASSERT_COSTLY(...) MAKESPAN_CONTRACT_ON("ASSERT", __VA_ARGS__)
#define MAKESPAN_ENSURE_COSTLY(...) MAKESPAN_CONTRACT_ON("ENSURE", __VA_ARGS__)
#else
#define MAKESPAN_EXPECT_COSTLY(...) MAKESPAN_CONTRACT_OFF(__VA_ARGS__)
#define MAKESPAN_ASSERT_COSTLY(...) MAKESPAN_CONTRACT_OFF(__VA_ARGS__)
#define MAKESPAN_ENSURE_COSTLY(...) MAKESPAN_CONTRACT_OFF(__VA_ARGS__)
#endif
