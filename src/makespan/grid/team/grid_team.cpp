// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/team/grid_team.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/unknown_name.hpp"
#include "makespan/grid/agreement.hpp"
#include "makespan/grid/field/slab_fields.hpp"
#include "makespan/grid/team/detail/team_checks.hpp"
#include "makespan/grid/team/detail/team_command.hpp"
#include "makespan/pgas/team_order.hpp"

namespace makespan::grid {

namespace {

// Enough for a runtime that only hears what is to be done.
constexpr std::int64_t heap_of_orders = std::int64_t{1} << 20;

pgas::RuntimeOptions runtime_options(int threads, std::int64_t heap_bytes) {
  pgas::RuntimeOptions options;
  options.threads = threads;
  options.heap_bytes = heap_bytes;
  return options;
}

// What an image's devices have of `values`: these are either theirs, or those of all images.
std::span<double const> own_of(std::span<double const> values, std::size_t devices, int image) {
  bool const are_of_all = values.size() > devices;
  return are_of_all ? values.subspan(static_cast<std::size_t>(image) * devices, devices) : values;
}

GridOptions grid_options(TeamOptions const& options) {
  return {.schedule = options.schedule,
          .blocks = options.blocks,
          .block_order = options.block_order,
          .route = options.route,
          .cut = options.cut,
          .layers = options.layers,
          .plane_weights = options.plane_weights,
          .steps_at_once = options.steps_at_once,
          .rebalance = {.steps = options.rebalance_steps, .first = options.first_look},
          .phases_kept = options.phases_kept};
}

// An image may lack what a model needs, such as a compiler: that is a refusal, which is of all.
template <class Work>
void refusing(std::string const& kind, Work const& work) {
  try {
    work();
  } catch (NotConfigured const& error) {
    throw InputError("a model of kind " + kind, error.what(), "mend that there");
  }
}

// Collective; throws on all images if one has a failure: its own there. `what` says what the image
// that has one did.
void refuse_all(pgas::Team& team, std::exception_ptr const& mine, std::string const& what) {
  auto const other = other_failure_all(team, mine);
  if (!other) return;
  throw InputError("image " + std::to_string(other->image) + " " + what, other->text,
                   "mend that there");
}

}  // namespace

GridTeam::GridTeam(std::vector<int> cores, std::vector<GridModelKind> kinds)
    : cores_{std::move(cores)}, kinds_{std::move(kinds)} {
  MAKESPAN_EXPECT(!cores_.empty());
  runtime_.emplace(runtime_options(1, heap_of_orders));
  image_ = static_cast<int>(runtime_->image().value());
  images_ = runtime_->images();
}

GridTeam::~GridTeam() = default;

Grid& GridTeam::grid() const {
  if (grid_ != nullptr) return *grid_;
  throw InputError("there is no grid yet", "none was opened, or the last one was refused",
                   "open one first");
}

std::unique_ptr<GridModel> GridTeam::model_of(ModelOrder const& order) const {
  auto const found = std::ranges::find(kinds_, order.kind, &GridModelKind::name);
  if (found != kinds_.end()) return found->make(order.bytes);
  std::vector<std::string_view> names(kinds_.size());
  std::ranges::transform(kinds_, names.begin(), &GridModelKind::name);
  throw unknown_name("model", order.kind, names);
}

// Those of threads, then GPUs, which the last cores drive.
std::vector<GridDevice> GridTeam::devices_of(TeamOptions const& options) const {
  auto const devices = static_cast<std::size_t>(options.devices);
  auto const gpus = static_cast<std::size_t>(options.gpus);
  if (gpus > cores_.size()) {
    throw InputError("gpus = " + std::to_string(options.gpus),
                     "each is driven by a thread, and there are " + std::to_string(cores_.size()),
                     "give as many threads");
  }
  std::vector<GridDevice> made(devices);
  // Where an image has fewer cores than devices some have none of their own.
  std::size_t const computing = cores_.size() > gpus ? cores_.size() - gpus : 0;
  for (std::size_t at = 0; at < computing && devices > 0; ++at) {
    made[at % devices].cores.push_back(cores_[at]);
  }
  for (GridDevice& device : made) {
    device.stencil = &model_->stencil();
    // One without a core of its own has a thread all the same.
    device.speed = Speed{static_cast<double>(std::max<std::size_t>(1, device.cores.size()))};
  }
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
    made.push_back(gpu_device(static_cast<int>(gpu), cores_[cores_.size() - 1 - gpu]));
  }
  std::span<double const> const speeds = own_of(options.speeds, made.size(), image_);
  for (std::size_t at = 0; at < speeds.size(); ++at) made[at].speed = Speed{speeds[at]};
  std::span<double const> const times = own_of(options.point_times, made.size(), image_);
  for (std::size_t at = 0; at < times.size(); ++at) made[at].point_time = Seconds{times[at]};
  return made;
}

