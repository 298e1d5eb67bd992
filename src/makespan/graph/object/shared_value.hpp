// SPDX-License-Identifier: Apache-2.0
#pragma once

// A value that several objects look at and none changes: an argument of messages that receivers may
// keep without a copy. Between images it is copied, once for all receivers of a message there.

#include <memory>
#include <utility>

namespace makespan::graph {

// Empty until it is given a value. Tested by tests/graph/object/shared_value_test.cpp.
template <class T>
class SharedValue {
 public:
  SharedValue() = default;
  explicit SharedValue(T value) : value_(std::make_shared<T>(std::move(value))) {}

  [[nodiscard]] explicit operator bool() const { return value_ != nullptr; }
  [[nodiscard]] T const& operator*() const { return *value_; }
  [[nodiscard]] T const* operator->() const { return value_.get(); }
  void reset() { value_.reset(); }
  // The value, to be used again, once all others have let go of it; else null. They must have done
  // what they did with it before something that the caller has heard of: they answered, say.
  [[nodiscard]] T* sole() { return value_.use_count() == 1 ? value_.get() : nullptr; }

  // For cereal; the value as it is, after whether there is one.
  template <class Archive>
  void save(Archive& archive) const {
    archive(value_ != nullptr);
    if (value_) archive(*value_);
  }
  template <class Archive>
  void load(Archive& archive) {
    bool is_there = false;
    archive(is_there);
    value_ = is_there ? std::make_shared<T>() : nullptr;
    if (value_) archive(*value_);
  }

 private:
  std::shared_ptr<T> value_;
};

}  // namespace makespan::graph
