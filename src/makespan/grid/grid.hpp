// SPDX-License-Identifier: Apache-2.0
#pragma once

// A grid on the devices of all images: cut unevenly, so that all end a step together, and with
// halos that travel while the devices compute.
//
//   pgas::Runtime runtime(
//       {.threads = 2, .heap_bytes = Grid::heap_bytes(problem, stencil.shape(), 2)});
//   Grid grid(runtime, problem,
//             {{.stencil = &stencil, .cores = {0}}, {.stencil = &stencil, .cores = {1}}});
//   grid.fill([](int field, Point at) { return at == centre ? 1.0 : 0.0; });
//   grid.run_all(1000);
//   std::vector<double> const plane = grid.gather_all(0, box);
//
// Each point's value depends on nothing but the values around it, so the grid's do not depend on
// how it is cut, who computes, and what moves meanwhile: same bits.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "makespan/base/digest.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/grid/field/field_summary.hpp"
#include "makespan/grid/grid_options.hpp"
#include "makespan/grid/phase_clock.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {

class BoxMover;
class DeviceRun;
class HaloExchange;
class ThreadTeam;
struct ExchangePlan;
struct Slab;
struct SlabDevice;
struct SlabPlan;
struct Stretch;

// A device somewhere gave up; its own image knows why.
class GridStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a run did, of this image.
struct GridReport {
  std::int64_t steps{};                // Grid::step()
  std::vector<DeviceTimes> devices{};  // by device
  std::vector<HaloCounts> halos{};     // likewise
  int rebalances{};                    // that moved planes; of the whole grid
  std::int64_t planes_moved{};         // likewise; whole ones of the grid, with as many points
};

// Functions that end in _all are collective over the runtime's images, are called by the thread of
// endpoint 0, which is device 0's thread too, and block. Tested by tests/grid/grid_test.cpp.
class Grid {
 public:
  // Collective. Device i uses endpoint i, and a host that relays the one after them; the runtime
  // has as many threads as any image needs. The problem and the options are the same on all images.
  // All values are 0.
  //
  // Throws InputError, on all images, where faces, values, steps at once or devices are invalid,
  // shapes differ, or the heap (heap_bytes()) or the memory is too small. What else one image meets
  // alone (std::system_error for threads, CudaFailed) it throws itself, and the others InputError.
  Grid(pgas::Runtime& runtime, GridProblem problem, std::vector<GridDevice> devices,
       GridOptions options = {});
  Grid(Grid const&) = delete;
  Grid& operator=(Grid const&) = delete;
  ~Grid();
  // Collective. Gives back what it has of the heap, for other grids; nothing else is called
  // afterwards. Without it that stays taken as long as the runtime lives: so it does after a run
  // that threw, when halos may still be under way.
  void close_all();

  // What a runtime's heap must hold at least, for up to `devices` devices of an image. Throws
  // InputError on an empty box, a negative width, or more than can be counted.
  [[nodiscard]] static std::int64_t heap_bytes(GridProblem const& problem,
                                               StencilShape const& shape, int devices = 1,
                                               GridOptions const& options = {});
  // Collective. Throws InputError, on all images, where all hosts together have no memory for the
  // fields: before a runtime with such a heap. One with an accelerator on any image passes.
  static void expect_memory_all(pgas::Runtime& runtime, GridProblem const& problem,
                                StencilShape const& shape, bool has_accelerator);

  // Sets all points of this image's slabs, by the devices' threads, one device after the other; an
  // accelerator's by the calling thread, in fields of the host that go over. Called on all images
  // or on none: halos then travel once more, also where `value` threw.
  void fill(std::function<double(int field, Point at)> const& value);
  // The same by whole boxes: `set` gives all of the box's points their values in all fields.
  using SetBox = std::function<void(Box const& box, std::span<FieldView const> fields)>;
  void fill_boxes(SetBox const& set);

  // `later` are steps that the caller will ask for afterwards: for what moves planes is only worth
  // it with enough of them. Throws ImageFailed where an image is lost, GridStopped where a device
  // of another image failed, what a stencil of this one threw, and pgas::WaitTimeout where halos
  // have not come for RuntimeOptions::wait_limit. Values are of different steps then, and step() is
  // an earlier one: a later call throws InputError.
  void run_all(std::int64_t steps, std::int64_t later = 0);

  // Collective, as run_all(); they throw as it does where a device fails, on all images. The first
  // two throw InputError for a field or a box that the grid has not.

  // A field's values in a box of the grid, by z, then y, then x: at image 0; empty elsewhere.
  [[nodiscard]] std::vector<double> gather_all(int field, Box const& box);
  // Sets a field in a box of the grid from image 0's values, in the same order.
  void scatter_all(int field, Box const& box, std::span<double const> values);
  // The first one by field, z, y, x, on all images; nothing if all are finite. Throws BadMessage,
  // too, where an image tells of one that the grid has not.
  [[nodiscard]] std::optional<BadValue> find_bad_value_all();
  // Least, most and sum of a field's values in a box of the grid; on all images. Where a value is
  // not finite the sum is 0 and says nothing. Throws as gather_all().
  [[nodiscard]] FieldSummary summary_all(int field, Box const& box);
  // Of all bits of each plane of each field, by field, then z; on all images: the same for any cut.
  [[nodiscard]] std::vector<Digest> digests_all();