GridDevice GridTeam::gpu_device(int gpu, int core) const {
  GridDevice device{
      .stencil = &model_->stencil(), .accelerator = model_->accelerator(gpu), .cores = {core}};
  device.speed = Speed{device.accelerator->cores_worth()};
  device.planes_max = planes_in(device.accelerator->memory_bytes());
  return device;
}

// Of the whole grid's, with a tenth of the memory left to others.
std::int64_t GridTeam::planes_in(std::int64_t bytes) const {
  GridProblem const problem = model_->problem();
  SlabPlan plan{
      .box = problem.box, .roles = model_->stencil().shape().fields, .values = problem.values};
  plan.box.end.z = plan.box.begin.z + 1;
  // A stencil without fields takes nothing.
  std::int64_t const plane_bytes = std::max<std::int64_t>(1, SlabFields::bytes_of(plan));
  return std::max<std::int64_t>(1, bytes / 10 * 9 / plane_bytes);
}

void GridTeam::tell_all(TeamCommand const& command) {
  pgas::send_order_all(runtime_->team(), bytes_of(command));
}

void GridTeam::drop_grid_all() {
  // Before the model, whose stencil its devices have.
  if (grid_) grid_->close_all();
  grid_.reset();
  model_.reset();
}

// A refusal is one of all images, which go on without a grid; what is none, as a loss, of which
// others may not know, leaves no runtime.
void GridTeam::reopen_after(std::exception_ptr const& refusal) {
  try {
    std::rethrow_exception(refusal);
  } catch (InputError const&) {
    runtime_.emplace(runtime_options(1, heap_of_orders));
    throw;
  } catch (...) {
    if (images_ == 1) runtime_.emplace(runtime_options(1, heap_of_orders));
    throw;
  }
}

// The heap is as large as a grid needs it, so the runtime is made anew for one that needs more.
void GridTeam::make_runtime_all(int endpoints, std::int64_t heap_bytes) {
  if (endpoints == endpoints_ && heap_bytes <= heap_bytes_) return;
  // None that a grid can have, until the new one is there.
  endpoints_ = 0;
  auto const end = failure_of([&] { runtime_->finish_all(); });
  runtime_.reset();  // also where it could not end: of what is closed nothing more can be asked
  if (end) std::rethrow_exception(end);
  auto const refusal =
      failure_of([&] { runtime_.emplace(runtime_options(endpoints, heap_bytes)); });
  if (refusal) reopen_after(refusal);
  endpoints_ = endpoints;
  heap_bytes_ = heap_bytes;
}

void GridTeam::make_model_all(ModelOrder const& order) {
  auto const failure = failure_of([&] { refusing(order.kind, [&] { model_ = model_of(order); }); });
  refuse_all(runtime_->team(), failure, "cannot make its model");
}

void GridTeam::open_all(TeamCommand const& command) {
  drop_grid_all();
  TeamOptions const& options = command.options;
  // Not by this image's threads: it may have fewer than image 0.
  refuse_all(runtime_->team(), failure_of([&] { check_options(options, devices_max, images_); }),
             "has no such devices");
  make_model_all(command.order);
  phases_kept_ = options.phases_kept;
  GridOptions const asked = grid_options(options);
  int const devices = options.devices + options.gpus;
  int const endpoints = devices + (options.route == Route::relayed ? 1 : 0);
  StencilShape const shape = model_->stencil().shape();
  Grid::expect_memory_all(*runtime_, model_->problem(), shape, options.gpus > 0);
  make_runtime_all(endpoints, Grid::heap_bytes(model_->problem(), shape, devices, asked));
  std::vector<GridDevice> made;
  // After the new runtime is there, which is collective: all images come to it, and refuse
  // together.
  auto const failure =
      failure_of([&] { refusing(command.order.kind, [&] { made = devices_of(options); }); });
  refuse_all(runtime_->team(), failure, "has not what is asked for");
  keeping_runtime([&] {
    grid_ = std::make_unique<Grid>(*runtime_, model_->problem(), std::move(made), asked);
  });
}

// After what fails on one image, and so on all, some of the heap stays taken, and halos may be
// under way to it: then the next grid gets another runtime.
void GridTeam::keeping_runtime(std::function<void()> const& work) {
  int const endpoints = std::exchange(endpoints_, 0);
  work();
  endpoints_ = endpoints;
}

