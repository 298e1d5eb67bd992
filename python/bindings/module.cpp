// SPDX-License-Identifier: Apache-2.0
#include "bindings/module.hpp"

#include <nanobind/nanobind.h>

#include <exception>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace bindings {

void begin_module() {
  makespan::set_contract_handler(makespan::throw_on_violation);
  nanobind::register_exception_translator([](std::exception_ptr const& thrown, void*) {
    // What is not caught here is for nanobind, which makes a RuntimeError of what it does not know.
    try {
      std::rethrow_exception(thrown);
    } catch (makespan::InputError const& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (makespan::NotConfigured const& error) {
      PyErr_SetString(PyExc_NotImplementedError, error.what());
    }
  });
}

}  // namespace bindings
