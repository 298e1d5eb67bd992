// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/pricing_run.hpp"

#include <chrono>

#include "makespan/apps/asian/run/detail/pricing_engine.hpp"

namespace makespan::asian {

PricingRun::PricingRun(ContractBook const& book, PricingSettings const& settings, PricingTeam* team)
    : engine_{std::make_unique<Engine>(book, settings, team)} {
}
PricingRun::~PricingRun() {
  // Blocks under way end by themselves; a thread that hangs is given up after the settings' limit.
  engine_->cancel();
  while (!engine_->wait_for(std::chrono::seconds(1)).done) continue;
  // A thread that is left behind may still be in it.
  if (engine_->has_left_threads_behind()) static_cast<void>(engine_.release());
}
bool PricingRun::has_left_threads_behind() const {
  return engine_->has_left_threads_behind();
}
std::vector<OverdueNote> PricingRun::take_overdue() {
  return engine_->take_overdue();
}
RunProgress PricingRun::wait_for(std::chrono::duration<double> timeout) {
  return engine_->wait_for(timeout);
}
std::vector<std::int64_t> PricingRun::take_finished() {
  return engine_->take_finished();
}
ResultBook const& PricingRun::results() const {
  return engine_->results();
}
void PricingRun::cancel() {
  engine_->cancel();
}
RunSummary PricingRun::summary() {
  return engine_->summary();
}
SpeedByKind PricingRun::speeds() {
  return engine_->speeds();
}

PricingRun::Timeline PricingRun::timeline() const {
  return engine_->timeline();
}

std::vector<PricingRun::Round> const& PricingRun::rounds() const {
  return engine_->rounds();
}

}  // namespace makespan::asian
