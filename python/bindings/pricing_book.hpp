// SPDX-License-Identifier: Apache-2.0
// A book of Python's arrays as the engine's columns.
#pragma once

#include <nanobind/nanobind.h>

#include "makespan/apps/asian/contract/contract_book.hpp"

namespace bindings {

// Views of the arrays, which stay alive in the dictionary. Throws InputError for one that is
// missing or of another type; columns of curves and of a random variance may be missing.
makespan::asian::ContractBook book_from(nanobind::dict const& book);

}  // namespace bindings
