// SPDX-License-Identifier: Apache-2.0
// Names of events that the runtime writes around instructions.
#pragma once

#include <string_view>

namespace etlens {

inline constexpr std::string_view kExecuteEvent = "Method::execute";
inline constexpr std::string_view kStepEvent = "Method::step";
inline constexpr std::string_view kLoadEvent = "Program::load_method";
inline constexpr std::string_view kInitEvent = "Method::init";

// `base` itself, or with what ran behind it, as other runtimes and runners write it:
// "Method::execute::forward", "Method::execute (forward)". Not "Method::execute_all".
inline bool is_named(std::string_view name, std::string_view base) {
  if (!name.starts_with(base)) return false;
  if (name.size() == base.size()) return true;
  const char next = name[base.size()];
  const bool goes_on = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                       (next >= '0' && next <= '9') || next == '_';
  return !goes_on;
}

}  // namespace etlens