void GridTeam::open(ModelOrder const& order, TeamOptions const& options) {
  check_options(options, threads(), images_);
  // An order that all images would refuse is refused here, before it is sent to the others.
  auto const model = model_of(order);
  // The last of them: they are numbered from 0, so that with it all others are there.
  if (options.gpus > 0) static_cast<void>(model->accelerator(options.gpus - 1));
  TeamCommand command{.verb = Verb::open};
  command.order = order;
  command.options = options;
  tell_all(command);
  open_all(command);
}

void GridTeam::carry_out_all(TeamCommand const& command) {
  tell_all(command);
  obey_all(command);
}

void GridTeam::start() {
  carry_out_all({.verb = Verb::start});
}

void GridTeam::run(std::int64_t steps, std::int64_t later) {
  carry_out_all({.verb = Verb::run, .number = steps, .later = later});
}

void GridTeam::heed(std::span<std::byte const> word) {
  TeamCommand command{.verb = Verb::heed};
  command.word.assign(word.begin(), word.end());
  carry_out_all(command);
}

void GridTeam::set_step(std::int64_t step) {
  carry_out_all({.verb = Verb::set_step, .number = step});
}

std::vector<double> GridTeam::gather(int field, Box const& box) {
  tell_all({.verb = Verb::gather, .field = field, .box = box});
  return grid().gather_all(field, box);
}

void GridTeam::scatter(int field, Box const& box, std::span<double const> values) {
  tell_all({.verb = Verb::scatter, .field = field, .box = box});
  grid().scatter_all(field, box, values);
}

std::optional<BadValue> GridTeam::find_bad_value() {
  tell_all({.verb = Verb::find_bad_value});
  return grid().find_bad_value_all();
}

FieldSummary GridTeam::summary(int field, Box const& box) {
  tell_all({.verb = Verb::summary, .field = field, .box = box});
  return grid().summary_all(field, box);
}

std::vector<Digest> GridTeam::digests() {
  tell_all({.verb = Verb::digests});
  return grid().digests_all();
}

void GridTeam::obey_all(TeamCommand const& command) {
  if (command.verb != Verb::finish && command.verb != Verb::open) {
    static_cast<void>(grid());
    check_steps(command);
  }
  switch (command.verb) {
    case Verb::finish:
      return;
    case Verb::open:
      return open_all(command);
    case Verb::start:
      return stop_all(runtime_->team(), failure_of([&] {
                        grid().fill_boxes([&](Box const& box, std::span<FieldView const> fields) {
                          model_->start(box, fields);
                        });
                      }));
    case Verb::run:
      return keeping_runtime([&] { grid().run_all(command.number, command.later); });
    case Verb::heed:
      return stop_all(runtime_->team(), failure_of([&] { model_->heed(command.word); }));
    case Verb::gather:
      return static_cast<void>(grid().gather_all(command.field, command.box));
    case Verb::scatter:
      return grid().scatter_all(command.field, command.box, {});
    case Verb::find_bad_value:
      return static_cast<void>(grid().find_bad_value_all());
    case Verb::summary:
      return static_cast<void>(grid().summary_all(command.field, command.box));
    case Verb::digests:
      return static_cast<void>(grid().digests_all());
    case Verb::report:
      return static_cast<void>(reports_all());
    case Verb::set_step:
      return grid().set_step(command.number);
  }
}

void GridTeam::serve() {
  for (;;) {
    TeamCommand const command = command_from(pgas::await_order_all(runtime_->team()));
    if (command.verb == Verb::finish) return;
    try {
      obey_all(command);
    } catch (InputError const&) {
      continue;  // image 0 has met the same, or been told
    } catch (...) {
      // Of what all have been told, image 0 says.
      if (!was_told(std::current_exception())) throw;
    }
  }
}

bool GridTeam::has_lost_image() const {
  for (std::int64_t image = 0; image < images_; ++image) {
    if (!runtime_->is_alive(ImageId{image})) return true;
  }
  return false;
}

void GridTeam::finish_all() {
  // An image was lost while the runtime was made anew, which has thrown: there is nothing to end.
  if (!runtime_) return;
  try {
    // Once one is lost, images leave what they do together at different calls, and one's order or
    // barrier would be taken for another's.
    if (image() == 0 && !has_lost_image()) tell_all({.verb = Verb::finish});
    if (!has_lost_image()) drop_grid_all();
  } catch (ImageFailed const& failure) {
    if (failure.image() == runtime_->image()) throw;
  }
  grid_.reset();
  model_.reset();
  runtime_->finish_all();
  hold_.finish_all();
}

}  // namespace makespan::grid
