# SPDX-License-Identifier: Apache-2.0
# MAKESPAN_CONTRACTS=off|cheap|costly: which contracts are evaluated; see src/makespan/base/contracts.hpp.

set(MAKESPAN_CONTRACTS "cheap" CACHE STRING "Contracts that are evaluated: off, cheap, costly")
set_property(CACHE MAKESPAN_CONTRACTS PROPERTY STRINGS off cheap costly)

set(makespan_contract_levels off cheap costly)
list(FIND makespan_contract_levels "${MAKESPAN_CONTRACTS}" MAKESPAN_CONTRACT_LEVEL)
if(MAKESPAN_CONTRACT_LEVEL EQUAL -1)
  message(
    FATAL_ERROR
    "MAKESPAN_CONTRACTS=${MAKESPAN_CONTRACTS} (there is no such level): off, cheap or costly"
  )
endif()
