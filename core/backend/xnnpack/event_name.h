// SPDX-License-Identifier: Apache-2.0
// What a backend's event name says: "Convolution (NHWC, F32) IGEMM #3" is operator type Convolution
// on type F32, done by kernel IGEMM, the third event of that name in its call.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace etlens {

struct EventName {
  std::string_view full;  // without the number
  std::string_view base;  // before " ("
  std::string_view type;  // the first one behind the layout; "" if none is named
  std::string_view second_type;
  std::string_view kernel;  // behind ")"
  uint32_t number = 0;      // behind " #"; 0 if there is none
};

EventName parse_event_name(std::string_view text);

// For each name: true if its number is not what counting equal names gives. Then an event of that
// name is missing, added or out of order.
std::vector<bool> miscounted(std::span<const EventName> names);

}  // namespace etlens
