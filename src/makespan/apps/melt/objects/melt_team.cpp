// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/melt_team.hpp"

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "makespan/apps/melt/kernels.hpp"
#include "makespan/apps/melt/objects/detail/run_mark.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/object/object_run_failed.hpp"
#include "makespan/pgas/message/archive.hpp"
#include "makespan/pgas/team_order.hpp"

namespace makespan::melt {

namespace {

namespace fs = std::filesystem;

// By name, in the order of names.
struct Values {
  std::vector<std::string> names{};
  std::vector<double> values{};

  template <class Archive>
  void serialize(Archive& archive) {
    archive(names, values);
  }
};

Values values_of(OptionValues const& options) {
  Values all;
  for (auto const& [name, value] : options) {
    all.names.push_back(name);
    all.values.push_back(value);
  }
  return all;
}

OptionValues options_of(Values const& values) {
  if (values.names.size() != values.values.size()) {
    throw InputError("options of a balancer", "there are other values than names",
                     "start the same executable on all images");
  }
  OptionValues options;
  for (std::size_t at = 0; at < values.names.size(); ++at) {
    options.emplace(values.names[at], values.values[at]);
  }
  return options;
}

// All images make the same balancer: its places decide together, where it has any.
struct Balance {
  graph::BalanceOptions options{};  // but what follows
  std::int32_t when{};
  Values of_balancer{};
  Values of_load_model{};

  template <class Archive>
  void serialize(Archive& archive) {
    graph::TriggerOptions& trigger = options.trigger;
    archive(options.balancer, options.load_model, options.speeds, options.load_noise,
            options.image_memory_bytes, when, trigger.every, trigger.phases, trigger.look_first_s,
            trigger.waste_max, trigger.slowdown_max, of_balancer, of_load_model);
  }
};

Balance balance_of(graph::BalanceOptions const& options) {
  return {.options = options,
          .when = static_cast<std::int32_t>(options.trigger.when),
          .of_balancer = values_of(options.balancer_options),
          .of_load_model = values_of(options.load_model_options)};
}

graph::BalanceOptions options_of(Balance const& balance) {
  if (balance.when < 0 || balance.when > static_cast<int>(graph::BalanceWhen::automatic)) {
    throw InputError("when = " + std::to_string(balance.when), "objects move at no such time",
                     "start the same executable on all images");
  }
  graph::BalanceOptions options = balance.options;
  options.trigger.when = static_cast<graph::BalanceWhen>(balance.when);
  options.balancer_options = options_of(balance.of_balancer);
  options.load_model_options = options_of(balance.of_load_model);
  return options;
}

// What the others must know of a run; when objects move, image 0 decides.
struct Order {
  MeltSettings settings{};
  std::string isa{};
  std::int64_t phase_steps{};
  std::int64_t frame_steps{};
  graph::InitialMap first_map{};
  std::int64_t checkpoint_every{};
  std::string checkpoint_folder{};
  std::string from{};
  std::string machine{};
  Balance balance{};

