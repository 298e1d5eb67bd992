// SPDX-License-Identifier: Apache-2.0
// Debian's archive of hwloc asks udev for the vendors of disks, which makespan does not show. A program that is linked to the
// archive has this udev, which knows nothing, in place of a library that may not be there (hwloc 2.9 to 2.12 go on without).

extern "C" {

struct udev;
struct udev_device;

[[gnu::visibility("hidden")]] udev* udev_new() {
  return nullptr;
}

[[gnu::visibility("hidden")]] udev* udev_unref(udev* /*context*/) {
  return nullptr;
}

[[gnu::visibility("hidden")]] udev_device* udev_device_new_from_subsystem_sysname(
    udev* /*context*/, char const* /*subsystem*/, char const* /*name*/) {
  return nullptr;
}

[[gnu::visibility("hidden")]] char const* udev_device_get_property_value(udev_device* /*device*/,
                                                                         char const* /*key*/) {
  return nullptr;
}

[[gnu::visibility("hidden")]] udev_device* udev_device_unref(udev_device* /*device*/) {
  return nullptr;
}

}  // extern "C"
