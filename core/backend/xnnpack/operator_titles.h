// SPDX-License-Identifier: Apache-2.0
// Names for events that the library gives the name of many operators ("Binary Elementwise (ND)" of
// releases up to 0.6), from the payload that they run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

// One per event of a call, in the order in which they were reported: "Add (ND) #3"; "" where the
// event's own name says it, or where several operators may be behind it. Empty if none has one.
std::vector<std::string> title_xnnpack_operators(std::span<const uint8_t> payload,
                                                 std::span<const std::string_view> ids);

}  // namespace etlens
