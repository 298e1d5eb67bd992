// SPDX-License-Identifier: Apache-2.0
#include "swarm/plan_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace makespan::swarm {

Weather weather(Draws& draws, int images) {
  Weather weather{.latency = draws.time(2 * microsecond, 500 * microsecond)};
  if (draws.chance(0.6)) weather.stray = 0.5 * draws.part();
  weather.notice = draws.time(100 * microsecond, 30 * millisecond);
  if (images > 1 && draws.chance(0.5)) {
    int const losses = draws.chance(0.3) ? 2 : 1;
    for (int loss = 0; loss < losses; ++loss) {
      // Without image 0 no run goes on: seldom, since it ends what there is to see.
      int const image = draws.chance(0.05) ? 0 : draws.count(1, images - 1);
      if (loses(weather, image)) continue;
      bool const is_false = image != 0 && draws.chance(0.3);
      weather.losses.push_back({.image = image,
                                .at = draws.time(10 * microsecond, 100 * millisecond),
                                .is_false = is_false});
    }
  }
  if (draws.chance(0.4)) {
    Nanoseconds const from = draws.time(10 * microsecond, 50 * millisecond);
    weather.pauses.push_back({.image = draws.count(0, images - 1),
                              .from = from,
                              .until = from + draws.time(100 * microsecond, 50 * millisecond)});
  }
  return weather;
}

std::vector<Weather> smaller(Weather const& weather) {
  std::vector<Weather> all;
  for (std::size_t loss = 0; loss < weather.losses.size(); ++loss) {
    all.push_back(weather);
    all.back().losses.erase(all.back().losses.begin() + static_cast<std::ptrdiff_t>(loss));
  }
  if (!weather.pauses.empty()) {
    all.push_back(weather);
    all.back().pauses.clear();
  }
  if (weather.stray > 0.0) {
    all.push_back(weather);
    all.back().stray = 0.0;
  }
  return all;
}

void forget_images(Weather& weather, int from) {
  std::erase_if(weather.losses, [from](Loss const& loss) { return loss.image >= from; });
  std::erase_if(weather.pauses, [from](Pause const& pause) { return pause.image >= from; });
}

std::string describe(Weather const& weather) {
  std::ostringstream text;
  text << "  messages take " << weather.latency / microsecond << " us, " << weather.stray * 100.0
       << " % of them up to twenty times as long\n";
  for (Loss const& loss : weather.losses) {
    text << "  image " << loss.image << (loss.is_false ? " is taken to be lost at " : " dies at ")
         << loss.at / microsecond << " us, known within " << weather.notice / microsecond
         << " us\n";
  }
  for (Pause const& pause : weather.pauses) {
    text << "  image " << pause.image << " does nothing from " << pause.from / microsecond << " to "
         << pause.until / microsecond << " us\n";
  }
  return text.str();
}

bool loses(Weather const& weather, int image) {
  return std::ranges::any_of(weather.losses,
                             [image](Loss const& loss) { return loss.image == image; });
}

}  // namespace makespan::swarm
