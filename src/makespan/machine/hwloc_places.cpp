// SPDX-License-Identifier: Apache-2.0
// hwloc's tree as places.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <limits>
#include <map>
#include <sstream>
#include <string>

#include <hwloc/cpukinds.h>
#include "makespan/base/checked_cast.hpp"

#include "makespan/machine/detail/hwloc_handle.hpp"

namespace makespan::machine {

namespace {

// https://admin.pci-ids.ucw.cz/read/PD/03: display controllers, those without a screen included.
constexpr unsigned pci_class_display = 0x03;

std::string info_of(hwloc_obj_t object, char const* name) {
  char const* const value = hwloc_obj_get_info_by_name(object, name);
  return value == nullptr ? std::string{} : std::string{value};
}

bool is_gpu_interface(hwloc_obj_t object) {
  return object->type == HWLOC_OBJ_OS_DEVICE &&
         (object->attr->osdev.type == HWLOC_OBJ_OSDEV_GPU ||
          object->attr->osdev.type == HWLOC_OBJ_OSDEV_COPROC);
}

// Of a PCI device: a display controller, or one that the system offers as a GPU or coprocessor. A
// GPU that is on no bus is its interface.
bool is_gpu(hwloc_obj_t object) {
  if (object->type == HWLOC_OBJ_PCI_DEVICE) {
    // The upper byte is the class, the lower one its subclass.
    if ((object->attr->pcidev.class_id >> 8U) == pci_class_display) return true;
    for (hwloc_obj_t child = object->io_first_child; child != nullptr;
         child = child->next_sibling) {
      if (is_gpu_interface(child)) return true;
    }
    return false;
  }
  bool const has_bus = object->parent != nullptr && object->parent->type == HWLOC_OBJ_PCI_DEVICE;
  return is_gpu_interface(object) && !has_bus;
}

PlaceKind kind_of(hwloc_obj_t object) {
  switch (object->type) {
    case HWLOC_OBJ_MACHINE:
      return PlaceKind::machine;
    case HWLOC_OBJ_PACKAGE:
      return PlaceKind::package;
    case HWLOC_OBJ_DIE:
      return PlaceKind::die;
    case HWLOC_OBJ_CORE:
      return PlaceKind::core;
    case HWLOC_OBJ_PU:
      return PlaceKind::pu;
    case HWLOC_OBJ_NUMANODE:
      return PlaceKind::numa_node;
    case HWLOC_OBJ_PCI_DEVICE:
    case HWLOC_OBJ_OS_DEVICE:
      return is_gpu(object) ? PlaceKind::gpu : PlaceKind::device;
    default:
      return hwloc_obj_type_is_cache(object->type) != 0 || object->type == HWLOC_OBJ_MEMCACHE
                 ? PlaceKind::cache
                 : PlaceKind::group;
  }
}

// Of a PCI device the model that an interface of it tells, or its vendor and device; else what the
// operating system calls it.
std::string name_of_device(hwloc_obj_t object) {
  std::string name = info_of(object, "GPUModel");
  for (hwloc_obj_t child = object->io_first_child; child != nullptr && name.empty();
       child = child->next_sibling) {
    name = info_of(child, "GPUModel");
  }
  if (name.empty() && object->name != nullptr) name = object->name;
  if (name.empty()) name = info_of(object, "PCIVendor") + " " + info_of(object, "PCIDevice");
  return name == " " ? std::string{} : name;
}

std::string bus_of(hwloc_obj_t object) {
  if (object->type != HWLOC_OBJ_PCI_DEVICE) return {};
  auto const& at = object->attr->pcidev;
  std::ostringstream text;
  auto const hex = [&](int digits, unsigned value) -> std::ostream& {
    return text << std::hex << std::setfill('0') << std::setw(digits) << value;
  };
  hex(4, static_cast<unsigned>(at.domain)) << ':';
  hex(2, at.bus) << ':';
  hex(2, at.dev) << '.';
  hex(1, at.func);
  return text.str();
}

// A file may have any number of 64 bits; no memory is as large.
std::int64_t clamped(hwloc_uint64_t bytes) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(bytes, static_cast<hwloc_uint64_t>(most)));
}

std::int64_t bytes_of(hwloc_obj_t object) {
  if (object->type == HWLOC_OBJ_NUMANODE) return clamped(object->attr->numanode.local_memory);
  if (hwloc_obj_type_is_cache(object->type) != 0 || object->type == HWLOC_OBJ_MEMCACHE) {
    return clamped(object->attr->cache.size);
  }
  return 0;
}

std::string type_of(hwloc_obj_t object, PlaceKind kind) {
  if (kind == PlaceKind::gpu) return "GPU";
  if (is_gpu_interface(object)) return "Interface";  // hwloc's word for some is GPU, too
  std::array<char, 64> text{};
  hwloc_obj_type_snprintf(text.data(), text.size(), object, 0);
  return text.data();
}

TopologyObject place_of(hwloc_obj_t object, int parent) {
  PlaceKind const kind = kind_of(object);
  bool const is_device = kind == PlaceKind::gpu || kind == PlaceKind::device;
  return {
      .kind = kind,
      .parent = parent,
      .type = type_of(object, kind),
      .os_index = object->os_index == HWLOC_UNKNOWN_INDEX ? -1 : static_cast<int>(object->os_index),
      .name = is_device ? name_of_device(object) : info_of(object, "CPUModel"),
      .bus = bus_of(object),
      .bytes = bytes_of(object),
      .id = object->gp_index};
}

// Adds an object and all below it, but bridges and remarks: what is below a bridge hangs on what
// the bridge hangs on.
void add_tree(Machine::Handle& handle, hwloc_obj_t object, int parent,
              std::vector<TopologyObject>& places) {
  bool const passed_over = object->type == HWLOC_OBJ_BRIDGE || object->type == HWLOC_OBJ_MISC;
  int const here = passed_over ? parent : static_cast<int>(places.size());
  if (!passed_over) {
    places.push_back(place_of(object, parent));
    if (object->type == HWLOC_OBJ_PU) {
      places.back().core_kind = hwloc_cpukinds_get_by_cpuset(handle.topology, object->cpuset, 0);
    }
    handle.objects.push_back(object);
  }
  // hwloc keeps memory, cores and devices of an object in lists of their own.
  for (hwloc_obj_t const first :
       {object->memory_first_child, object->first_child, object->io_first_child}) {
    for (hwloc_obj_t child = first; child != nullptr; child = child->next_sibling) {
      add_tree(handle, child, here, places);
    }
  }
}

}  // namespace

std::vector<TopologyObject> places_in(Machine::Handle& handle) {
  std::vector<TopologyObject> places;
  handle.objects.clear();
  add_tree(handle, hwloc_get_root_obj(handle.topology), -1, places);
  std::map<std::string, int> seen;
  for (TopologyObject& place : places) place.index = seen[place.type]++;
  return places;
}

}  // namespace makespan::machine
