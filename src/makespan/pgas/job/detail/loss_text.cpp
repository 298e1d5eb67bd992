// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/detail/loss_text.hpp"

#include <sstream>

namespace makespan::pgas {

namespace {

std::string cause_text(LossCause cause, Seconds silence_limit) {
  std::ostringstream text;
  switch (cause) {
    case LossCause::silent:
      text << "silent for " << silence_limit.value() << " s";
      break;
    case LossCause::ended:
      text << "its process has ended";
      break;
    case LossCause::unreachable:
      text << "it cannot be reached";
      break;
  }
  return text.str();
}

}  // namespace

std::string loss_text(HeartbeatLoss const& loss, ImageId self, Seconds silence_limit) {
  std::string text = cause_text(loss.cause, silence_limit);
  if (loss.image == self) text = "given up by the others: " + text;
  if (loss.witness != self) text += ", says image " + std::to_string(loss.witness.value());
  return text;
}

}  // namespace makespan::pgas
