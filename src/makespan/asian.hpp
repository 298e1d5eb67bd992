// SPDX-License-Identifier: Apache-2.0
#pragma once

// Asian options: books of contracts, priced on unequal devices with the same bits on all.

#include "makespan/apps/asian/contract/contract_book.hpp"
#include "makespan/apps/asian/contract/option_key.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/apps/asian/run/result_book.hpp"
#include "makespan/base/configuration.hpp"
#include "makespan/base/error.hpp"
