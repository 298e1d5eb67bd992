// SPDX-License-Identifier: Apache-2.0
// Goal: what means nothing on another image does not travel there. CASE 0 is allowed, and must
// compile.
#include <cereal/types/string.hpp>
#include <string>
#include <string_view>

#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/endpoint.hpp"

namespace makespan::pgas {

struct Keeps {
  int operator()(int value) const { return value + kept; }
  int kept{1};
};

inline int twice(int value) {
  return 2 * value;
}

inline void use(Endpoint& here, GlobalPtr<double> numbers, GlobalPtr<std::int64_t> counter) {
  ImageId const there{1};
  int local = 1;
  static_cast<void>(local);
  static_cast<void>(numbers);
  static_cast<void>(counter);
#if CASE == 0
  static_cast<void>(here.rpc(there, function<&twice>, local).get());
  static_cast<void>(
      here.rpc(there, [](std::string const& text) { return text; }, std::string("a")));
  here.put(numbers, 1.0);
  static_cast<void>(fetch_add(here, counter, 1));
#elif CASE == 1   // a lambda that keeps something of this image
  static_cast<void>(here.rpc(there, [local](int value) { return value + local; }, 1));
#elif CASE == 2   // an object that keeps something
  static_cast<void>(here.rpc(there, Keeps{}, 1));
#elif CASE == 3   // the address of a function, which lies elsewhere there
  static_cast<void>(here.rpc(there, &twice, 1));
#elif CASE == 4   // a pointer as argument
  static_cast<void>(here.rpc(there, [](int const* at) { return *at; }, &local));
#elif CASE == 5   // a literal is a pointer
  static_cast<void>(here.rpc(there, [](char const* text) { return text[0]; }, "text"));
#elif CASE == 6   // a view points to what it sees
  static_cast<void>(
      here.rpc(there, [](std::string_view text) { return text.size(); }, std::string_view("text")));
#elif CASE == 7   // a pointer as result
  static_cast<void>(here.rpc(there, [] { return static_cast<int*>(nullptr); }));
#elif CASE == 8   // a pointer in the heap
  here.put(GlobalPtr<int*>{}, &local);
#elif CASE == 9   // text in the heap
  here.put(GlobalPtr<std::string>{}, std::string("text"));
#elif CASE == 10  // an atomic of a type that has none
  static_cast<void>(fetch_add(here, numbers, 1.0));
#elif CASE == 11  // an operand that is no number
  static_cast<void>(fetch_add(here, counter, std::string("1")));
#elif CASE == 12  // data of another type
  here.put(numbers, std::string("text"));
#endif
}

}  // namespace makespan::pgas