  // Cuts anew: planes of each device of each stack, as stacks() has them; their sums are the same.
  // A host's layers beside the other devices stay. Where an image lacks memory for old slabs and
  // new ones at once, throws what it says, there, and InputError elsewhere; the cut is the old one
  // then. Throws likewise where halos cannot be laid anew, as when a GPU fails, and as run_all()
  // where a device fails while values move: then nothing but close_all() may follow.
  void restack_all(std::vector<std::vector<std::int64_t>> const& planes);
  // Cuts anew by what the devices were measured to do, stack by stack, where that pays for the
  // steps to come, and memory holds both cuts while values move. Whether it did for any. Throws as
  // restack_all(), and BadMessage where an image tells of devices that cannot be.
  bool rebalance_all(std::int64_t steps_left);

  [[nodiscard]] std::int64_t step() const { return step_; }
  // Steps made before, as when a run goes on from a file.
  void set_step(std::int64_t step) { step_ = step; }
  [[nodiscard]] GridProblem const& problem() const { return problem_; }
  // Of all images.
  [[nodiscard]] std::vector<DeviceStack> const& stacks() const { return stacks_; }
  [[nodiscard]] GridReport report() const;
  // Of this image's devices, in turn: the last phases, with times since all images had the grid.
  [[nodiscard]] std::vector<std::vector<PhaseSpan>> phases() const;

 private:
  [[nodiscard]] int image() const { return static_cast<int>(runtime_.image().value()); }
  void agree_all(std::vector<GridDevice> const& devices);
  // Those that drive devices, and those of devices.
  void start_threads(std::vector<GridDevice> devices);
  [[nodiscard]] ImageDevices devices_all(std::vector<GridDevice> const& devices);
  // Makes the stacks' slabs and the exchange of their halos; values come from the slabs before, if
  // there were any. Null, or why an image refuses its slabs; then all have those before.
  [[nodiscard]] std::exception_ptr lay_all(std::vector<SlabPlace> const& before);
  void put_back(std::vector<SlabPlace> const& places, std::vector<Slab> slabs);
  void make_slabs(ExchangePlan const& plan);
  [[nodiscard]] std::vector<Accelerator*> accelerators_by_slab() const;
  [[nodiscard]] Slab new_slab(int number, ExchangePlan const& plan, DeviceRun const& device) const;
  [[nodiscard]] SlabPlan plan_of(Box const& box, std::int64_t halo_width) const;
  void fill_accelerator(Slab const& slab, SetBox const& set) const;
  [[nodiscard]] DeviceStack const& stack_with(Box const& box) const;
  [[nodiscard]] ExchangePlan plan_halos() const;
  void lay_stages(Slab& slab) const;
  // As lay_all(): null, or a refusal, after which all is as it was.
  [[nodiscard]] std::exception_ptr relay_all(std::vector<DeviceStack> stacks);
  [[nodiscard]] std::int64_t steps_to_look() const;
  void run_stretch_all(std::int64_t steps);
  void drive(int device, Stretch const& stretch);
  void gather_loads_all();
  // By what was measured, or at first said, of them.
  [[nodiscard]] ImageDevices measured_devices() const;
  [[nodiscard]] Slab& slab_here(int number);
  // From slabs that were `from`, this image's of them in `sources`.
  void copy_here(Slab const& from, int target, Box const& box);
  template <class OfPart, class OfSlab, class Add>
  void for_each_view(int field, Box const& box, OfPart&& of_part, OfSlab&& of_slab, Add&& add);
  void move_values_all(std::vector<SlabPlace> const& from, std::vector<Slab>& sources);

  pgas::Runtime& runtime_;
  GridProblem problem_;
  GridOptions options_;
  StencilShape shape_;
  std::int64_t halo_width_;
  PlaneWeights weights_{};
  std::vector<std::unique_ptr<DeviceRun>> devices_{};
  std::vector<int> driver_cores_;
  std::unique_ptr<ThreadTeam> drivers_{};
  int devices_max_{};  // of any image
  std::vector<DeviceStack> stacks_{};
  std::vector<SlabPlace> slabs_{};
  std::unique_ptr<HaloExchange> exchange_{};
  std::unique_ptr<BoxMover> mover_{};
  std::vector<SpeedMeter> meters_{};        // by image, then device; as many for each image
  std::vector<Speed> speeds_{};             // likewise: what was said of them at first
  std::vector<std::int64_t> planes_max_{};  // likewise
  std::vector<Seconds> starts_{};           // likewise: measured, of a step
  std::vector<int> devices_of_image_{};
  std::int64_t step_{0};
  std::int64_t made_{0};  // steps, since the grid was made
  std::int64_t exchanges_{0};
  bool has_halos_{false};
  bool is_laid_{false};     // exchange_ is that of the slabs that there are
  bool has_failed_{false};  // a device, in a run
  int rebalances_{0};
  std::int64_t planes_moved_{0};
  Seconds relay_time_{};  // of the last new cut
};

}  // namespace makespan::grid
