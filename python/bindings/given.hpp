// SPDX-License-Identifier: Apache-2.0
// A dict of settings that Python gives; what it does not have keeps its default.
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

class Given {
 public:
  explicit Given(nanobind::dict const& given) : given_(given) {}

  template <class T>
  void take(char const* name, T& value) const {
    if (given_.contains(name)) value = nanobind::cast<T>(given_[name]);
  }
  template <class T, class From, class Convert>
  void take_as(char const* name, T& value, Convert const& convert) const {
    if (given_.contains(name)) value = convert(nanobind::cast<From>(given_[name]));
  }

 private:
  nanobind::dict const& given_;
};

}  // namespace bindings
