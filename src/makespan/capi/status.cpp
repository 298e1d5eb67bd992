// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/capi/detail/status_of.hpp"

namespace makespan::capi {

namespace {

std::string& last_error() {
  thread_local std::string text;
  return text;
}

// An error that cannot be told for want of memory is still told by its status.
int keep(int status, char const* text) noexcept {
  try {
    last_error() = text;
  } catch (...) {
    last_error().clear();
  }
  return status;
}

}  // namespace

int status_of_current_exception() noexcept {
  try {
    throw;
  } catch (InputError const& error) {
    return keep(MAKESPAN_BAD_INPUT, error.what());
  } catch (ImageFailed const& error) {
    return keep(MAKESPAN_IMAGE_FAILED, error.what());
  } catch (WaitTimeout const& error) {
    return keep(MAKESPAN_TIMEOUT, error.what());
  } catch (MpiError const& error) {
    return keep(MAKESPAN_MPI_ERROR, error.what());
  } catch (NotConfigured const& error) {
    return keep(MAKESPAN_NOT_CONFIGURED, error.what());
  } catch (RemoteError const& error) {
    return keep(MAKESPAN_REMOTE_ERROR, error.what());
  } catch (std::exception const& error) {
    // BadMessage among them: a job in which something else sends messages cannot go on.
    return keep(MAKESPAN_INTERNAL, error.what());
  } catch (...) {
    return keep(MAKESPAN_INTERNAL, "an exception of unknown type");
  }
}

void expect_given(void const* pointer, std::string_view function, std::string_view name) {
  if (pointer != nullptr) return;
  throw InputError(std::string(function) + ": " + std::string(name) + " is a null pointer",
                   "the function reads or writes what it points to", "pass an address");
}

}  // namespace makespan::capi

extern "C" {

char const* makespan_last_error(void) {
  return makespan::capi::last_error().c_str();
}

char const* makespan_status_name(int status) {
  switch (status) {
    case MAKESPAN_OK:
      return "ok";
    case MAKESPAN_BAD_INPUT:
      return "bad input";
    case MAKESPAN_IMAGE_FAILED:
      return "image failed";
    case MAKESPAN_TIMEOUT:
      return "timeout";
    case MAKESPAN_MPI_ERROR:
      return "MPI error";
    case MAKESPAN_NOT_CONFIGURED:
      return "not configured";
    case MAKESPAN_INTERNAL:
      return "internal error";
    case MAKESPAN_REMOTE_ERROR:
      return "remote error";
    default:
      return "no such status";
  }
}

}  // extern "C"
