// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/kernel_probe.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "makespan/apps/asian/estimate/moment_tree.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"

namespace makespan::asian {

namespace {

Contract probe_contract(KernelProbeOptions const& options) {
  Contract contract{};
  contract.key = 0x70726f6265;
  contract.side = 1;
  contract.spot = 100;
  contract.strike = 100;
  contract.multiplier = 1;
  contract.rate = 0.05;
  contract.drift = 0.05;
  contract.volatility = options.volatility;
  contract.expiry = options.expiry;
  contract.fixings = options.fixings;
  contract.first_fixing = options.expiry / options.fixings;
  contract.last_fixing = options.expiry;
  contract.notional = 1;
  contract.paths = 1;
  contract.max_paths = 1;
  return contract;
}

}  // namespace

KernelProbe kernel_probe(KernelProbeOptions const& options) {
  PricingSettings settings;
  settings.method = options.antithetic ? Method::mc : Method::mc_plain;
  settings.greeks = options.greeks;
  settings.philox_rounds = options.philox_rounds;
  check(settings);
  OptionWorker worker{settings, Kernels::named(options.isa)};
  Contract const contract = probe_contract(options);
  MomentTree tree;
  auto const start = std::chrono::steady_clock::now();
  worker.prepare(contract);
  for (std::int64_t first = 0; first < options.paths; first += block_samples) {
    int const samples =
        static_cast<int>(std::min<std::int64_t>(block_samples, options.paths - first));
    tree.add(first / block_samples, worker.run({0, first / block_samples, first, samples}));
  }
  auto const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<std::vector<double>> const moments{tree.total()};
  OptionEstimate const estimator = worker.estimator();
  Estimate const estimate = estimator.estimate_from(moments, options.paths);
  return {seconds, estimator.result_from(estimate, options.paths).value[price]};
}

}  // namespace makespan::asian