  template <class Archive>
  void serialize(Archive& archive) {
    archive(settings, isa, phase_steps, frame_steps, first_map, checkpoint_every, checkpoint_folder,
            from, machine, balance);
  }
};

Order order_of(MeltSettings const& settings, MeltOptions const& options) {
  graph::CheckpointOptions const& checkpoint = options.world.checkpoint;
  return {.settings = settings,
          .isa = options.isa,
          .phase_steps = options.phase_steps,
          .frame_steps = options.frame_steps,
          .first_map = options.first_map,
          .checkpoint_every = checkpoint.every,
          .checkpoint_folder = checkpoint.folder.string(),
          .from = checkpoint.from.string(),
          .machine = options.world.machine.from,
          .balance = balance_of(options.world.balance)};
}

MeltOptions options_of(Order const& order, int threads) {
  return {.world = {.threads = threads,
                    .balance = options_of(order.balance),
                    .machine = {.from = order.machine},
                    .checkpoint = {.every = order.checkpoint_every,
                                   .folder = order.checkpoint_folder,
                                   .from = order.from}},
          .isa = order.isa,
          .phase_steps = order.phase_steps,
          .frame_steps = order.frame_steps,
          .first_map = order.first_map};
}

bool has_kernels(std::string const& isa) {
  try {
    static_cast<void>(Kernels::named(isa));
  } catch (InputError const&) {
    return false;
  }
  return true;
}

}  // namespace

MeltTeam::MeltTeam(int threads)
    : runtime_({.threads = threads}),
      threads_(runtime_.team().all_reduce_all(pgas::ReduceOp::min, threads)) {
}

MeltReport MeltTeam::run(MeltSettings const& settings, MeltOptions options) {
  // An order that all images would refuse is refused here, before it is sent to the others.
  check(settings);
  check(options);
  static_cast<void>(Kernels::named(options.isa));
  options.world.threads = threads_;
  pgas::send_order_all(runtime_.team(), pgas::packed(order_of(settings, options)));
  expect_everywhere(options.isa, options.world.checkpoint.from);
  return run_melt_all(runtime_, settings, options);
}

void MeltTeam::serve() {
  while (!has_lost_image()) {
    try {
      std::vector<std::byte> const bytes = pgas::await_order_all(runtime_.team());
      if (bytes.empty()) return;  // the end (finish_all())
      auto const order = pgas::unpacked<Order>(bytes);
      expect_everywhere(order.isa, order.from);
      static_cast<void>(run_melt_all(runtime_, order.settings, options_of(order, threads_)));
    } catch (InputError const&) {
      continue;  // image 0 has met the same, or been told
    } catch (graph::ObjectRunFailed const&) {
      continue;
    } catch (ImageFailed const& failure) {
      if (!is_of_others(failure)) throw;
      return;
    }
  }
}

void MeltTeam::finish_all() {
  try {
    if (image() == 0 && !has_lost_image()) pgas::send_order_all(runtime_.team(), {});
  } catch (ImageFailed const& failure) {
    if (!is_of_others(failure)) throw;
  }
  runtime_.finish_all();
}

bool MeltTeam::is_of_others(ImageFailed const& failure) const {
  return failure.image().value() > 0 && failure.image() != runtime_.image();
}

// Orders go to all images. A run that has outlived a loss, which all that are left know of, was the
// last one.
bool MeltTeam::has_lost_image() const {
  bool has_lost = false;
  for (std::int64_t image = 0; image < runtime_.images(); ++image) {
    std::string const why = runtime_.loss_of(ImageId{image});
    if (why.empty()) continue;
    ImageFailed const failure(ImageId{image}, why, "a melt");
    if (!is_of_others(failure)) throw ImageFailed(failure);
    has_lost = true;
  }
  return has_lost;
}

int MeltTeam::images_without(bool is_here) {
  return runtime_.team().all_reduce_all(pgas::ReduceOp::sum, is_here ? 0 : 1);
}

// An image that refused alone what it is to do would leave the others waiting: in the run they call
// each other.
void MeltTeam::expect_everywhere(std::string const& isa, fs::path const& from) {
  if (int const without = images_without(has_kernels(isa)); without > 0) {
    throw InputError("isa = " + isa,
                     std::to_string(without) + " of " + std::to_string(images()) +
                         " images are on hosts without it",
                     "use 'auto', by which each takes the fastest that it has");
  }
  if (from.empty()) return;
  std::error_code error;
  int const without = images_without(fs::is_regular_file(from / "place-0.objects", error));
  if (without == 0) return;
  std::string const who = images() == 1 ? "there is none"
                                        : std::to_string(without) + " of " +
                                              std::to_string(images()) + " images see none";
  throw InputError("checkpoint " + from.string(), who,
                   "name the folder of a complete checkpoint, such as checkpoints/phase-20, where "
                   "all hosts see it");
}

}  // namespace makespan::melt
