// SPDX-License-Identifier: Apache-2.0
// A dump that a fleet does not count, and why. None of them stops the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlens {

enum class BrokenReason : uint8_t {
  Empty,
  Foreign,       // no ETDump
  Damaged,       // cut, overwritten, or more costly to read than it may be
  NoExecution,   // holds no run of a method
  OtherProgram,  // fits no record, or is of another program than the dumps before it
  Unreadable,    // the file system said no
  Crashed,       // the process that read it ended
};
inline constexpr size_t kBrokenReasons = 7;
// Stable: "empty", "foreign", "damaged", "no_execution", "other_program", "unreadable", "crashed".
std::string_view name_of(BrokenReason reason);
std::optional<BrokenReason> parse_broken_reason(std::string_view name);

struct BrokenDump {
  BrokenReason reason = BrokenReason::Damaged;
  std::string name;      // as DumpHead::name
  std::string sentence;  // which file, what is wrong, what to do
};

}  // namespace etlens
